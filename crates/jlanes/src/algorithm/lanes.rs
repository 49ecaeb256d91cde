//! j-lanes over Skein with an output of any length: one hasher for each lane.
//!
//! A hash in lanes has a digest length that is known at compile time.

use alloc::{boxed::Box, vec, vec::Vec};

use digest::{Reset, Update};
use jlanes_tree::profile::JLANES;

use super::{AnyHasher, dynamic::Dynamic};

/// Bytes of a word.
const WORD: usize = 8;

/// Lanes of Skein.
#[derive(Clone)]
pub(super) struct SkeinLanes {
    /// A hasher without input, and bytes of its block.
    empty: Box<dyn AnyHasher>,
    block: usize,
    /// A lane at its start.
    leaf: Box<dyn AnyHasher>,
    lanes: Vec<Box<dyn AnyHasher>>,
    /// Bytes of the message so far.
    total: u64,
    raw: bool,
}

impl SkeinLanes {
    /// `j` lanes of the hash of `empty`, which has blocks of `block` bytes.
    pub(super) fn boxed(
        empty: Box<dyn AnyHasher>,
        block: usize,
        j: usize,
        raw: bool,
    ) -> Box<dyn AnyHasher> {
        let (size, mut leaf) = (empty.output_size(), empty.clone());
        if !raw {
            leaf.update(&JLANES.leaf(j as u32, WORD).fill(block));
        }
        let lanes = Self { empty, block, lanes: vec![leaf.clone(); j], leaf, total: 0, raw };
        Box::new(Dynamic::new(lanes, size, Self::finish))
    }

    /// Writes the digest of the lanes' digests.
    fn finish(&mut self, _: u64, out: &mut [u8]) {
        let mut root = self.empty.clone();
        if !self.raw {
            let prefix = JLANES.root(self.lanes.len() as u32, WORD, self.total);
            root.update(&prefix.fill(self.block));
        }
        for lane in &mut self.lanes {
            root.update(&lane.finalize_reset());
        }
        root.finalize_into_reset(out).expect("the digest has the size of the output");
        self.reset();
    }
}

impl Update for SkeinLanes {
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
}

impl Reset for SkeinLanes {
    fn reset(&mut self) {
        self.lanes.fill(self.leaf.clone());
        self.total = 0;
    }
}

impl AnyHasher for Dynamic<SkeinLanes> {}
