//! How blocks of one length become digests.

use alloc::vec::Vec;

use jlanes_core::{
    batch::{Start, list},
    engine::Engine,
    hash::Output,
};

use super::NodeHash;
use crate::join::Join;

/// What stands around a block when it is hashed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Bytes before the block. Whole blocks of the hash are absorbed once a batch.
    pub prefix: Vec<u8>,
    /// Bytes after the block.
    pub suffix: Vec<u8>,
    /// Whether the digest is hashed again.
    pub twice: bool,
}

/// Bytes below which a batch is not split among threads: a task costs some microseconds.
const GRAIN: usize = 64 << 10;

/// Parts a thread, so that one that is held up does not hold up the others for long.
const PARTS: usize = 16;

/// Digests that are hashed again together: they fit the first-level cache.
const AGAIN: usize = 64;

impl Frame {
    /// Nothing around the block.
    pub const NONE: Self = Self { prefix: Vec::new(), suffix: Vec::new(), twice: false };

    /// `prefix` before the block.
    #[must_use]
    pub fn prefix(prefix: impl Into<Vec<u8>>) -> Self {
        Self { prefix: prefix.into(), ..Self::NONE }
    }

    /// `suffix` after the block.
    #[must_use]
    pub fn suffix(suffix: impl Into<Vec<u8>>) -> Self {
        Self { suffix: suffix.into(), ..Self::NONE }
    }

    /// Digests `out.len()` blocks of `size` bytes that lie side by side in `blocks`.
    pub(super) fn digest<F, E>(
        &self,
        (engine, join): (E, Join),
        blocks: &[u8],
        size: usize,
        out: &mut [Output<F>],
    ) where
        F: NodeHash,
        E: Engine<F::Compression>,
    {
        let lanes = engine.lanes();
        let count = out.len();
        let grain = GRAIN.div_ceil(size);
        // enough parts to balance the threads, of full lanes; too few blocks for that are dealt out
        let part = if count < lanes * join.threads() {
            count.div_ceil(join.threads()).max(grain)
        } else {
            count.div_ceil(PARTS * join.threads()).max(grain).next_multiple_of(lanes)
        };
        self.split::<F, E>((engine, join), blocks, size, out, part);
    }

    fn split<F, E>(
        &self,
        (engine, join): (E, Join),
        blocks: &[u8],
        size: usize,
        out: &mut [Output<F>],
        part: usize,
    ) where
        F: NodeHash,
        E: Engine<F::Compression>,
    {
        if join.threads() == 1 || out.len() <= part {
            return self.messages::<F, E>(engine, |i| &blocks[i * size..][..size], out);
        }
        let middle = out.len().div_ceil(2 * part) * part;
        let (left, right) = blocks.split_at(middle * size);
        let (left_out, right_out) = out.split_at_mut(middle);
        join.join(
            || self.split::<F, E>((engine, join), left, size, left_out, part),
            || self.split::<F, E>((engine, join), right, size, right_out, part),
        );
    }

    /// Digests `out.len()` blocks of any length.
    pub(super) fn messages<'a, F, E>(
        &'a self,
        engine: E,
        block: impl Fn(usize) -> &'a [u8],
        out: &mut [Output<F>],
    ) where
        F: NodeHash,
        E: Engine<F::Compression>,
    {
        let (start, prefix) = Start::<F>::after(engine, &self.prefix);
        if prefix.is_empty() && self.suffix.is_empty() {
            list::digest(engine, &start, |i| [block(i)], out);
        } else {
            list::digest(engine, &start, |i| [prefix, block(i), &self.suffix], out);
        }
        if self.twice {
            for out in out.chunks_mut(AGAIN) {
                let mut first = [Output::<F>::default(); AGAIN];
                first[..out.len()].copy_from_slice(out);
                list::digest(engine, &Start::<F>::new(), |i| [&first[i]], out);
            }
        }
    }
}
