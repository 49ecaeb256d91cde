//! [`HashRequest`], the request of a peer for hashes of a file, with its answer and the check of that.

use alloc::vec::Vec;
use core::ops::Range;

use jlanes_core::{hash::Output, hashes::sha2::Sha256};

use super::{BLOCK_BYTES, BitTorrent};
use crate::merkle::{
    Error, Frame, Tree,
    proof::{self, ensure_proved},
};

/// The numbers of BEP 52's messages `hash request` and `hashes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashRequest {
    /// The layer of the hashes; 0 is that of blocks.
    pub base_layer: u32,
    /// The first hash in the layer, a multiple of `length`.
    pub index: u32,
    /// The number of hashes: a power of two, and at least 2.
    pub length: u32,
    /// The number of layers above that the proof leads through. The answer has no hashes of layers that follow
    /// from the hashes below.
    pub proof_layers: u32,
}

impl HashRequest {
    /// The layer and the index of the node that the hashes lead to.
    ///
    /// # Errors
    /// [`Error::NoSuchNode`] for a length or an index that BEP 52 excludes.
    pub fn top(&self) -> Result<(u32, u32), Error> {
        let depth = self.depth()?;
        Ok((self.base_layer + depth, self.index.checked_shr(depth).unwrap_or(0)))
    }

    /// The hash of the node [`top`](Self::top), if these are the hashes of an answer: to compare with one that
    /// is already known, for example of a piece.
    ///
    /// # Errors
    /// As `top`, and [`Error::Proof`] if these are more or fewer hashes.
    pub fn top_hash(&self, hashes: &[impl AsRef<[u8]>]) -> Result<Output<Sha256>, Error> {
        let (nodes, uncles) = hashes.split_at_checked(self.length as usize).ok_or(Error::Proof)?;
        let nodes: Vec<_> = self.indices(self.depth()?).zip(nodes).collect();
        Ok(proof::root(&Frame::NONE, &nodes, uncles, |_, _, _| Ok(()))?.into())
    }

    /// Checks that these are the hashes of a file of `len` bytes with this pieces root.
    ///
    /// # Errors
    /// [`Error::NoSuchNode`] if the request does not lead to the root of such a file; [`Error::Proof`] if the
    /// hashes are not those of the file.
    pub fn verify(&self, len: u64, hashes: &[impl AsRef<[u8]>], root: &[u8]) -> Result<(), Error> {
        let height = len.div_ceil(BLOCK_BYTES as u64).next_power_of_two().ilog2();
        if self.top()? != (height, 0) {
            return Err(Error::NoSuchNode);
        }
        ensure_proved(*self.top_hash(hashes)? == *root)
    }

    /// The layers from the hashes up to the node that they lead to.
    fn depth(&self) -> Result<u32, Error> {
        let Self { base_layer, index, length, proof_layers } = *self;
        let is_valid = length > 1 && length.is_power_of_two() && index.is_multiple_of(length);
        let depth = proof_layers.saturating_add(1).max(length.checked_ilog2().unwrap_or(0));
        let is_valid = is_valid && base_layer.saturating_add(depth) < u64::BITS - 1;
        if is_valid { Ok(depth) } else { Err(Error::NoSuchNode) }
    }

    /// The generalized indices of the hashes in the tree below a node `depth` layers up.
    fn indices(&self, depth: u32) -> Range<u64> {
        let width = 1 << depth;
        let first = width + u64::from(self.index) % width;
        first..first + u64::from(self.length)
    }
}

impl Tree<BitTorrent> {
    /// The answer to a request: the hashes, and then the uncles that complete their proof, from the bottom up.
    ///
    /// # Errors
    /// [`Error::NoSuchNode`] if the file has no such hashes, and for a request that BEP 52 excludes.
    pub fn hashes(&self, request: &HashRequest) -> Result<Vec<Output<Sha256>>, Error> {
        let (layer, top) = request.top()?;
        let above = self.height().checked_sub(layer).filter(|above| u64::from(top) >> above == 0);
        let depth = request.depth()?;
        let indices = request.indices(depth + above.ok_or(Error::NoSuchNode)?);
        let mut hashes = self.nodes(indices.clone());
        let uncles = depth - request.length.ilog2();
        hashes.extend(self.branches(indices)?.into_iter().take(uncles as usize));
        Ok(hashes)
    }
}
