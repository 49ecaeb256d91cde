//! BitTorrent v1 (BEP 3): the SHA-1 of each piece.

use alloc::vec::Vec;
use core::{convert::Infallible, marker::PhantomData};

use digest::array::Array;
use jlanes_core::{batch::MultiDigest, engine::Engine, hashes::sha1::Sha1};

use super::{CompressionOf, DigestOf, Error, Format, Leaf, Node, Summary};

/// The pieces of a torrent's files, which follow each other without gaps.
///
/// The digests together are the `pieces` of the torrent. Pieces of more than 1 MiB share the lanes only if
/// several arrive whole in one slice.
#[derive(Clone, Copy, Debug)]
pub struct Pieces<H> {
    length: usize,
    hash: PhantomData<H>,
}

impl<H> Pieces<H> {
    /// Pieces of `length` bytes; the last one may be shorter.
    ///
    /// # Errors
    /// [`Error::ZeroSize`].
    pub fn new(length: usize) -> Result<Self, Error> {
        Error::check_leaf(length)?;
        Ok(Self { length, hash: PhantomData })
    }
}

impl<H: MultiDigest<Function = Sha1> + Clone> Format for Pieces<H> {
    type Hash = H;
    type Output = Vec<DigestOf<Self>>;
    type Error = Infallible;

    fn leaf(&self) -> Leaf {
        Leaf::plain(self.length)
    }

    fn node(&self) -> Node {
        Node::list::<Sha1>()
    }

    fn output<E: Engine<CompressionOf<Self>>>(
        &self,
        _engine: E,
        tree: Summary<Sha1>,
    ) -> Result<Vec<DigestOf<Self>>, Infallible> {
        Ok(Array::slice_as_chunks(&tree.kept.concat()).0.to_vec())
    }
}
