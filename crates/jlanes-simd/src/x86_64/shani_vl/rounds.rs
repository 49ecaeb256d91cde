//! The rounds, by SHA-NI: four streams at a time, which hide the latency of `sha256rnds2`.

use core::arch::x86_64::*;

use super::{super::ShaNi, FourWords, STREAMS, Words};

/// The states of four streams, in the order of `sha256rnds2`.
#[derive(Clone, Copy)]
pub(super) struct States {
    pub(super) abef: [__m128i; STREAMS],
    pub(super) cdgh: [__m128i; STREAMS],
}

impl States {
    #[inline(always)]
    pub(super) fn zero(_: ShaNi) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        let zero = unsafe { _mm_setzero_si128() };
        Self { abef: [zero; STREAMS], cdgh: [zero; STREAMS] }
    }
}

/// Two of four rounds of the four streams of a half, the last two with `upper`. It must be inlined: a call
/// would spill the states.
#[inline(always)]
pub(super) fn rounds(unit: ShaNi, half: usize, set: &mut States, words: &FourWords, upper: bool) {
    for s in 0..STREAMS {
        let [low, high] = words[s][half].as_chunks().0 else { unreachable!("four words") };
        // two loads instead of a shuffle, because load ports are free
        if upper {
            set.abef[s] = two_rounds(unit, set.abef[s], set.cdgh[s], load2(unit, high));
        } else {
            set.cdgh[s] = two_rounds(unit, set.cdgh[s], set.abef[s], load2(unit, low));
        }
    }
}

#[inline(always)]
fn two_rounds(_: ShaNi, cdgh: __m128i, abef: __m128i, kw: __m128i) -> __m128i {
    // SAFETY: the token stands for the SHA extensions.
    unsafe { _mm_sha256rnds2_epu32(cdgh, abef, kw) }
}

/// Two words, and zeros.
#[inline(always)]
fn load2(_: ShaNi, words: &[u32; 2]) -> __m128i {
    // SAFETY: SSE2 is part of x86-64; 8 bytes are readable in `[u32; 2]`, at any alignment.
    unsafe { _mm_loadl_epi64(words.as_ptr().cast()) }
}

/// All rounds of a half, without schedules.
///
/// # Safety
/// All words were stored.
#[inline(always)]
pub(super) unsafe fn all_rounds(unit: ShaNi, half: usize, set: &mut States, words: &Words) {
    let mut after = *set;
    for g in 0..16 {
        // SAFETY: the caller's condition.
        let words = unsafe { words.four(g) };
        rounds(unit, half, &mut after, words, false);
        rounds(unit, half, &mut after, words, true);
    }
    feed_forward(set, &after);
}

/// The rounds of a shared block.
#[inline(always)]
pub(super) fn shared_block(unit: ShaNi, set: &mut States, shared: &[u32]) {
    let mut after = *set;
    for kw in shared.as_chunks().0 {
        shared_rounds(unit, &mut after, kw);
    }
    feed_forward(set, &after);
}

/// Four rounds of a shared block.
#[inline(always)]
pub(super) fn shared_rounds(unit: ShaNi, set: &mut States, kw: &[u32; 4]) {
    let [low, high] = kw.as_chunks().0 else { unreachable!("four words") };
    let (low, high) = (load2(unit, low), load2(unit, high));
    for s in 0..STREAMS {
        set.cdgh[s] = two_rounds(unit, set.cdgh[s], set.abef[s], low);
    }
    for s in 0..STREAMS {
        set.abef[s] = two_rounds(unit, set.abef[s], set.cdgh[s], high);
    }
}

#[inline(always)]
pub(super) fn feed_forward(set: &mut States, after: &States) {
    for s in 0..STREAMS {
        // SAFETY: SSE2 is part of x86-64.
        set.abef[s] = unsafe { _mm_add_epi32(set.abef[s], after.abef[s]) };
        // SAFETY: as above.
        set.cdgh[s] = unsafe { _mm_add_epi32(set.cdgh[s], after.cdgh[s]) };
    }
}
