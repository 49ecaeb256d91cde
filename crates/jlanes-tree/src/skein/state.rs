//! [`TreeState`]: a kept tree; a change costs a path instead of the message (\[SK\] section 6, \[JL\] section 1).

use alloc::boxed::Box;
use core::{error, fmt};

use jlanes_core::wipe::Buffer;

use super::{SkeinConfig, config::Config, levels::Levels};
use crate::batch_buffer::BatchBuffer;

/// All values of a message's tree, and the message's end.
///
/// Values of full subtrees are kept. The ragged right edge, one node per level, is hashed on demand
/// for the digest. The root of a cut tree has all values of a level as children, and costs as many
/// blocks.
pub struct TreeState {
    config: Config,
    levels: Levels,
    /// The last leaf, while it is not full.
    tail: BatchBuffer,
    hashed: u64,
}

/// The error of a leaf that cannot be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeafError {
    /// The leaf does not exist.
    NoSuchLeaf,
    /// The data does not have the leaf's length.
    Length {
        /// Bytes of the leaf.
        expected: usize,
    },
}

impl fmt::Display for LeafError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchLeaf => f.write_str("the message has no such leaf"),
            Self::Length { expected } => write!(f, "the leaf has {expected} bytes"),
        }
    }
}

impl error::Error for LeafError {}

impl TreeState {
    /// The tree of the empty message; `None` if the configuration has no tree.
    #[must_use]
    pub fn new<H>(config: SkeinConfig<H>) -> Option<Self> {
        let config = config.config;
        config.nodes.params.is_tree().then(|| {
            let leaf = config.nodes.saturated_leaf_bytes();
            let levels = Levels::without_root(config.nodes.clone(), true);
            Self { config, levels, tail: BatchBuffer::of(leaf, leaf), hashed: 0 }
        })
    }

    /// Appends to the message.
    pub fn append(&mut self, data: &[u8]) {
        let mut tail = self.tail.take();
        tail.push(data, |leaves| self.push(leaves));
        self.tail = tail;
    }

    /// Replaces leaf `index` by `data` of the same length.
    ///
    /// # Errors
    /// If the leaf does not exist or has another length.
    pub fn replace_leaf(&mut self, index: usize, data: &[u8]) -> Result<(), LeafError> {
        let leaf = self.config.nodes.saturated_leaf_bytes();
        let full = self.count(1);
        let expected = if index < full { leaf } else { self.tail.pending().len() };
        if index > full || expected == 0 {
            return Err(LeafError::NoSuchLeaf);
        }
        if data.len() != expected {
            return Err(LeafError::Length { expected });
        }
        if index == full {
            self.tail.pending_mut().copy_from_slice(data);
        } else {
            self.hash_path(index, data);
        }
        Ok(())
    }

    /// The digest of the message so far.
    #[must_use]
    pub fn digest(&mut self) -> Box<[u8]> {
        let mut edge = Buffer::new();
        if !self.tail.pending().is_empty() || self.count(1) == 0 {
            let tail = self.tail.take();
            edge = self.node(1, self.count(1), tail.pending());
            self.tail = tail;
        }
        let mut level = 1;
        loop {
            let cut = Some(level) == self.config.nodes.below_root();
            let covered = self.covered(level);
            let mut children: Buffer = self.levels.waiting(level).into();
            children.append(&edge);
            if covered == 0 && children.len() == self.block() {
                return self.config.output(&children);
            }
            if !children.is_empty() {
                let index = if cut { 0 } else { self.count(level + 1) };
                edge = self.node(level + 1, index, &children);
            }
            if cut {
                return self.config.output(&edge);
            }
            level += 1;
        }
    }

    /// Nodes hashed so far, leaves included.
    #[must_use]
    pub fn hashed(&self) -> u64 {
        self.hashed
    }

    fn block(&self) -> usize {
        self.config.nodes.block()
    }

    /// The number of kept values of `level`.
    fn count(&self, level: u8) -> usize {
        self.levels.count(level) as usize
    }

    /// The number of values of `level` with a kept parent.
    fn covered(&self, level: u8) -> usize {
        self.count(level) - self.levels.waiting(level).len() / self.block()
    }

    fn node(&mut self, level: u8, index: usize, data: &[u8]) -> Buffer {
        self.hashed += 1;
        self.config.nodes.hash_one(level, index as u128, data, 0)
    }

    /// Hashes full leaves at the end, and every node that they complete.
    fn push(&mut self, leaves: &[u8]) {
        let before = self.levels.total();
        self.levels.hash_leaves(leaves);
        self.levels.drain(self.config.nodes.below_root().unwrap_or(u8::MAX));
        self.hashed += (self.levels.total() - before) as u64;
    }

    /// Hashes leaf `index` and the kept nodes above it.
    fn hash_path(&mut self, mut index: usize, leaf: &[u8]) {
        let mut value = self.node(1, index, leaf);
        let mut level = 1;
        loop {
            let at = index * value.len();
            self.levels.values(level)[at..][..value.len()].copy_from_slice(&value);
            if index >= self.covered(level) {
                return;
            }
            let size = self.config.nodes.node_bytes(level + 1) as usize;
            index /= self.config.nodes.arity() as usize;
            level += 1;
            let children: Buffer = self.levels.values(level - 1)[index * size..][..size].into();
            value = self.node(level, index, &children);
        }
    }
}
