//! Merkle trees that others already use, each with the result of its own tool (SPEC 6).
//!
//! One engine computes them all. A [`Format`] says what its tree looks like:
//!
//! | rule | says | for example |
//! |---|---|---|
//! | [`Leaf`] | how long a leaf is, what frames it, what a short last leaf becomes | fs-verity: 4 KiB after a salt, filled up with zeros |
//! | [`Node`] | how many digests a node holds, how far apart, in how long a block | dm-verity: 32-byte cells in blocks of 4 KiB |
//! | [`Odd`] | what completes a node that has too few children | Glacier promotes, Bitcoin repeats, BitTorrent adds zeros |
//! | [`Frame`] | bytes before and after a block; hashing twice | RFC 6962: `00` before a leaf, `01` before a node |
//! | [`Format::output`] | what is made of the root | fs-verity hashes a descriptor around it |
//!
//! and gets four things: a one-shot [`digest`](Format::digest), a streaming [`Hasher`], both in
//! parallel, and a [`Tree`] that keeps its digests to be appended to and changed.
//!
//! The bytes are hashed where they are: leaves straight from the caller's slice, nodes from the
//! level below, whose digests lie side by side. Either way the lanes get messages of one length.
//! Each level of a [`Hasher`] holds less than one batch of nodes, so its memory grows with the
//! tree's height times its fan-out, not with the message.

use alloc::vec::Vec;

use digest::array::ArraySize;
use jlanes_core::{
    engine::{Engine, MultiDigest},
    hash::{HashFunction, Output},
};

pub mod apk;
mod base64;
pub mod bitcoin;
pub mod bittorrent;
mod block;
pub mod dmverity;
pub mod dropbox;
mod error;
pub mod fsverity;
mod gather;
pub mod git;
pub mod glacier;
pub mod gosum;
mod hasher;
mod levels;
mod plan;
pub mod rfc6962;
pub mod s3;
pub mod ssz;
mod tree;

use self::plan::{Plan, Zeros};
pub use self::{block::Frame, error::Error, hasher::Hasher, tree::Tree};
use crate::join::Join;

/// A hash function that can have trees: its digests are as plain as bytes.
pub trait NodeHash: HashFunction<OutputSize: ArraySize<ArrayType<u8>: Copy + Send + Sync>> {}

impl<F> NodeHash for F where
    F: HashFunction<OutputSize: ArraySize<ArrayType<u8>: Copy + Send + Sync>>
{
}

/// The hash function of a format.
pub type FunctionOf<T> = <<T as Format>::Hash as MultiDigest>::Function;
/// The compression function of a format.
pub type CompressionOf<T> = <FunctionOf<T> as HashFunction>::Compression;
/// The engine on which a format runs if no other is given.
pub type EngineOf<T> = <<T as Format>::Hash as MultiDigest>::Engine;
/// A digest of a format's hash function.
pub type DigestOf<T> = Output<FunctionOf<T>>;

/// What a tree looks like, and what is made of it.
pub trait Format: Clone {
    /// The hash.
    type Hash: MultiDigest<Function: NodeHash>;
    /// The result.
    type Output;
    /// Why some inputs have no result; [`Infallible`](core::convert::Infallible) where all have.
    type Error: Into<Error>;

    /// The rule of the leaves.
    fn leaf(&self) -> Leaf;

    /// What frames the last leaf, where it has only `len` bytes; `None`, whatever `len` is, if that
    /// is the same as for whole leaves. A [`Hasher`] keeps leaves in memory until it knows how they
    /// are framed; others it hashes as they come, if they are longer than a mebibyte.
    fn last_leaf(&self, len: usize) -> Option<Frame> {
        let _ = len;
        None
    }

    /// The rule of the nodes.
    fn node(&self) -> Node;

    /// What is kept for [`output`](Self::output) besides the root.
    fn keep(&self) -> Keep {
        Keep::Nothing
    }

    /// The result of a finished tree.
    ///
    /// # Errors
    /// If the format has no result for such an input.
    fn output<E: Engine<CompressionOf<Self>>>(
        &self,
        engine: E,
        tree: Summary<FunctionOf<Self>>,
    ) -> Result<Self::Output, Self::Error>;

    /// The result for `data`.
    ///
    /// # Errors
    /// If the format has no result for such an input.
    fn digest(&self, data: &[u8]) -> Result<Self::Output, Self::Error> {
        self.hasher().finish(Join::Serial, data)
    }

    /// [`digest`](Self::digest) on rayon's thread pool.
    ///
    /// # Errors
    /// If the format has no result for such an input.
    #[cfg(feature = "rayon")]
    fn par_digest(&self, data: &[u8]) -> Result<Self::Output, Self::Error> {
        self.hasher().finish(Join::Rayon, data)
    }

    /// A hasher for data that comes in pieces.
    fn hasher(&self) -> Hasher<Self, EngineOf<Self>> {
        self.hasher_on(Self::Hash::engine())
    }

    /// [`hasher`](Self::hasher) on a given engine.
    fn hasher_on<E: Engine<CompressionOf<Self>>>(&self, engine: E) -> Hasher<Self, E> {
        Hasher::new(engine, self.clone())
    }
}

/// The rule of the leaves.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Leaf {
    /// Bytes of every leaf but the last, or [`ENTRIES`](Self::ENTRIES).
    pub size: usize,
    /// What frames a whole leaf.
    pub frame: Frame,
    /// What a leaf becomes.
    pub kind: LeafKind,
}

impl Leaf {
    /// The size of leaves that have any length each. Only a [`Tree`] can tell them apart.
    pub const ENTRIES: usize = usize::MAX;

    /// Leaves of `size` bytes without a frame, the last at its length.
    #[must_use]
    pub const fn plain(size: usize) -> Self {
        Self { size, frame: Frame::NONE, kind: LeafKind::Hashed }
    }

    /// The same leaves in a frame.
    #[must_use]
    pub fn framed(self, frame: Frame) -> Self {
        Self { frame, ..self }
    }
}

/// What a leaf becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeafKind {
    /// It is hashed at its length.
    Hashed,
    /// It is hashed, filled up with zeros to the leaf size.
    Filled,
    /// It stands for a digest itself, filled up with zeros.
    Digest,
}

/// The rule of the nodes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Node {
    /// Digests in a node; [`LIST`](Self::LIST): all of them.
    pub fan_out: usize,
    /// Bytes from one digest to the next. They are zeros where the digest is shorter.
    pub cell: usize,
    /// Bytes of a node. They are zeros behind the last digest.
    pub size: usize,
    /// What frames a node.
    pub frame: Frame,
    /// What completes the last node of a level.
    pub odd: Odd,
    /// The least height of the tree: a lone digest below it still counts as an incomplete level.
    pub height: u32,
}

impl Node {
    /// The fan-out of a list: there are no nodes, and [`Summary::kept`] has the leaves' digests.
    pub const LIST: usize = usize::MAX;

    /// Two digests of `F`, side by side.
    #[must_use]
    pub fn pair<F: NodeHash>(frame: Frame, odd: Odd) -> Self {
        let cell = digest_bytes::<F>();
        Self { fan_out: 2, cell, size: 2 * cell, frame, odd, height: 0 }
    }

    /// All digests of `F`, side by side.
    #[must_use]
    pub fn list<F: NodeHash>() -> Self {
        Self { fan_out: Self::LIST, size: usize::MAX, ..Self::pair::<F>(Frame::NONE, Odd::Zeros) }
    }
}

/// What completes the last node of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Odd {
    /// Zero bytes.
    Zeros,
    /// Nothing: one digest alone takes the place of its node (nodes of two).
    Promote,
    /// The last digest again (nodes of two).
    Repeat,
    /// The digest of a subtree whose leaves' digests are all zeros (nodes of two).
    ZeroSubtree,
}

/// What a [`Hasher`] keeps besides the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Keep {
    /// Nothing.
    Nothing,
    /// The nodes whose children are at this level; leaves are at level 0.
    Level(u32),
    /// All nodes.
    Levels,
}

/// A finished tree.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary<F: NodeHash> {
    /// The root; `None` without leaves, and for lists.
    pub root: Option<Output<F>>,
    /// Bytes of the message; 0 for [`Leaf::ENTRIES`].
    pub len: u64,
    /// The nodes that [`Format::keep`] asks for, as they are hashed, lowest level first.
    pub kept: Vec<Vec<u8>>,
}

/// Bytes of a digest of `F`.
fn digest_bytes<F: NodeHash>() -> usize {
    Output::<F>::default().len()
}
