//! Compression of single blocks from one start, without padding: the nodes of trees over a compression
//! function.

use crate::{
    compression::ContiguousDigests,
    jobs::CompiledWord,
    kernel::Kernels,
    lanes::messages::{LaneWork, Route},
};

/// The maximum number of blocks per call of the kernels: several times their lanes.
const RUNS_PER_CALL: usize = 64;
/// The number of blocks up to which a call has room for no more, because it is cleared each time.
const MAX_FEW_BLOCKS: usize = 16;

impl<W: CompiledWord> Kernels<W> {
    /// Compresses one block per chunk of `size` bytes of `out`, each from `start`, and writes the
    /// first bytes of the states.
    pub fn compress_blocks<'a>(
        &self,
        start: &[W],
        block: impl Fn(usize) -> &'a [u8],
        out: &mut [u8],
        size: usize,
    ) {
        if out.len() <= MAX_FEW_BLOCKS * size {
            self.compress_by::<MAX_FEW_BLOCKS>(start, &block, out, size);
        } else {
            self.compress_by::<RUNS_PER_CALL>(start, &block, out, size);
        }
    }

    /// [`compress_blocks`](Self::compress_blocks) in calls of `N` blocks.
    fn compress_by<'a, const N: usize>(
        &self,
        start: &[W],
        block: &dyn Fn(usize) -> &'a [u8],
        out: &mut [u8],
        size: usize,
    ) {
        let mut runs = [&[] as &[u8]; N];
        for (i, out) in out.chunks_mut(N * size).enumerate() {
            let runs = &mut runs[..out.len() / size];
            for (l, run) in runs.iter_mut().enumerate() {
                *run = block(i * N + l);
            }
            let route = Route::start_to_digests(start, ContiguousDigests { bytes: out, size });
            self.advance_messages(LaneWork::new(runs, 1), route);
        }
    }
}
