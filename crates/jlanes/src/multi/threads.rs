//! Threads for batches: a batch is split into parts, which run in parallel if that gains time.

use jlanes_core::{kernel::Kernels, simd::vector::Word};
#[cfg(feature = "rayon")]
use {
    jlanes_core::function::batch_work::BatchWork,
    jlanes_tree::join::Join,
    std::{sync::Mutex, vec::Vec},
};

/// The threads that a batch runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    /// In one part, on the calling thread.
    One,
    /// On rayon's pool, in as many parts as gain time.
    #[cfg(feature = "rayon")]
    Rayon,
}

impl Threads {
    /// Calls `job` with parts of `out` and the index of the first message of each. A message has `width`
    /// elements of `out`, and takes `blocks(i, its elements)` blocks on `kernels`.
    #[inline]
    #[cfg_attr(not(feature = "rayon"), allow(unused_variables))] // there is one part
    pub(crate) fn for_each_part<W: Word, T: Send>(
        self,
        kernels: impl FnOnce() -> Kernels<W>,
        blocks: &dyn Fn(usize, &[T]) -> u64,
        (out, width): (&mut [T], usize),
        job: impl Fn(usize, &mut [T]) + Sync,
    ) {
        match self {
            Self::One => job(0, out),
            #[cfg(feature = "rayon")]
            Self::Rayon => {
                let kernels = kernels();
                let part_count = |work: BatchWork, threads| work.parts(&kernels, threads);
                let lanes_and_block = (kernels.lanes_to_fill(), kernels.shape.block_bytes);
                run_parts(lanes_and_block, &part_count, blocks, (out, width), &job);
            }
        }
    }
}

/// The size in bytes from which on a batch is split if the caller is outside the pool. The pool's threads
/// may be asleep then, and waking one takes 15 to 60 µs, or several hundred on an idle virtual CPU.
#[cfg(feature = "rayon")]
const MIN_WAKING_BYTES: usize = 2 << 20;

/// Splits a batch into the number of parts that `part_count` returns for the number of threads, and
/// calls `job` with each.
#[cfg(feature = "rayon")]
fn run_parts<T: Send>(
    (lanes, block): (usize, usize),
    part_count: &dyn Fn(BatchWork, usize) -> usize,
    blocks: &dyn Fn(usize, &[T]) -> u64,
    (out, width): (&mut [T], usize),
    job: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    let work = out.chunks_exact(width).enumerate();
    let work = work.fold(BatchWork::default(), |work, (i, out)| work.with(blocks(i, out)));
    let outside_pool = rayon::current_thread_index().is_none();
    let threads = match work.shared_bytes(block) {
        ..MIN_WAKING_BYTES if outside_pool => 1,
        bytes => Join::Rayon.threads(bytes),
    };
    let count = part_count(work, threads);
    if count == 1 {
        return job(0, out);
    }
    let part_blocks = work.blocks.div_ceil(count as u64);
    let mut parts = split_into_parts(lanes, part_blocks, blocks, (out, width));
    let left = Mutex::new(parts.iter_mut());
    let next = || left.lock().expect("no part is hashed with the lock").next();
    run_here_and_on_pool(threads.min(count) - 1, &|| {
        while let Some((first, out)) = next() {
            job(*first, out);
        }
    });
}

/// Calls `work` on this thread, and on `others` of rayon's pool as they get free. With `rayon::join`, a thread
/// outside the pool would do none of the work: it waits until a thread of the pool has woken up and done it.
#[cfg(feature = "rayon")]
#[inline(never)] // compiled once
fn run_here_and_on_pool(others: usize, work: &(dyn Fn() + Sync)) {
    rayon::in_place_scope(|scope| {
        for _ in 0..others {
            scope.spawn(|_| work());
        }
        work();
    });
}

/// Splits a batch into parts of about `part_blocks` blocks, with full lanes if there are enough messages;
/// each with the index of its first message.
#[cfg(feature = "rayon")]
fn split_into_parts<'o, T>(
    lanes: usize,
    part_blocks: u64,
    blocks: &dyn Fn(usize, &[T]) -> u64,
    (mut out, width): (&'o mut [T], usize),
) -> Vec<(usize, &'o mut [T])> {
    let mut parts = Vec::new();
    let mut first = 0;
    while !out.is_empty() {
        let left = out.len() / width;
        let (mut at, mut taken) = (0, 0);
        while at < left && taken < part_blocks {
            taken += blocks(first + at, &out[at * width..][..width]);
            at += 1;
        }
        if left >= 2 * lanes {
            at = at.next_multiple_of(lanes);
            if left < at + lanes {
                at = left;
            }
        }
        let (part, rest) = out.split_at_mut(at * width);
        parts.push((first, part));
        first += at;
        out = rest;
    }
    parts
}
