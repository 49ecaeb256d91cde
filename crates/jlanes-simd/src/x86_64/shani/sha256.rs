//! SHA-256 with `sha256rnds2`: two rounds with a latency of 4 cycles and a throughput of one every
//! 2 or 3 cycles.

use core::{arch::x86_64::*, hint::black_box};

use jlanes_core::{
    hashes::sha2::consts::K32,
    kernel::{Bytes, WholeMessages},
};

use super::{ShaNi, load, load4, store_bytes, store4, words_of};
use crate::runs::{self, Blocks};

/// One half of the state of each stream.
pub(in super::super) type Halves<const S: usize> = [__m128i; S];

/// Advances `S` interleaved streams by `blocks`, then by the block with `W_t + K_t` in `last`, if
/// any.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn advance<const S: usize>(
    states: &mut [u32],
    blocks: &Blocks<'_, S, 64>,
    last: &[u32],
    compress: impl Fn(&mut Halves<S>, &mut Halves<S>, &Blocks<'_, S, 64>),
) {
    let states = runs::states::<_, S, 8>(states);
    let pairs = states.each_ref().map(|state| to_pairs(state));
    let (mut abef, mut cdgh) = (pairs.map(|pair| pair.0), pairs.map(|pair| pair.1));
    compress(&mut abef, &mut cdgh, blocks);
    advance_shared(&mut abef, &mut cdgh, last);
    for s in 0..S {
        from_pairs(&mut states[s], abef[s], cdgh[s]);
    }
}

/// Messages from their start to their digests, `S` at a time.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn digest<const S: usize>(
    work: WholeMessages<'_, '_, u32>,
    compress: impl Fn(&mut Halves<S>, &mut Halves<S>, &Blocks<'_, S, 64>),
) {
    let WholeMessages { messages, start, blocks, last, digests } = work;
    let size = digests.len() / messages.len();
    let Some(start) = start.first_chunk() else { unreachable!("eight words") };
    let (abef, cdgh) = to_pairs(start);
    // reversed, the bytes of words are in order again
    let order = words_of(ShaNi::new(), Bytes::Message);
    for (messages, out) in messages.chunks_exact(S).zip(digests.chunks_exact_mut(S * size)) {
        let (mut abef, mut cdgh) = ([abef; S], [cdgh; S]);
        compress(&mut abef, &mut cdgh, &Blocks::new(messages, blocks));
        advance_shared(&mut abef, &mut cdgh, last);
        for (s, out) in out.chunks_exact_mut(size).enumerate() {
            let (abcd, efgh) = in_order(abef[s], cdgh[s]);
            let (abcd, efgh) = (_mm_shuffle_epi8(abcd, order), _mm_shuffle_epi8(efgh, order));
            if let ([first, second], []) = out.as_chunks_mut() {
                store_bytes(first, abcd);
                store_bytes(second, efgh);
            } else {
                let mut digest = [[0; 16]; 2];
                store_bytes(&mut digest[0], abcd);
                store_bytes(&mut digest[1], efgh);
                out.copy_from_slice(&digest.as_flattened()[..size]);
            }
        }
    }
}

/// Advances the halves of the states by the blocks, in the compiler's order. Each caller has a number
/// of its own, and so an instance of its own: two callers would share one, with the states in memory
/// (two streams: 80 cycles a block instead of 75 on a Zen 3).
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn compress<const S: usize, const CALLER: u8>(
    abef: &mut Halves<S>,
    cdgh: &mut Halves<S>,
    blocks: &Blocks<'_, S, 64>,
    bytes: Bytes,
) {
    let unit = ShaNi::new();
    let order = words_of(unit, bytes);
    // The length is hidden from the optimiser, which would unroll the rounds and compute the whole
    // schedule before them; that spills the state (6 % on one stream).
    let scheduled: &[[u32; 16]] = black_box(&K32.as_chunks().0[..3]);
    for b in 0..blocks.count() {
        let (abef_in, cdgh_in) = (*abef, *cdgh);
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
