//! j-lanes over Skein with an output of any length: one hasher per lane.
//!
//! The vectorized j-lanes know the digest length at compile time. Unusual lengths do not justify
//! the machine code.

use alloc::{boxed::Box, vec::Vec};

use digest::{DynDigest, InvalidBufferSize};
use jlanes_core::engine::Engine;
use jlanes_tree::{
    profile::JLANES,
    skein::{SkeinConfig, SkeinDigest, SkeinHasher},
};

use super::AnyHasher;
use crate::Backend;

/// Bytes of a word.
const WORD: usize = 8;

/// Lanes of Skein.
pub(super) struct SkeinLanes<H: SkeinDigest> {
    config: SkeinConfig<H, Backend>,
    lanes: Vec<SkeinHasher<H, Backend>>,
    /// Bytes of the message so far.
    total: u64,
    raw: bool,
}

impl<H: SkeinDigest> SkeinLanes<H>
where
    Backend: Engine<H::Threefish>,
{
    /// `j` lanes under `config`.
    pub(super) fn new(config: SkeinConfig<H, Backend>, j: usize, raw: bool) -> Self {
        let mut leaf = config.hasher();
        if !raw {
            leaf.update(JLANES.leaf(j as u32, WORD).fill(config.block_size()));
        }
        Self { config, lanes: alloc::vec![leaf; j], total: 0, raw }
    }

    fn restarted(&self) -> Self {
        Self::new(self.config.clone(), self.lanes.len(), self.raw)
    }

    /// The digest of the lanes' digests.
    fn finish(self) -> Box<[u8]> {
        let mut root = self.config.hasher();
        if !self.raw {
            let prefix = JLANES.root(self.lanes.len() as u32, WORD, self.total);
            root.update(prefix.fill(self.config.block_size()));
        }
        for lane in self.lanes {
            root.update(lane.finalize());
        }
        root.finalize()
    }
}

impl<H: SkeinDigest> Clone for SkeinLanes<H>
where
    Backend: Engine<H::Threefish>,
{
    fn clone(&self) -> Self {
        let Self { config, lanes, total, raw } = self;
        Self { config: config.clone(), lanes: lanes.clone(), total: *total, raw: *raw }
    }
}

impl<H> DynDigest for SkeinLanes<H>
where
    H: SkeinDigest + 'static,
    Backend: Engine<H::Threefish>,
{
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
        if out.len() != self.output_size() {
            return Err(InvalidBufferSize);
        }
        out.copy_from_slice(&self.finish());
        Ok(())
    }

    fn finalize_into_reset(&mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        let fresh = self.restarted();
        core::mem::replace(self, fresh).finalize_into(out)
    }

    fn reset(&mut self) {
        *self = self.restarted();
    }

    fn output_size(&self) -> usize {
        self.lanes[0].output_size()
    }

    fn box_clone(&self) -> Box<dyn DynDigest> {
        Box::new(self.clone())
    }
}

impl<H: SkeinDigest> AnyHasher for SkeinLanes<H> where Self: DynDigest + Clone + Send + 'static {}
