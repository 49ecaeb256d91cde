//! [`Blocks`]: the blocks of several streams, for kernels with instructions for rounds, and their prefetching.

use core::slice;

/// The prefetch distance in bytes: more than a page, because the hardware prefetcher stops at the end of one.
const AHEAD_BYTES: usize = 4096;
/// Bytes that are prefetched at once.
const PREFETCHED_BYTES: usize = 1024;

/// Blocks of `N` bytes of each of `S` streams.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a, const S: usize, const N: usize> {
    runs: [&'a [[u8; N]]; S],
    count: usize,
}

impl<'a, const S: usize, const N: usize> Blocks<'a, S, N> {
    /// The first `count` blocks of each of the first `S` runs.
    ///
    /// # Panics
    /// If there are fewer runs, or one of them is shorter.
    #[inline(always)]
    pub(crate) fn new(runs: &[&'a [u8]], count: usize) -> Self {
        let mut blocks = [&[][..]; S];
        for s in 0..S {
            blocks[s] = &runs[s].as_chunks().0[..count];
        }
        Self { runs: blocks, count }
    }

    /// One block of each stream.
    #[inline(always)]
    #[allow(dead_code)] // as for `part`
    pub(crate) fn of_one_each(blocks: &'a [[u8; N]; S]) -> Self {
        let mut runs = [&[][..]; S];
        for s in 0..S {
            runs[s] = slice::from_ref(&blocks[s]);
        }
        Self { runs, count: 1 }
    }

    /// The number of blocks of each stream.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Block `b` of stream `s`.
    #[inline(always)]
    pub(crate) fn get(&self, s: usize, b: usize) -> &'a [u8; N] {
        &self.runs[s][b]
    }

    /// The run of part number `i` of all streams' blocks, of `P` bytes each, and its number there.
    #[inline(always)]
    #[allow(dead_code)] // only x86-64 has kernels of blocks in two runs
    pub(crate) fn part<const P: usize>(i: usize) -> (usize, usize) {
        (i / (N / P), i % (N / P))
    }

    /// The next `most` blocks of stream `s` from block `b` on, or fewer at its end.
    #[inline(always)]
    #[allow(dead_code)] // only x86-64 has a kernel that takes several
    pub(crate) fn next_blocks(&self, s: usize, b: usize, most: usize) -> &'a [[u8; N]] {
        &self.runs[s][b..self.count.min(b + most)]
    }

    /// Prefetches bytes ahead of block `b`, for a single long stream; other streams are most likely in the
    /// cache. Not beyond the end, which may be unmapped: such a prefetch walks the page tables in vain.
    #[inline(always)]
    pub(crate) fn prefetch_ahead(&self, b: usize, prefetch: impl Fn(&[u8], usize)) {
        let at = b * N;
        if S == 1
            && at.is_multiple_of(PREFETCHED_BYTES)
            && (self.count - b) * N >= AHEAD_BYTES + PREFETCHED_BYTES
        {
            for line in (0..PREFETCHED_BYTES).step_by(64) {
                prefetch(self.runs[0].as_flattened(), at + AHEAD_BYTES + line);
            }
        }
    }
}

/// The states of `S` streams of `N` words each.
///
/// # Panics
/// If there are fewer states.
#[inline(always)]
pub(crate) fn states<W, const S: usize, const N: usize>(states: &mut [W]) -> &mut [[W; N]; S] {
    let Some(states) = states.as_chunks_mut().0.first_chunk_mut() else {
        panic!("a state for every stream")
    };
    states
}
