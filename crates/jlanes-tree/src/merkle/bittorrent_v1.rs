//! BitTorrent v1 (BEP 3): the SHA-1 of each piece.

use alloc::vec::Vec;
use core::convert::Infallible;

use digest::array::Array;
use jlanes_core::{hash::Output, hashes::sha1::Sha1};

use super::{Error, Format, Leaf, NodeFunction, Rules, Summary};

/// The pieces of a torrent's files, which follow each other without gaps.
///
/// The digests together are the `pieces` of the torrent. Pieces of more than 1 MiB share the lanes only if
/// several arrive whole in one slice.
#[derive(Clone, Copy, Debug)]
pub struct BitTorrentV1 {
    length: usize,
}

impl BitTorrentV1 {
    /// Pieces of `length` bytes; the last one may be shorter.
    ///
    /// # Errors
    /// [`Error::ZeroSize`].
    pub fn new(length: usize) -> Result<Self, Error> {
        Error::check_leaf_size(length)?;
        Ok(Self { length })
    }
}

impl Format for BitTorrentV1 {
    type Output = Vec<Output<Sha1>>;
    type Error = Infallible;

    fn rules(&self) -> Rules {
        Rules::only_leaves(NodeFunction::SHA1, Leaf::plain(self.length))
    }

    fn output(&self, tree: Summary<'_>) -> Result<Vec<Output<Sha1>>, Infallible> {
        Ok(Array::slice_as_chunks(&tree.kept.concat()).0.to_vec())
    }
}
