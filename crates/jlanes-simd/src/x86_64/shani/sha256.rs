//! SHA-256 with `sha256rnds2`: two rounds with a latency of 4 cycles and a throughput of one every
//! 2 or 3 cycles.

use core::{arch::x86_64::*, hint::black_box};

use jlanes_core::{hashes::sha2::consts::K32, kernel::Bytes};

use super::{ShaNi, load, load4, store4, words_of};
use crate::runs::{self, Blocks};

/// Advances `S` interleaved streams by `blocks`, then by the block with `W_t + K_t` in `last`, if
/// any.
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(super) fn advance<const S: usize>(
    states: &mut [u32],
    blocks: &Blocks<'_, S, 64>,
    bytes: Bytes,
    last: &[u32],
) {
    let unit = ShaNi::new();
    let states = runs::states::<_, S, 8>(states);
    let mut abef = [_mm_setzero_si128(); S];
    let mut cdgh = abef;
    for s in 0..S {
        (abef[s], cdgh[s]) = to_pairs(&states[s]);
    }
    let order = words_of(unit, bytes);
    // The length is hidden from the optimiser, which would unroll the rounds and compute the whole
    // schedule before them; that spills the state (6 % on one stream).
    let scheduled: &[[u32; 16]] = black_box(&K32.as_chunks().0[..3]);
    for b in 0..blocks.count() {
        let (abef_in, cdgh_in) = (abef, cdgh);
        let mut w = load(unit, blocks, b, order);
        for k in scheduled {
            for i in 0..4 {
                let k = load4(&k.as_chunks().0[i]);
                for s in 0..S {
                    let w = &mut w[s];
                    rounds4(&mut abef[s], &mut cdgh[s], _mm_add_epi32(w[i], k));
                    w[i] = schedule(w[i], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]);
                }
            }
        }
        for i in 0..4 {
            let k = load4(&K32.as_chunks().0[12 + i]);
            for s in 0..S {
                rounds4(&mut abef[s], &mut cdgh[s], _mm_add_epi32(w[s][i], k));
            }
        }
        for s in 0..S {
            abef[s] = _mm_add_epi32(abef[s], abef_in[s]);
            cdgh[s] = _mm_add_epi32(cdgh[s], cdgh_in[s]);
        }
    }
    advance_shared(&mut abef, &mut cdgh, last);
    for s in 0..S {
        from_pairs(&mut states[s], abef[s], cdgh[s]);
    }
}

/// Advances streams by the block with `W_t + K_t` in `last`, if any.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn advance_shared<const S: usize>(abef: &mut [__m128i; S], cdgh: &mut [__m128i; S], last: &[u32]) {
    if last.is_empty() {
        return;
    }
    let (abef_in, cdgh_in) = (*abef, *cdgh);
    for kw in last.as_chunks::<4>().0 {
        let kw = load4(kw);
        for s in 0..S {
            rounds4(&mut abef[s], &mut cdgh[s], kw);
        }
    }
    for s in 0..S {
        abef[s] = _mm_add_epi32(abef[s], abef_in[s]);
        cdgh[s] = _mm_add_epi32(cdgh[s], cdgh_in[s]);
    }
}

/// [`advance`] with another loop over the blocks: `compress` gets the halves of the states.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn advance_ordered<const S: usize>(
    states: &mut [u32],
    blocks: &Blocks<'_, S, 64>,
    bytes: Bytes,
    last: &[u32],
    compress: impl FnOnce(&mut [__m128i; S], &mut [__m128i; S]),
) {
    if cfg!(miri) {
        // Miri does not run assembly
        return advance(states, blocks, bytes, last);
    }
    let states = runs::states::<_, S, 8>(states);
    let pairs = states.each_ref().map(|state| to_pairs(state));
    let (mut abef, mut cdgh) = (pairs.map(|pair| pair.0), pairs.map(|pair| pair.1));
    compress(&mut abef, &mut cdgh);
    advance_shared(&mut abef, &mut cdgh, last);
    for s in 0..S {
        from_pairs(&mut states[s], abef[s], cdgh[s]);
    }
}

/// Four rounds of one stream.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn rounds4(abef: &mut __m128i, cdgh: &mut __m128i, kw: __m128i) {
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, kw);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32::<0x0e>(kw));
}

/// The four schedule words after `w0..w3`, sixteen words in four registers.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn schedule(w0: __m128i, w1: __m128i, w2: __m128i, w3: __m128i) -> __m128i {
    let seven_back = _mm_alignr_epi8::<4>(w3, w2);
    _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), seven_back), w3)
}

/// The chaining value in the order of `sha256rnds2`: (a, b, e, f) and (c, d, g, h), last word first.
/// Whole 16-byte loads and stores: narrower ones would wait for each other between two calls.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn to_pairs(state: &[u32; 8]) -> (__m128i, __m128i) {
    let [abcd, efgh] = state.as_chunks().0 else { unreachable!("eight words") };
    let badc = _mm_shuffle_epi32::<0xb1>(load4(abcd));
    let hgfe = _mm_shuffle_epi32::<0x1b>(load4(efgh));
    (_mm_alignr_epi8::<8>(badc, hgfe), _mm_blend_epi16::<0xf0>(hgfe, badc))
}

/// The inverse of [`to_pairs`].
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn from_pairs(state: &mut [u32; 8], abef: __m128i, cdgh: __m128i) {
    let [abcd, efgh] = state.as_chunks_mut().0 else { unreachable!("eight words") };
    let words = in_order(abef, cdgh);
    store4(abcd, words.0);
    store4(efgh, words.1);
}

/// (a, b, c, d) and (e, f, g, h), first word first.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn in_order(abef: __m128i, cdgh: __m128i) -> (__m128i, __m128i) {
    let abef = _mm_shuffle_epi32::<0x1b>(abef);
    let ghcd = _mm_shuffle_epi32::<0xb1>(cdgh);
    (_mm_blend_epi16::<0xf0>(abef, ghcd), _mm_alignr_epi8::<8>(ghcd, abef))
}
