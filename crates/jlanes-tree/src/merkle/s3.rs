//! S3's composite checksum of a multipart upload: the hash of the parts' hashes, and their number.

use alloc::boxed::Box;
use core::{convert::Infallible, fmt};

use jlanes_core::function::DigestOnKernels;
use jlanes_simd::Backend;

use super::{Error, Format, Leaf, NodeFunction, Rules, Summary, base64};

/// The composite checksum of an object in parts of equal size, with SHA-256 or another hash.
///
/// Parts of more than 1 MiB share the lanes only if several arrive whole in one slice.
#[derive(Clone, Copy, Debug)]
pub struct S3 {
    function: NodeFunction,
    part: usize,
}

impl S3 {
    /// SHA-256 and parts of `part` bytes; the last one may be shorter.
    ///
    /// # Errors
    /// [`Error::ZeroSize`].
    pub fn new(part: usize) -> Result<Self, Error> {
        Error::check_leaf_size(part)?;
        Ok(Self { function: NodeFunction::SHA256, part })
    }

    /// The same with the hash `H`: S3 has SHA-1, SHA-256, SHA-512 and MD5.
    ///
    /// # Errors
    /// [`Error::ZeroSize`].
    pub fn of<H: DigestOnKernels<Backend = Backend>>(part: usize) -> Result<Self, Error> {
        Ok(Self { function: NodeFunction::of::<H>(), ..Self::new(part)? })
    }
}

/// A composite checksum. Its [`Display`](fmt::Display) is S3's: base64, `-`, number of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Composite {
    /// The hash of the parts' hashes.
    pub digest: Box<[u8]>,
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
        Rules::single_node(self.function, Leaf::plain(self.part))
    }

    fn output(&self, tree: Summary<'_>) -> Result<Composite, Infallible> {
        let parts = tree.len.div_ceil(self.part as u64).max(1);
        let of_empty_part = || tree.hash([&tree.hash([&[]])]);
        Ok(Composite { digest: tree.root.clone().unwrap_or_else(of_empty_part), parts })
    }
}
