//! [`Error`], of invalid parameters and inputs of Merkle trees.

use core::{convert::Infallible, error, fmt};

/// The error of a tree without a result. By who is at fault:
///
/// - the program that chooses parameters, or puts a leaf into a tree: [`ZeroSize`](Self::ZeroSize),
///   [`BlockSize`](Self::BlockSize), [`SaltTooLong`](Self::SaltTooLong), [`FanOut`](Self::FanOut),
///   [`LeafLength`](Self::LeafLength)
/// - an input without a root in this format: [`Empty`](Self::Empty), [`Partial`](Self::Partial),
///   [`TooManyChunks`](Self::TooManyChunks), [`Name`](Self::Name), [`DuplicateName`](Self::DuplicateName)
/// - a request for a place that the tree does not have: [`NoSuchLeaf`](Self::NoSuchLeaf),
///   [`EmptyTree`](Self::EmptyTree), [`NotSubtree`](Self::NotSubtree), [`NoSuchNode`](Self::NoSuchNode)
/// - the prover: [`Proof`](Self::Proof), [`Mutated`](Self::Mutated), and `Partial` for a tile
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A leaf or part of no bytes.
    ZeroSize,
    /// The block size is not a power of two, or outside the format's range.
    BlockSize {
        /// The requested size.
        size: usize,
        /// The minimum size.
        min: usize,
        /// The maximum size.
        max: usize,
    },
    /// The salt is longer than the format allows.
    SaltTooLong {
        /// Bytes of the salt.
        len: usize,
        /// The maximum number of bytes.
        max: usize,
    },
    /// A node cannot hold two digests, so no level would be smaller than the one below it.
    FanOut {
        /// Bytes of a node.
        node: usize,
        /// Bytes of a digest.
        digest: usize,
    },
    /// The leaf's length does not fit: only the last leaf may be shorter than the others, and none
    /// longer.
    LeafLength {
        /// Bytes of the leaf.
        len: usize,
        /// Bytes of a whole leaf.
        size: usize,
    },
    /// An empty input has no root in this format.
    Empty,
    /// The input is not a whole number of blocks.
    Partial {
        /// Bytes of the input.
        len: u64,
        /// Bytes of a block.
        block: usize,
    },
    /// There are more chunks than the type's limit.
    TooManyChunks {
        /// The number of chunks.
        chunks: u64,
        /// The limit.
        limit: u64,
    },
    /// The name cannot be an entry of this format.
    Name,
    /// Two entries have the same name.
    DuplicateName,
    /// The leaf does not exist.
    NoSuchLeaf {
        /// The requested leaf.
        index: u64,
        /// Leaves in the tree.
        leaves: u64,
    },
    /// Every tree extends the empty one: there is nothing to prove.
    EmptyTree,
    /// The entries of a log from `start` up to `end` are not a subtree.
    NotSubtree {
        /// The first entry.
        start: u64,
        /// The entry behind the last one.
        end: u64,
    },
    /// The tree has no such nodes.
    NoSuchNode,
    /// The proof does not lead to the root.
    Proof,
    /// The list of the proof repeats transactions (CVE-2012-2459), so its block is invalid.
    Mutated,
}

impl Error {
    /// Checks a block size: a power of two between `min` and `max`.
    pub(super) fn check_block_size(size: usize, min: usize, max: usize) -> Result<(), Self> {
        let fits = size.is_power_of_two() && (min..=max).contains(&size);
        if fits { Ok(()) } else { Err(Self::BlockSize { size, min, max }) }
    }

    /// Checks a leaf or part size.
    pub(super) fn check_leaf_size(size: usize) -> Result<(), Self> {
        if size > 0 { Ok(()) } else { Err(Self::ZeroSize) }
    }

    /// Checks that at least two digests fit a node.
    pub(super) fn check_fan_out(node: usize, digest: usize) -> Result<(), Self> {
        if digest <= node / 2 { Ok(()) } else { Err(Self::FanOut { node, digest }) }
    }

    /// Checks a salt.
    pub(super) fn check_salt(salt: &[u8], max: usize) -> Result<(), Self> {
        let len = salt.len();
        if len <= max { Ok(()) } else { Err(Self::SaltTooLong { len, max }) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty => f.write_str("an empty input has no root"),
            Self::Partial { len, block } => {
                write!(f, "{len} bytes are not a whole number of blocks of {block} bytes")
            }
            Self::ZeroSize => f.write_str("leaves of no bytes make no tree"),
            Self::BlockSize { size, min, max } => {
                write!(f, "block size {size} is not a power of two between {min} and {max}")
            }
            Self::SaltTooLong { len, max } => {
                write!(f, "a salt of {len} bytes is too long; at most {max}")
            }
            Self::FanOut { node, digest } => {
                write!(f, "a node of {node} bytes has no room for two digests of {digest} bytes")
            }
            Self::NoSuchLeaf { index, leaves } => {
                write!(f, "there is no leaf {index} in a tree of {leaves}")
            }
            Self::EmptyTree => {
                f.write_str("every tree extends the empty one: there is nothing to prove")
            }
            Self::NotSubtree { start, end } => {
                write!(f, "the entries from {start} up to {end} of a log are not a subtree")
            }
            Self::LeafLength { len, size } => {
                write!(f, "a leaf of {len} bytes does not fit a tree with leaves of {size} bytes")
            }
            Self::TooManyChunks { chunks, limit } => {
                write!(f, "{chunks} chunks are more than the limit of {limit}")
            }
            Self::NoSuchNode => f.write_str("the tree has no such nodes"),
            Self::Proof => f.write_str("the proof does not lead to the root"),
            Self::Mutated => f.write_str("the proof is of a list with repeated transactions"),
            Self::Name => f.write_str("the name cannot be an entry"),
            Self::DuplicateName => f.write_str("two entries have the same name"),
        }
    }
}

impl error::Error for Error {}

impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}
