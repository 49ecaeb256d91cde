//! Repeated hashing of digests within the lanes: chains, double digests, the outer hash of HMAC,
//! the rounds of PBKDF2.
//!
//! A digest is the first words of a state, and the next block is those words plus constant padding.
//! So a kernel writes its states where the next block's words are.

use super::messages::vectors::{VectorRunner, with_storage};
use crate::{
    compression::{ContiguousDigests, LaneRange, LaneStart, LaneStates, Rows},
    hash::Descriptor,
    kernel::{
        AdvanceFn, AdvanceFusedFn, BlockInput, FedKernel, FusedOutput, FusedWork, KernelCode,
        Kernels, VectorKernelCode, plan::InputKind,
    },
    simd::{
        runs::Runs,
        vector::{Array, Word},
    },
};

pub(crate) mod block;
mod streams;
mod work;

pub use block::{DigestBlock, OuterHash};
pub use work::{RehashDigests, RehashWork};
use work::{put_words, xor_words};

impl<W: Word> Kernels<W> {
    /// Hashes contiguous digests once more.
    pub(super) fn rehash_digests(&self, outer: &OuterHash<W>, digests: ContiguousDigests<'_>) {
        let (block, starts) = (&outer.block, &[LaneStart::Same(outer.start())]);
        let live = digests.bytes.len() / digests.size;
        let digests = RehashDigests::Bytes(digests);
        self.rehash(RehashWork { digests, block, starts, rounds: 1, xor_sum: None, live });
    }

    /// Hashes the digests of all lanes.
    pub fn rehash(&self, mut work: RehashWork<'_, W>) {
        let live = work.live;
        self.for_each_kernel(InputKind::Short, live, false, |kernel, lanes| match &kernel.code {
            KernelCode::Vectors(vectors) => {
                let runner = VectorRunner { shape: self.shape, kernel, vectors };
                for group in lanes.steps(kernel.lanes) {
                    rehash_group(runner, &mut work, group);
                }
            }
            KernelCode::Streams(streams) => {
                streams::run(self.shape, (streams, kernel.lanes), &mut work, lanes);
            }
        });
    }
}

/// Hashes the digests of `lanes`, at most as many as the kernel has.
fn rehash_group<W: Word>(
    runner: VectorRunner<'_, W>,
    work: &mut RehashWork<'_, W>,
    lanes: LaneRange,
) {
    let (shape, width, LaneRange { first, .. }) = (runner.shape, runner.kernel.lanes, lanes);
    // states take the place of blocks
    let size = shape.block_words.max(shape.state_words) * width;
    with_storage(2 * size, &mut |storage| {
        let (now, next) = storage.split_at_mut(size);
        work.digests_into(shape, lanes, &mut LaneStates::new(now, width));
        let starts = [0, 1]
            .map(|i| work.starts.get(i).map_or(LaneStart::Own, |start| start.skip_lanes(first)));
        let starts = &starts[..work.starts.len()];
        let done = match runner.vectors.code {
            VectorKernelCode::Fused(fused) => {
                rehash_fused(runner, fused, work, starts, lanes, [&mut *now, next]);
                &*now
            }
            VectorKernelCode::Fed(FedKernel { advance, .. }) => {
                rehash_fed(runner, advance, work, starts, lanes, [&mut *now, &mut *next])
            }
        };
        match &mut work.digests {
            RehashDigests::Bytes(bytes) | RehashDigests::StatesToBytes(_, bytes) => {
                runner.write_digests(Rows { words: done, stride: width }, bytes.of_lanes(lanes));
            }
            RehashDigests::States(states) => {
                for i in 0..work.block.digest_words {
                    let row = &mut states.row_mut(i, first)[..lanes.len()];
                    row.copy_from_slice(&done[i * width..][..lanes.len()]);
                }
            }
        }
        crate::wipe::words(storage);
    });
}

/// [`rehash_group`] in one call of a fused kernel, which keeps the digests in registers. The second space
/// is for their exclusive or.
fn rehash_fused<W: Word>(
    runner: VectorRunner<'_, W>,
    fused: AdvanceFusedFn<W>,
    work: &mut RehashWork<'_, W>,
    starts: &[LaneStart<'_, W>],
    lanes: LaneRange,
    [states, xor_sum]: [&mut [W]; 2],
) {
    let width = runner.kernel.lanes;
    let xor_sum = &mut xor_sum[..runner.shape.state_words * width];
    let runs = Runs::new(&[]);
    let wanted = work.xor_sum.is_some().then_some(&mut *xor_sum);
    let mut fused_work = FusedWork {
        rehash: Some(work.block.rehash_rounds(starts, work.rounds)),
        output: FusedOutput { digests: None, xor_sum: wanted },
        ..FusedWork::new(runner.shape, BlockInput::whole(&runs, 0))
    };
    fused(LaneStart::Own, states, width, &mut fused_work);
    if let Some(all) = &mut work.xor_sum {
        for i in 0..work.block.digest_words {
            let all = &mut all.row_mut(i, lanes.first)[..lanes.len()];
            xor_words(all, &xor_sum[i * width..]);
        }
    }
}

/// [`rehash_group`] with two blocks in lanes' order: one is read while the other is written. Returns the
/// last one, which begins with the digests.
fn rehash_fed<'r, W: Word>(
    runner: VectorRunner<'_, W>,
    advance: AdvanceFn<W>,
    work: &mut RehashWork<'_, W>,
    starts: &[LaneStart<'_, W>],
    lanes: LaneRange,
    [mut now, mut next]: [&'r mut [W]; 2],
) -> &'r [W] {
    let (shape, width) = (runner.shape, runner.kernel.lanes);
    let block = work.block;
    for rows in [&mut *now, &mut *next] {
        for (i, word) in block.words().iter().enumerate().skip(block.digest_words) {
            rows[i * width..][..width].fill(*word);
        }
    }
    for _ in 0..work.rounds {
        for start in starts {
            block.restore_padding(now, width);
            let words = &now[..shape.block_words * width];
            advance(shape, *start, next, width, words, 1);
            (now, next) = (next, now);
        }
        if let Some(xor_sum) = &mut work.xor_sum {
            for i in 0..block.digest_words {
                let row = &mut xor_sum.row_mut(i, lanes.first)[..lanes.len()];
                xor_words(row, &now[i * width..]);
            }
        }
    }
    now
}

/// Writes the words of a digest into lane `lane` of `states`.
pub fn put_digest<W: Word>(
    hash: &Descriptor<W>,
    states: &mut LaneStates<'_, W>,
    lane: usize,
    digest: &[u8],
) {
    put_words(hash.shape.order, states, lane, digest);
}

/// Writes the digest in lane `lane` of `states` to `out`.
pub fn get_digest<W: Word>(
    hash: &Descriptor<W>,
    states: &LaneStates<'_, W>,
    lane: usize,
    out: &mut [u8],
) {
    let mut state = W::State::splat(W::default());
    let state = &mut state.as_mut()[..hash.shape.state_words];
    states.get_into(lane, state);
    (hash.output)(state, out);
}
