//! S3's composite checksum of a multipart upload: the hash of the parts' hashes, and their number.

use core::{convert::Infallible, fmt, marker::PhantomData};

use jlanes_core::{batch::MultiDigest, engine::Engine, hash::Output, hashes::sha2::Sha256};

use super::{CompressionOf, Error, Format, Leaf, Node, Summary, base64};
use crate::linear::Linear;

/// The composite SHA-256 of an object in parts of equal size.
///
/// Parts of more than 1 MiB share the lanes only if several arrive whole in one slice.
#[derive(Clone, Copy, Debug)]
pub struct S3<H> {
    part: usize,
    hash: PhantomData<H>,
}

impl<H> S3<H> {
    /// Parts of `part` bytes; the last one may be shorter.
    ///
    /// # Errors
    /// [`Error::ZeroSize`].
    pub fn new(part: usize) -> Result<Self, Error> {
        Error::check_leaf(part)?;
        Ok(Self { part, hash: PhantomData })
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

impl<H: MultiDigest<Function = Sha256> + Clone> Format for S3<H> {
    type Hash = H;
    type Output = Composite;
    type Error = Infallible;

    fn leaf(&self) -> Leaf {
        Leaf::plain(self.part)
    }

    fn node(&self) -> Node {
        Node::list::<Sha256>()
    }

    fn output<E: Engine<CompressionOf<Self>>>(
        &self,
        engine: E,
        tree: Summary<Sha256>,
    ) -> Result<Composite, Infallible> {
        let one = || Linear::<Sha256, E>::new(engine);
        let parts = if tree.len == 0 { one().finish().to_vec() } else { tree.kept.concat() };
        let digest = one().chain(&parts).finish();
        Ok(Composite { digest, parts: tree.len.div_ceil(self.part as u64).max(1) })
    }
}
