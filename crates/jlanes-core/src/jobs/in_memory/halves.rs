//! Messages of two half blocks, such as the two digests of a node, on kernels that read them in place. Copying
//! them together takes a fifth of the time of a node, and reads them all before the first is hashed.

use super::batch::{Batch, PIECES_PER_FILL};
use crate::{
    compression::ContiguousDigests,
    hash::shared_block,
    jobs::hashing::Hashing,
    kernel::{KernelCode, StreamKernel, WholeMessages, plan::InputKind},
    simd::vector::Word,
};

/// The function of a kernel for halves, and its lanes.
type HalvesKernel<W> = (fn(WholeMessages<'_, '_, W>), usize);

impl<W: Word> Hashing<'_, W> {
    /// Hashes messages up to the first that is not two half blocks, in whole calls of the kernel. Returns their
    /// number, which is 0 without such a kernel.
    pub(super) fn digest_halves(&self, messages: &Batch<'_, '_>, out: &mut [u8]) -> usize {
        let Self { kernels, hash, .. } = self;
        if (messages.pieces(), messages.own_pieces()) != (2, 2) || self.outer.is_some() {
            return 0;
        }
        let shared = shared_block::precomputed(hash, self.before + hash.shape.block_bytes as u128);
        let kernel = kernels.kernel(InputKind::Contiguous, messages.len());
        match (kernel.code, shared) {
            (KernelCode::Streams(StreamKernel { halves: Some(halves), .. }), Some(shared)) => {
                let kernel = (halves, kernel.lanes);
                match messages.len() {
                    ..=16 => self.halves_by::<32>(kernel, messages, shared, out),
                    _ => self.halves_by::<512>(kernel, messages, shared, out),
                }
            }
            _ => 0,
        }
    }

    /// [`digest_halves`](Self::digest_halves) with room for `N` of them.
    fn halves_by<const N: usize>(
        &self,
        (digest, lanes): HalvesKernel<W>,
        messages: &Batch<'_, '_>,
        shared: &[W],
        out: &mut [u8],
    ) -> usize {
        let (start, size) = (self.start(), self.digest_bytes);
        let mut halves = [&[] as &[u8]; N];
        let mut done = 0;
        loop {
            let count = (N / 2).min(messages.len() - done) / lanes * lanes;
            let halves = &mut halves[..2 * count];
            for (at, part) in
                (done..).step_by(PIECES_PER_FILL / 2).zip(halves.chunks_mut(PIECES_PER_FILL))
            {
                messages.part_keeping_indices(at..at + part.len() / 2).fill_own_pieces(part);
            }
            // without an exit in the loop, lengths are compared in vectors
            let half = self.hash.shape.block_bytes / 2;
            if count == 0 || halves.iter().fold(0, |differ, run| differ | (run.len() ^ half)) != 0 {
                return done;
            }
            let bytes = &mut out[done * size..][..count * size];
            let digests = ContiguousDigests { bytes, size };
            digest(WholeMessages { messages: halves, start, blocks: 1, shared, digests });
            done += count;
        }
    }
}
