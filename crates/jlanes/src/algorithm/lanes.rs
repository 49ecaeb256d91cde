//! j-lanes over Skein with an output of any length: one hasher per lane.
//!
//! A hash in lanes has a digest length that is known at compile time.

use alloc::{boxed::Box, vec::Vec};

use digest::{DynDigest, InvalidBufferSize};
use jlanes_tree::profile::JLANES;

use super::AnyHasher;

/// Bytes of a word.
const WORD: usize = 8;

/// Lanes of Skein.
pub(super) struct SkeinLanes {
    /// A hasher without input, and bytes of its block.
    empty: Box<dyn AnyHasher>,
    block: usize,
    lanes: Vec<Box<dyn AnyHasher>>,
    /// Bytes of the message so far.
    total: u64,
    raw: bool,
}

impl SkeinLanes {
    /// `j` lanes of the hash of `empty`, which has blocks of `block` bytes.
    pub(super) fn new(empty: Box<dyn AnyHasher>, block: usize, j: usize, raw: bool) -> Self {
        let mut leaf = empty.clone();
        if !raw {
            leaf.update(&JLANES.leaf(j as u32, WORD).fill(block));
        }
        let lanes = (0..j).map(|_| leaf.clone()).collect();
        Self { empty, block, lanes, total: 0, raw }
    }

    fn restarted(&self) -> Self {
        Self::new(self.empty.clone(), self.block, self.lanes.len(), self.raw)
    }

    /// The digest of the lanes' digests.
    fn finish(self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        let mut root = self.empty;
        if !self.raw {
            let prefix = JLANES.root(self.lanes.len() as u32, WORD, self.total);
            root.update(&prefix.fill(self.block));
        }
        for lane in self.lanes {
            root.update(&lane.finalize());
        }
        root.finalize_into_reset(out)
    }
}

impl Clone for SkeinLanes {
    fn clone(&self) -> Self {
        Self { empty: self.empty.clone(), lanes: self.lanes.clone(), ..*self }
    }
}

impl DynDigest for SkeinLanes {
    fn update(&mut self, mut data: &[u8]) {
        let j = self.lanes.len() as u64;
        while !data.is_empty() {
            let (word, used) = (self.total / WORD as u64, self.total as usize % WORD);
            let (piece, rest) = data.split_at(data.len().min(WORD - used));
            self.lanes[(word % j) as usize].update(piece);
            self.total += piece.len() as u64;
            data = rest;
        }
    }

    fn finalize_into(self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        self.finish(out)
    }

    fn finalize_into_reset(&mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        let fresh = self.restarted();
        core::mem::replace(self, fresh).finish(out)
    }

    fn reset(&mut self) {
        *self = self.restarted();
    }

    fn output_size(&self) -> usize {
        self.empty.output_size()
    }

    fn box_clone(&self) -> Box<dyn DynDigest> {
        Box::new(self.clone())
    }
}

impl AnyHasher for SkeinLanes {}
