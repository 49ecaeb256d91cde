//! The walk from the root to a range: it verifies each parent before the children, and data before it is
//! passed on. A block that is wanted as a whole is computed at once, and is descended into only if it
//! is wrong, so that the error names the smallest wrong subtree.

use alloc::vec::Vec;
use core::{error, fmt, ops::Range};
use std::io;

use jlanes_core::hashes::blake3::CHUNK;

use super::{
    BLOCK_BYTES, Bao, Levels, Value,
    layout::group,
    subtree::{Subtree, WantedRange},
};

/// The parents and the data that a walk verifies, in its order. Nothing in them is trusted.
pub(super) trait ProofSource {
    /// Whether groups are read as a whole, even if only a part is wanted.
    const WHOLE_GROUPS: bool;

    /// The children of a subtree, after which the walk descends.
    fn parent(&mut self, subtree: &Subtree) -> io::Result<[Value; 2]>;

    /// Replaces `data` and `parents` by those of a subtree of at most a block. It may be asked again for
    /// subtrees of it.
    fn block(
        &mut self,
        subtree: &Subtree,
        data: &mut Vec<u8>,
        parents: &mut Vec<u8>,
    ) -> io::Result<()>;

    /// Goes on after the last block.
    fn accept(&mut self);
}

/// The receiver of verified parents and data, in pre-order.
pub(super) trait Sink {
    fn parent(&mut self, children: &[Value; 2]) -> io::Result<()>;
    fn block(&mut self, subtree: &Subtree, data: &[u8], levels: &Levels) -> io::Result<()>;
}

/// A walk through the tree of a message.
pub(super) struct Walk<'w, S> {
    pub(super) bao: &'w Bao,
    /// Groups have 2^`log` chunks.
    pub(super) log: u8,
    pub(super) source: S,
    pub(super) wanted: WantedRange,
    pub(super) data: Vec<u8>,
    pub(super) parents: Vec<u8>,
}

impl<S: ProofSource> Walk<'_, S> {
    /// Verifies what is wanted of a subtree with the value `expected`.
    pub(super) fn verify(
        &mut self,
        subtree: &Subtree,
        expected: &Value,
        sink: &mut impl Sink,
    ) -> Result<(), Error> {
        if !self.wanted.touches(subtree) {
            return Ok(());
        }
        let group = group(self.log);
        let unit = if S::WHOLE_GROUPS { group } else { CHUNK as u64 };
        let is_whole = self.wanted.covers(subtree, unit);
        let is_leaf = subtree.len <= unit || is_whole && subtree.len <= group;
        if is_leaf || is_whole && subtree.len <= BLOCK_BYTES as u64 {
            self.source.block(subtree, &mut self.data, &mut self.parents)?;
            if let Some(levels) = self.check(subtree, expected) {
                self.source.accept();
                return Ok(sink.block(subtree, &self.data, &levels)?);
            }
        }
        let children = match subtree.children(self.log) {
            Some(children) if !is_leaf => children,
            _ => return Err(Error::Data(subtree.range())),
        };
        let values = self.source.parent(subtree)?;
        let [left, right] = &values;
        let value = if subtree.is_root() {
            self.bao.merge_root(left, right)
        } else {
            self.bao.merge(left, right)
        };
        if value != *expected {
            return Err(Error::Parent(subtree.range()));
        }
        sink.parent(&values)?;
        children.iter().zip(&values).try_for_each(|(child, value)| self.verify(child, value, sink))
    }

    /// The levels of the last block, if its value is `expected` and the parents are its own.
    fn check(&self, subtree: &Subtree, expected: &Value) -> Option<Levels> {
        let tree = self.bao.tree();
        let levels = Levels::of_chunks(&tree, &self.data, subtree.start / CHUNK as u64);
        let value = if subtree.is_root() {
            self.bao.root(&levels, &self.data)
        } else {
            levels.value(&tree)
        };
        let mut parents = Vec::with_capacity(self.parents.len());
        levels.append_parents(self.log, &mut parents);
        (value == *expected && parents == self.parents).then_some(levels)
    }
}

/// A message that could not be verified.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Reading or writing failed. The kind is `UnexpectedEof` where data, an outboard or a slice ends too
    /// soon.
    Io(io::Error),
    /// The outboard of a message of `len` bytes has another length.
    OutboardLength {
        /// Bytes of the message.
        len: u64,
        /// Bytes of the outboard.
        outboard: u64,
    },
    /// The length in front of the outboard is not the message's.
    Length {
        /// Bytes of the message.
        len: u64,
        /// The length in front.
        front: u64,
    },
    /// The parent above these bytes is not that of the digest.
    Parent(Range<u64>),
    /// These bytes are not those of the digest.
    Data(Range<u64>),
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::OutboardLength { len, outboard } => {
                write!(f, "an outboard of {outboard} bytes is not that of a message of {len} bytes")
            }
            Self::Length { len, front } => {
                write!(f, "the outboard is that of {front} bytes, and the message has {len}")
            }
            Self::Parent(Range { start, end }) => {
                write!(f, "the parent of bytes {start} to {end} does not match the digest")
            }
            Self::Data(Range { start, end }) => {
                write!(f, "bytes {start} to {end} do not match the digest")
            }
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Io(error) => error.source(),
            Self::OutboardLength { .. } | Self::Length { .. } | Self::Parent(_) | Self::Data(_) => {
                None
            }
        }
    }
}
