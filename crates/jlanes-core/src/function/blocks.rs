//! Compression of single blocks from one start, without padding: the nodes of trees over a compression
//! function.

use crate::{
    compression::ContiguousDigests,
    jobs::Jobs,
    kernel::Kernels,
    lanes::messages::{LaneWork, Route},
};

/// The maximum number of blocks per call of the kernels: several times their lanes.
const RUNS_PER_CALL: usize = 64;

impl<W: Jobs> Kernels<W> {
    /// Compresses one block per chunk of `size` bytes of `out`, each from `start`, and writes the
    /// first bytes of the states.
    pub fn compress_blocks<'a>(
        &self,
        start: &[W],
        block: impl Fn(usize) -> &'a [u8],
        out: &mut [u8],
        size: usize,
    ) {
        let mut runs = [&[] as &[u8]; RUNS_PER_CALL];
        for (i, out) in out.chunks_mut(RUNS_PER_CALL * size).enumerate() {
            let runs = &mut runs[..out.len() / size];
            for (l, run) in runs.iter_mut().enumerate() {
                *run = block(i * RUNS_PER_CALL + l);
            }
            let route = Route::start_to_digests(start, ContiguousDigests { bytes: out, size });
            self.absorb_messages(LaneWork::new(runs, 1), route);
        }
    }
}
