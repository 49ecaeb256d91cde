//! Rows of the runs of lanes, loaded in pieces of 16 or 32 bytes.

use core::arch::x86_64::{__m128i, __m256i, _mm_loadu_si128, _mm256_loadu_si256};

use jlanes_core::simd::runs::Runs;

/// `BYTES` bytes of each of `N` runs.
pub(super) struct LaneRows<'a, const N: usize, const BYTES: usize> {
    runs: &'a [&'a [u8]; N],
    at: usize,
}

impl<'a, const N: usize, const BYTES: usize> LaneRows<'a, N, BYTES> {
    /// The pieces of the runs from `first` on that begin at byte `at`.
    ///
    /// # Panics
    /// If there are fewer runs, or fewer bytes in one of them.
    #[inline(always)]
    pub(super) fn new(runs: &Runs<'a>, first: usize, at: usize) -> Self {
        assert!(at.checked_add(BYTES).is_some_and(|end| end <= runs.shortest()), "whole rows");
        let Some(runs) = runs.runs()[first..].first_chunk() else { panic!("a run per lane") };
        Self { runs, at }
    }

    /// Bytes `16 * piece..16 * piece + 16` of the row `row`.
    #[inline(always)]
    pub(super) fn piece(&self, row: usize, piece: usize) -> __m128i {
        assert!(piece < BYTES / 16);
        let from = self.runs[row].as_ptr().wrapping_add(self.at + 16 * piece);
        // SAFETY: `new` has checked that no run is shorter than `at + BYTES`, and the piece ends
        // within these: the bytes are readable. SSE2 is part of x86-64.
        unsafe { _mm_loadu_si128(from.cast()) }
    }

    /// Bytes `32 * half..32 * half + 32` of the row `row`, for a set with AVX.
    #[inline]
    #[target_feature(enable = "avx")]
    pub(super) fn half(&self, row: usize, half: usize) -> __m256i {
        assert!(half < BYTES / 32);
        let from = self.runs[row].as_ptr().wrapping_add(self.at + 32 * half);
        // SAFETY: as for `piece`: the half ends within the `BYTES` bytes of the row.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }
}
