//! Entries of lists, and the digests that are accepted in them.

use super::digest;
use crate::Computation;

/// The digests that a list may have.
pub trait Tags {
    /// The computation that a tag names; `None` if it is unknown or refused.
    fn tagged(&self, tag: &[u8]) -> Option<Computation>;

    /// The computation of a digest without a tag; `None` if it is unknown or refused.
    fn untagged(&self, digest: &[u8]) -> Option<Computation>;

    /// The computations that a line of the form `HASH:DIGEST NAME` may mean, the likeliest first. Container
    /// registries write the file's digest in this form, and fsverity its own.
    fn prefixed(&self, hash: &[u8]) -> Vec<Computation>;

    /// The name of the file with the list, which tells some formats.
    fn list(&self) -> &[u8] {
        b""
    }

    /// The tags of digests that stand in columns without a title, if there are several.
    fn columns(&self) -> Vec<String> {
        Vec::new()
    }

    /// Decodes a digest.
    fn digest(&self, computation: &Computation, text: &[u8]) -> Option<Vec<u8>> {
        digest::parse(computation, text)
    }

    /// Why digests with this tag are refused, if the tag is known.
    fn refusal(&self, _: &[u8]) -> Option<String> {
        None
    }

    /// Why digests by this computation are refused.
    fn refusal_of(&self, _: &Computation) -> Option<String> {
        None
    }

    /// Why an entry of accepted digests is refused.
    fn refusal_of_entry(&self, _: &Entry) -> Option<String> {
        None
    }

    /// Tags that refuse nothing, if these do: they tell refused lines from malformed ones.
    fn lenient(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// Why a line has no entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It has no known form.
    Malformed,
    /// It is understood, and refused for this reason.
    Refused(String),
}

/// The digests of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The file's name. It has no NUL.
    pub name: Vec<u8>,
    /// A second name, tried if no file has the first one: writers of BagIt differ in what they encode.
    pub literal: Option<Vec<u8>>,
    /// Digests by different computations; none if the list has only the size.
    pub digests: Vec<(Computation, Vec<u8>)>,
    /// Whether the line does not tell which digest it means, so that one match is enough.
    pub either: bool,
    /// The size of the file in bytes, if the list has it.
    pub size: Option<u64>,
}

impl Entry {
    /// Compares the entry with a file: its length, if it is known, and a digest for each of the
    /// entry's. Returns the index of the digest to report.
    ///
    /// # Errors
    /// The index of the first digest that differs; 0 if only the length does.
    pub fn compare(&self, len: Option<u64>, found: &[impl AsRef<[u8]>]) -> Result<usize, usize> {
        let is_right = |at: &usize| self.digests[*at].1 == found[*at].as_ref();
        let all = 0..self.digests.len().min(found.len());
        let right = if self.either { all.clone().find(is_right) } else { None };
        let wrong = all.clone().find(|at| !is_right(at)).filter(|_| right.is_none());
        let at = right.or(wrong).unwrap_or(0);
        let is_whole = found.len() == self.digests.len()
            && (self.size.is_none() || len.is_none() || self.size == len);
        if wrong.is_none() && is_whole { Ok(at) } else { Err(at) }
    }

    /// Takes the other name that the file may have, if there is a file of that name alone. Returns
    /// whether that is so.
    pub fn choose_name(&mut self, is_there: impl Fn(&[u8]) -> bool) -> bool {
        let literal =
            self.literal.take().filter(|literal| !is_there(&self.name) && is_there(literal));
        if let Some(literal) = literal {
            self.name = literal;
            return true;
        }
        false
    }

    /// The size in memory.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.name.len() + self.digests.iter().map(|(_, digest)| digest.len()).sum::<usize>()
    }
}

/// The tag here of the algorithm that another tool calls `tag`, in any case.
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
