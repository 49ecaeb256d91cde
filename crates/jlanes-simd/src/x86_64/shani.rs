//! SHA-NI: the SHA extensions' rounds, on one stream or on several interleaved ones.
//!
//! `sha256rnds2` does two rounds with a latency of 4 cycles but can start every 2 or 3, so that one
//! stream leaves the unit idle half of the time: independent streams fill it. Not lane-shaped, so
//! this is no [`Isa`](jlanes_core::isa::Isa).

use core::{arch::x86_64::*, hint::black_box};

use jlanes_core::{layout::Interleaved, sha2::consts::K32};

mod feed;

use feed::Feed;

/// The CPU has the SHA extensions (and SSE4.1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShaNi(());

impl ShaNi {
    /// # Safety
    /// The features of [`sha256`](Self::sha256)'s inner function have been detected.
    pub(super) const unsafe fn assume() -> Self {
        Self(())
    }

    /// Advances `S` interleaved streams of SHA-256 by `blocks` blocks each, then by the block whose
    /// `W_t + K_t` are `last`, if that is not empty.
    ///
    /// # Panics
    /// If one of `data` is shorter.
    pub(crate) fn sha256<const S: usize>(
        self,
        states: &mut [[u32; 8]; S],
        data: [&[u8]; S],
        blocks: usize,
        last: &[u32],
    ) {
        let mut streams = [&[] as &[[u8; 64]]; S];
        for s in 0..S {
            streams[s] = &data[s].as_chunks().0[..blocks];
        }
        // SAFETY: a token exists only where these features have been detected.
        unsafe { sha256_streams(states, Feed::Runs(streams), blocks, last) }
    }

    /// [`sha256`](Self::sha256) for the first `S` lanes of `rows`.
    ///
    /// # Panics
    /// If there are fewer rows.
    pub(crate) fn sha256_rows<const S: usize>(
        self,
        states: &mut [[u32; 8]; S],
        rows: Interleaved<'_>,
        blocks: usize,
        last: &[u32],
    ) {
        // SAFETY: a token exists only where these features have been detected.
        unsafe { sha256_streams(states, Feed::Interleaved(rows), blocks, last) }
    }
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn sha256_streams<const S: usize>(
    states: &mut [[u32; 8]; S],
    feed: Feed<'_, S>,
    blocks: usize,
    last: &[u32],
) {
    let mut abef = [_mm_setzero_si128(); S];
    let mut cdgh = abef;
    for s in 0..S {
        (abef[s], cdgh[s]) = to_pairs(&states[s]);
    }
    // The length is hidden from the optimiser: it would unroll the rounds and compute the whole
    // schedule before them, which pushes the state out of its registers (6 % on one stream).
    let scheduled: &[[u32; 16]] = black_box(&K32.as_chunks().0[..3]);
    for b in 0..blocks {
        let (abef_in, cdgh_in) = (abef, cdgh);
        let mut w = feed.load(b, blocks);
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
    if let Some(last) = last.first_chunk::<64>() {
        let (abef_in, cdgh_in) = (abef, cdgh);
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

#[inline]
#[target_feature(enable = "sse4.1")]
fn load4(words: &[u32; 4]) -> __m128i {
    // SAFETY: 16 bytes are readable in `[u32; 4]`, at any alignment.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
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
fn to_pairs(state: &[u32; 8]) -> (__m128i, __m128i) {
    let [abcd, efgh] = state.as_chunks().0 else { unreachable!("eight words") };
    let badc = _mm_shuffle_epi32::<0xb1>(load4(abcd));
    let hgfe = _mm_shuffle_epi32::<0x1b>(load4(efgh));
    (_mm_alignr_epi8::<8>(badc, hgfe), _mm_blend_epi16::<0xf0>(hgfe, badc))
}

/// The inverse of [`to_pairs`].
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn from_pairs(state: &mut [u32; 8], abef: __m128i, cdgh: __m128i) {
    let abef = _mm_shuffle_epi32::<0x1b>(abef);
    let ghcd = _mm_shuffle_epi32::<0xb1>(cdgh);
    let [abcd, efgh] = state.as_chunks_mut().0 else { unreachable!("eight words") };
    store4(abcd, _mm_blend_epi16::<0xf0>(abef, ghcd));
    store4(efgh, _mm_alignr_epi8::<8>(ghcd, abef));
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn store4(words: &mut [u32; 4], value: __m128i) {
    // SAFETY: 16 bytes are writable in `[u32; 4]`, at any alignment.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), value) }
}
