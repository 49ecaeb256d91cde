//! Where the blocks of interleaved streams come from.

use jlanes_core::layout::Interleaved;

use super::vector::prefetch;

/// How far ahead of a stream its cache lines are asked for, in bytes: the hardware's own prefetcher
/// stops at the end of a page.
pub(super) const AHEAD: usize = 4096;
/// Bytes that are asked for at once.
const BATCH: usize = 1024;

/// The blocks of `S` streams.
#[derive(Clone, Copy)]
pub(crate) enum Feed<'a, const S: usize> {
    /// A run of blocks a stream.
    Runs([&'a [u8]; S]),
    /// The words of one message, dealt out in turn.
    Interleaved(Interleaved<'a>),
}

impl<const S: usize> Feed<'_, S> {
    /// Asks for what a single long stream reads later. To be called before block `b` of `blocks`
    /// blocks of `BLOCK` bytes.
    #[inline(always)]
    pub(super) fn look_ahead<const BLOCK: usize>(&self, b: usize, blocks: usize) {
        if let Self::Runs(runs) = self
            && S == 1
            && b.is_multiple_of(BATCH / BLOCK)
            && (blocks - b) * BLOCK >= AHEAD + BATCH
        {
            for line in 0..BATCH / 64 {
                prefetch(runs[0], b * BLOCK + AHEAD + line * 64);
            }
        }
    }
}
