//! Rows of lanes' runs, loaded in pieces of sixteen bytes.

use core::arch::x86_64::{__m128i, _mm_loadu_si128};

use jlanes_core::kernel::feed::Runs;

/// `BYTES` bytes of each of `N` runs.
pub(super) struct LaneRows<'a, const N: usize, const BYTES: usize> {
    runs: &'a [&'a [u8]; N],
    at: usize,
}

impl<'a, const N: usize, const BYTES: usize> LaneRows<'a, N, BYTES> {
    /// The bytes from byte `at` on of the runs from `first` on.
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
}
