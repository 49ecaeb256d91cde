//! S3's composite checksum of a multipart upload: the hash of the parts' hashes, and their number.

use core::{convert::Infallible, fmt};

use jlanes_core::{hash::Output, hashes::sha2::Sha256};

use super::{Error, Format, Function, Leaf, Rules, Summary, base64, digest_of};

/// The composite SHA-256 of an object in parts of equal size.
///
/// Parts of more than 1 MiB share the lanes only if several arrive whole in one slice.
#[derive(Clone, Copy, Debug)]
pub struct S3 {
    part: usize,
}

impl S3 {
    /// Parts of `part` bytes; the last one may be shorter.
    ///
    /// # Errors
    /// [`Error::ZeroSize`].
    pub fn new(part: usize) -> Result<Self, Error> {
        Error::check_leaf(part)?;
        Ok(Self { part })
    }
}

/// A composite checksum. Its [`Display`](fmt::Display) is S3's: base64, `-`, number of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Composite {
    /// The hash of the parts' hashes.
    pub digest: Output<Sha256>,
    /// The number of parts; an empty object is one empty part.
    pub parts: u64,
}

impl fmt::Display for Composite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", base64::encode(&self.digest), self.parts)
    }
}

impl Format for S3 {
    type Output = Composite;
    type Error = Infallible;

    fn rules(&self) -> Rules {
        Rules::list(Function::SHA256, Leaf::plain(self.part))
    }

    fn output(&self, tree: Summary<'_>) -> Result<Composite, Infallible> {
        let parts = if tree.len == 0 { tree.hash([&[]]) } else { tree.kept.concat().into() };
        let digest = digest_of::<Sha256>(&tree.hash([&parts]));
        Ok(Composite { digest, parts: tree.len.div_ceil(self.part as u64).max(1) })
    }
}
