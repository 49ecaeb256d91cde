//! Merkle trees of other tools, each with its tool's result.
//!
//! One [`Hasher`], and one [`Tree`], compute them all. A [`Format`] defines its tree by rules:
//!
//! | rule | defines | for example |
//! |---|---|---|
//! | [`Leaf`] | the size of a leaf, its frame, and the treatment of a short last leaf | fs-verity: 4 KiB after a salt, padded with zeros |
//! | [`Node`] | the number of digests in a node, their distance, and the size of the block | dm-verity: 32-byte cells in blocks of 4 KiB |
//! | [`Odd`] | the completion of a node with too few children | Glacier promotes, Bitcoin repeats, BitTorrent adds zeros |
//! | [`Frame`] | bytes before and after a block; hashing twice; the block cipher without padding | RFC 6962: `00` before a leaf, `01` before a node |
//! | [`Format::output`] | the result from the root | fs-verity hashes a descriptor around it |
//!
//! Each format has a one-shot [`digest`](Format::digest), a streaming [`Hasher`] on a backend and on
//! threads, and a [`Tree`] that keeps its digests for appending and replacing leaves, and for proofs: of logs
//! (`rfc6962/proof.rs`), and of nodes of SSZ, Bitcoin and BitTorrent (`proof.rs`).
//!
//! [`Hasher`] (`hasher.rs`, `levels.rs`) and [`Tree`] (`tree.rs`) take the rules for nodes from `rules.rs`; each
//! treats a short last leaf where it has one.
//!
//! Bytes are hashed in place: leaves in the caller's slice, nodes in the contiguous digests of the
//! level below. Either way all lanes get messages of one length. Each level of a [`Hasher`] holds
//! less than one batch of nodes, so its memory grows with the tree's height times its fan-out, not
//! with the message.

use alloc::{boxed::Box, vec::Vec};
use core::fmt;

use jlanes_core::{
    function::AnyFunction,
    hash::{HashFunction, Output},
};
use jlanes_simd::Backend;

pub mod apk;
mod base64;
pub mod bitcoin;
pub mod bittorrent;
pub mod bittorrent_v1;
pub mod dmverity;
pub mod dropbox;
mod error;
#[cfg(feature = "md5")]
pub mod etag;
mod frame;
pub mod fsverity;
pub mod git;
pub mod glacier;
pub mod gosum;
mod hasher;
mod levels;
mod node_function;
mod proof;
pub mod rfc6962;
mod rules;
pub mod s3;
pub mod sha256tree;
pub mod ssz;
mod tree;
mod zero_runs;

pub use self::{
    error::Error, frame::Frame, hasher::Hasher, node_function::NodeFunction, tree::Tree,
};
use self::{
    node_function::hash,
    rules::{BoundRules, Zeros},
};

/// The rules of a tree, and its result.
pub trait Format: Clone {
    /// The result.
    type Output;
    /// The error for inputs without a result; [`Infallible`](core::convert::Infallible) if there
    /// are no such inputs.
    type Error: Into<Error>;

    /// The hash function, the leaves and the nodes.
    fn rules(&self) -> Rules;

    /// The frame of the last leaf if it has only `len` bytes; `None` for every `len` if it equals
    /// that of whole leaves. A [`Hasher`] buffers leaves until it knows their frame. Without this
    /// rule, it hashes leaves of more than 1 MiB as they arrive.
    fn last_leaf(&self, len: usize) -> Option<Frame> {
        let _ = len;
        None
    }

    /// The result of a finished tree.
    ///
    /// # Errors
    /// If the format has no result for such an input.
    fn output(&self, tree: Summary<'_>) -> Result<Self::Output, Self::Error>;

    /// The result for `data`.
    ///
    /// # Errors
    /// If the format has no result for such an input.
    fn digest(&self, data: &[u8]) -> Result<Self::Output, Self::Error> {
        self.hasher().digest(data)
    }

    /// A hasher for data that comes in pieces.
    fn hasher(&self) -> Hasher<Self> {
        self.on(Backend::detect())
    }

    /// A hasher on a given backend.
    fn on(&self, backend: Backend) -> Hasher<Self> {
        Hasher::new(backend, self.clone())
    }

    /// A hasher on rayon's thread pool. It is worth it from 1 MiB on.
    #[cfg(feature = "rayon")]
    fn parallel(&self) -> Hasher<Self> {
        self.hasher().parallel()
    }
}

/// The rules of a tree but for its result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rules {
    /// The hash function of leaves and nodes.
    pub function: NodeFunction,
    /// The rule of the leaves.
    pub leaf: Leaf,
    /// The rule of the nodes.
    pub node: Node,
    /// The nodes that [`Format::output`] needs besides the root.
    pub keep: Keep,
}

impl Rules {
    /// Nodes of two contiguous digests in a frame.
    #[must_use]
    pub fn pairs(function: NodeFunction, leaf: Leaf, frame: Frame, odd: Odd) -> Self {
        let cell = function.output_size();
        let node = Node { fan_out: 2, cell, size: 2 * cell, frame, odd, min_height: 0 };
        Self { function, leaf, node, keep: Keep::Nothing }
    }

    /// The digests of all leaves, contiguous in [`Summary::kept`], without nodes or a root.
    #[must_use]
    pub fn only_leaves(function: NodeFunction, leaf: Leaf) -> Self {
        Self { keep: Keep::Level(0), ..Self::single_node(function, leaf) }
    }

    /// One node over the digests of all leaves, contiguous: its hash is the root, also where there is one leaf.
    #[must_use]
    pub fn single_node(function: NodeFunction, leaf: Leaf) -> Self {
        let pairs = Self::pairs(function, leaf, Frame::NONE, Odd::Zeros);
        let node = Node { fan_out: Node::LIST, size: usize::MAX, min_height: 1, ..pairs.node };
        Self { node, ..pairs }
    }
}

/// The rule of the leaves.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Leaf {
    /// Bytes of every leaf except the last, or [`ENTRIES`](Self::ENTRIES).
    pub size: usize,
    /// The frame of a whole leaf.
    pub frame: Frame,
    /// The treatment of a leaf's bytes.
    pub kind: LeafKind,
}

impl Leaf {
    /// The size for leaves of different lengths. Only a [`Tree`] can separate them.
    pub const ENTRIES: usize = usize::MAX;

    /// Leaves of `size` bytes without a frame; the last one may be shorter.
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

/// The treatment of a leaf's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeafKind {
    /// Hashed at its length.
    Hashed,
    /// Padded with zeros to the leaf size, then hashed.
    Filled,
    /// Used as a digest, padded with zeros.
    Digest,
}

/// The rule of the nodes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Node {
    /// Digests in a node; [`LIST`](Self::LIST) means all.
    pub fan_out: usize,
    /// Bytes from one digest to the next; zeros follow a shorter digest.
    pub cell: usize,
    /// Bytes of a node; zeros follow the last digest.
    pub size: usize,
    /// The frame of a node.
    pub frame: Frame,
    /// The completion of the last node of a level.
    pub odd: Odd,
    /// The minimum height of the tree: below it, a single digest counts as an incomplete level.
    pub min_height: u32,
}

impl Node {
    /// The fan-out of a list: a single node has the digests of all leaves. Its hash is the root; under
    /// [`Keep::Level`] 0, [`Summary::kept`] has the digests instead.
    pub const LIST: usize = usize::MAX;
}

/// The completion of the last node of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Odd {
    /// Zero bytes.
    Zeros,
    /// Nothing: a single digest replaces its node (nodes of two).
    Promote,
    /// The last digest again (nodes of two).
    Repeat,
    /// The digest of a subtree with leaves of all-zero digests (nodes of two).
    ZeroSubtree,
}

/// The nodes that a [`Hasher`] keeps besides the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Keep {
    /// Nothing.
    Nothing,
    /// The nodes with children at this level; leaves are at level 0.
    Level(u32),
    /// All nodes.
    All,
}

/// A finished tree.
#[derive(Clone)]
#[non_exhaustive]
pub struct Summary<'f> {
    /// The root; `None` without leaves, and for lists of digests that are kept.
    pub root: Option<Box<[u8]>>,
    /// Bytes of the message; 0 for [`Leaf::ENTRIES`].
    pub len: u64,
    /// The nodes that [`Rules::keep`] selects, as hashed, lowest level first.
    pub kept: Vec<Vec<u8>>,
    /// Under [`Odd::Repeat`], whether a node has two equal digests that were not made equal by the rule: a
    /// shorter list may then have the same root.
    pub has_twins: bool,
    function: &'f AnyFunction,
}

impl fmt::Debug for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { root, len, .. } = self;
        f.debug_struct("Summary").field("root", root).field("len", len).finish_non_exhaustive()
    }
}

impl Summary<'_> {
    /// The digest of `pieces`, one after the other, by the format's function.
    #[must_use]
    pub fn hash<const P: usize>(&self, pieces: [&[u8]; P]) -> Box<[u8]> {
        hash(self.function, pieces)
    }

    /// The root, or the digest of the empty string.
    fn root_or_empty(self) -> Box<[u8]> {
        let empty = || hash(self.function, [&[]]);
        self.root.unwrap_or_else(empty)
    }
}

/// The digest in `bytes`, which have its length.
fn digest_of<F: HashFunction>(bytes: &[u8]) -> Output<F> {
    let mut digest = Output::<F>::default();
    digest.copy_from_slice(bytes);
    digest
}
