//! Certificate Transparency's Merkle tree (RFC 6962, RFC 9162): roots and proofs.
//!
//! A byte 0 precedes leaves, a byte 1 precedes nodes. The standard splits a list at the largest
//! power of two below its length; promoting an odd digest level by level gives the same tree.
//! Leaves are a log's entries, or chunks of one message with a size that both sides know.

use core::{convert::Infallible, marker::PhantomData};

use jlanes_core::{batch::MultiDigest, engine::Engine};

use super::{
    CompressionOf, DigestOf, Error, Format, Frame, FunctionOf, Leaf, LeafKind, Node, NodeHash, Odd,
    Summary,
};
use crate::linear::Linear;

mod proof;
mod tiles;

pub use proof::{verify_consistency, verify_inclusion};
pub use tiles::{Tile, TiledLog};

/// The byte before a leaf.
const LEAF: u8 = 0;
/// The byte before two digests.
const NODE: u8 = 1;

/// The Merkle tree hash. Without leaves, it is the hash of the empty string.
#[derive(Clone, Copy, Debug)]
pub struct Rfc6962<H> {
    leaf: usize,
    hash: PhantomData<H>,
}

impl<H> Rfc6962<H> {
    /// Entries of any length, for a [`Tree`](super::Tree).
    #[must_use]
    pub fn entries() -> Self {
        Self { leaf: Leaf::ENTRIES, hash: PhantomData }
    }

    /// Chunks of `leaf` bytes; the last one may be shorter.
    ///
    /// # Errors
    /// [`Error::ZeroSize`].
    pub fn chunks(leaf: usize) -> Result<Self, Error> {
        Error::check_leaf(leaf)?;
        Ok(Self { leaf, hash: PhantomData })
    }
}

impl<H: MultiDigest<Function: NodeHash> + Clone> Format for Rfc6962<H> {
    type Hash = H;
    type Output = DigestOf<Self>;
    type Error = Infallible;

    fn leaf(&self) -> Leaf {
        Leaf { size: self.leaf, frame: Frame::prefix([LEAF]), kind: LeafKind::Hashed }
    }

    fn node(&self) -> Node {
        Node::pair::<FunctionOf<Self>>(Frame::prefix([NODE]), Odd::Promote)
    }

    fn output<E: Engine<CompressionOf<Self>>>(
        &self,
        engine: E,
        tree: Summary<FunctionOf<Self>>,
    ) -> Result<DigestOf<Self>, Infallible> {
        Ok(tree.root.unwrap_or_else(|| Linear::<FunctionOf<Self>, E>::new(engine).finish()))
    }
}
