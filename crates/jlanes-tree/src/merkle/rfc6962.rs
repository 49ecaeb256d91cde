//! Certificate Transparency's Merkle tree (RFC 6962, RFC 9162): roots, subtrees and proofs.
//!
//! A byte 0 precedes leaves, a byte 1 precedes nodes. The standard splits a list at the largest
//! power of two below its length; promoting an odd digest level by level gives the same tree (`Odd::Promote`).
//! Leaves are a log's entries, or chunks of one message with a size that both sides know.

use alloc::boxed::Box;
use core::convert::Infallible;

use jlanes_core::function::DigestOnKernels;
use jlanes_simd::Backend;

use super::{Error, Format, Frame, Leaf, NodeFunction, Odd, Rules, Summary};

mod proof;
mod subtree;
mod tiles;

pub use proof::{
    Subtree, TreeHead, inclusion_root, leaf_hash, verify_consistency, verify_inclusion,
    verify_leaf_inclusion, verify_subtree_consistency,
};
pub use subtree::{LogProof, cover, is_subtree};
pub use tiles::{Tile, TiledLog};

/// The byte before a leaf.
const LEAF_PREFIX: u8 = 0;
/// The byte before two digests.
const NODE_PREFIX: u8 = 1;

/// The Merkle tree hash. Without leaves, it is the hash of the empty string.
#[derive(Clone, Copy, Debug)]
pub struct Rfc6962 {
    function: NodeFunction,
    leaf: usize,
}

impl Rfc6962 {
    /// Entries of any length, for a [`Tree`](super::Tree).
    #[must_use]
    pub const fn entries<H: DigestOnKernels<Backend = Backend>>() -> Self {
        Self { function: NodeFunction::of::<H>(), leaf: Leaf::ENTRIES }
    }

    /// Chunks of `leaf` bytes; the last one may be shorter.
    ///
    /// # Errors
    /// [`Error::ZeroSize`].
    pub fn chunks<H: DigestOnKernels<Backend = Backend>>(leaf: usize) -> Result<Self, Error> {
        Error::check_leaf_size(leaf)?;
        Ok(Self { leaf, ..Self::entries::<H>() })
    }
}

impl Format for Rfc6962 {
    type Output = Box<[u8]>;
    type Error = Infallible;

    fn rules(&self) -> Rules {
        let leaf = Leaf::plain(self.leaf).framed(Frame::prefix([LEAF_PREFIX]));
        Rules::pairs(self.function, leaf, Frame::prefix([NODE_PREFIX]), Odd::Promote)
    }

    fn output(&self, tree: Summary<'_>) -> Result<Box<[u8]>, Infallible> {
        Ok(tree.root_or_empty())
    }
}
