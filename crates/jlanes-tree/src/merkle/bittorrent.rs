//! BitTorrent v2 (BEP 52): the pieces root of a file, and its piece layer.
//!
//! Leaves are blocks of 16 KiB; the last one may be shorter. The tree is padded to a power of two
//! with all-zero leaf digests. A file's length is stored outside the tree. Peers ask each other for hashes by a
//! [`HashRequest`].

use alloc::vec::Vec;

use digest::array::Array;
use jlanes_core::{hash::Output, hashes::sha2::Sha256};

use super::{Error, Format, Frame, Keep, Leaf, NodeFunction, Odd, Rules, Summary, digest_of};

mod hash_request;

pub use hash_request::HashRequest;

/// Bytes of a block.
const BLOCK_BYTES: usize = 16 << 10;

/// A file of a torrent.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitTorrent {
    /// Level of the digests that cover one piece each.
    layer: Option<u32>,
}

/// A torrent's hashes of a non-empty file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceHashes {
    /// The pieces root.
    pub root: Output<Sha256>,
    /// The pieces' digests; empty if the file is not longer than one piece, or without a piece
    /// length.
    pub layer: Vec<Output<Sha256>>,
}

impl BitTorrent {
    /// A file in pieces of `length` bytes.
    ///
    /// # Errors
    /// [`Error::BlockSize`] if `length` is not a power of two or is less than 16 KiB.
    pub fn with_pieces(length: usize) -> Result<Self, Error> {
        Error::check_block_size(length, BLOCK_BYTES, usize::MAX)?;
        Ok(Self { layer: Some((length / BLOCK_BYTES).ilog2()) })
    }
}

impl Format for BitTorrent {
    type Output = PieceHashes;
    type Error = Error;

    fn rules(&self) -> Rules {
        let (leaf, odd) = (Leaf::plain(BLOCK_BYTES), Odd::ZeroSubtree);
        let keep = self.layer.map_or(Keep::Nothing, Keep::Level);
        Rules { keep, ..Rules::pairs(NodeFunction::SHA256, leaf, Frame::NONE, odd) }
    }

    fn output(&self, tree: Summary<'_>) -> Result<PieceHashes, Error> {
        let root = digest_of::<Sha256>(&tree.root.ok_or(Error::Empty)?);
        let mut layer = Vec::new();
        if let (Some(level), Some(nodes)) = (self.layer, tree.kept.first()) {
            let pieces = tree.len.div_ceil((BLOCK_BYTES as u64) << level);
            let (digests, _) = Array::slice_as_chunks(nodes);
            // without the padding of the level
            layer = digests[..pieces as usize].to_vec();
        }
        Ok(PieceHashes { root, layer })
    }
}
