//! [`TagRules`], the choice of digests that are accepted in lists, and the [`Fault`]s of other lines.

use super::{Entry, digest};
use crate::Computation;

/// The digests that a list may have: which tags are known, and which are refused.
pub trait TagRules {
    /// The computation that a tag names; `None` if it is unknown or refused.
    fn tagged(&self, tag: &[u8]) -> Option<Computation>;

    /// The computation of a digest without a tag; `None` if it is unknown or refused.
    fn untagged(&self, digest: &[u8]) -> Option<Computation>;

    /// The computations that a line of the form `HASH:DIGEST NAME` may mean, the likeliest first.
    /// Container registries write the file's digest in this form, fsverity its own.
    fn prefixed(&self, hash: &[u8]) -> Vec<Computation>;

    /// The name of the list's file, by which some formats are recognized.
    fn list(&self) -> &[u8] {
        b""
    }

    /// The tags of the digests in columns without a title, if there are several columns.
    fn columns(&self) -> Vec<String> {
        Vec::new()
    }

    /// Decodes a digest.
    fn digest(&self, computation: &Computation, text: &[u8]) -> Option<Vec<u8>> {
        digest::parse(computation, text)
    }

    /// The reason for refusing digests with this tag, if the tag is known.
    fn tag_refusal(&self, _: &[u8]) -> Option<String> {
        None
    }

    /// The reason for refusing digests by this computation.
    fn computation_refusal(&self, _: &Computation) -> Option<String> {
        None
    }

    /// The reason for refusing an entry although its digests are accepted.
    fn entry_refusal(&self, _: &Entry) -> Option<String> {
        None
    }

    /// Rules that refuse nothing, if `self` refuses something: they separate refused lines from
    /// malformed ones.
    fn lenient(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// The reason why a line has no entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The line matches no known form.
    Malformed,
    /// The line is understood, and refused for this reason.
    Refused(String),
}

/// Our tag for the algorithm that another tool calls `tag`, in any case.
pub(super) fn canonical(tag: &[u8]) -> Vec<u8> {
    let dashed =
        |byte: &u8| if matches!(byte, b'_' | b'/') { b'-' } else { byte.to_ascii_uppercase() };
    let tag: Vec<u8> = tag.iter().map(dashed).collect();
    match &tag[..] {
        b"RMD160" => b"RIPEMD160".to_vec(),
        b"SHA512T224" => b"SHA512-224".to_vec(),
        b"SHA512T256" => b"SHA512-256".to_vec(),
        b"MD5SUM" => b"MD5".to_vec(),
        b"B2" => b"BLAKE2B".to_vec(),
        [b'S', b'H', b'A', b'-', rest @ ..] => [b"SHA", rest].concat(),
        _ => tag,
    }
}
