//! SHA-1 with `sha1rnds4`.

use core::arch::x86_64::*;

use jlanes_core::kernel::Bytes;

use super::{ShaNi, load, load4, store4, words_of};
use crate::runs::{self, Blocks};

/// Advances `S` interleaved streams by `blocks`, then by the block with `W_t` in `last`, if any.
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(super) fn advance<const S: usize>(
    states: &mut [u32],
    blocks: &Blocks<'_, S, 64>,
    bytes: Bytes,
    last: &[u32],
) {
    let unit = ShaNi::new();
    let states = runs::states::<_, S, 5>(states);
    let mut streams = [Stream { abcd: _mm_setzero_si128(), e: _mm_setzero_si128() }; S];
    for s in 0..S {
        streams[s] = Stream::load(&states[s]);
    }
    // the first word in the last lane, in the same shuffle
    let order = reverse(words_of(unit, bytes));
    for b in 0..blocks.count() {
        let before = streams;
        let mut w = load(unit, blocks, b, order);
        stage::<0, S>(&mut streams, &mut w);
        stage::<1, S>(&mut streams, &mut w);
        stage::<2, S>(&mut streams, &mut w);
        stage::<3, S>(&mut streams, &mut w);
        for s in 0..S {
            streams[s].feed_forward(&before[s]);
        }
    }
    if let Ok(last) = last.try_into() {
        let before = streams;
        expanded_stage::<0, S>(&mut streams, last);
        expanded_stage::<1, S>(&mut streams, last);
        expanded_stage::<2, S>(&mut streams, last);
        expanded_stage::<3, S>(&mut streams, last);
        for s in 0..S {
            streams[s].feed_forward(&before[s]);
        }
    }
    for s in 0..S {
        streams[s].store(&mut states[s]);
    }
}

/// The working variables of one stream.
#[derive(Clone, Copy)]
struct Stream {
    /// `a`, `b`, `c`, `d`, the first in the last lane.
    abcd: __m128i,
    /// Before the first rounds, `e` in the last lane; later the `abcd` of four rounds ago: its `a`,
    /// rotated, is `e`.
    e: __m128i,
}

impl Stream {
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn load(state: &[u32; 5]) -> Self {
        let [abcd @ .., e] = state;
        Self { abcd: reverse(load4(abcd)), e: _mm_set_epi32(*e as i32, 0, 0, 0) }
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn store(self, state: &mut [u32; 5]) {
        let [abcd @ .., e] = state;
        store4(abcd, reverse(self.abcd));
        *e = _mm_extract_epi32::<3>(self.e) as u32;
    }

    /// Four rounds with the words `w`, the first of them in the last lane.
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn rounds4<const STAGE: i32>(&mut self, first: bool, w: __m128i) {
        let e = if first { _mm_add_epi32(self.e, w) } else { _mm_sha1nexte_epu32(self.e, w) };
        self.e = self.abcd;
        self.abcd = _mm_sha1rnds4_epu32::<STAGE>(self.abcd, e);
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn feed_forward(&mut self, before: &Self) {
        self.e = _mm_sha1nexte_epu32(self.e, before.e);
        self.abcd = _mm_add_epi32(self.abcd, before.abcd);
    }
}

/// Twenty rounds of every stream, and the following schedule; `w` is a ring of four registers.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn stage<const STAGE: i32, const S: usize>(streams: &mut [Stream; S], w: &mut [[__m128i; 4]; S]) {
    for i in 0..5 {
        let quad = 5 * STAGE as usize + i;
        for s in 0..S {
            let w = &mut w[s];
            let [w0, w1, w2, w3] =
                [w[quad % 4], w[(quad + 1) % 4], w[(quad + 2) % 4], w[(quad + 3) % 4]];
            streams[s].rounds4::<STAGE>(quad == 0, w0);
            if quad < 16 {
                let far = _mm_xor_si128(_mm_sha1msg1_epu32(w0, w1), w2);
                w[quad % 4] = _mm_sha1msg2_epu32(far, w3);
            }
        }
    }
}

/// [`stage`] over a shared schedule.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn expanded_stage<const STAGE: i32, const S: usize>(
    streams: &mut [Stream; S],
    schedule: &[u32; 80],
) {
    let quads = schedule.as_chunks().0;
    for quad in 5 * STAGE as usize..5 * STAGE as usize + 5 {
        let w = reverse(load4(&quads[quad]));
        for s in 0..S {
            streams[s].rounds4::<STAGE>(quad == 0, w);
        }
    }
}

/// The four words in reverse order: SHA-1's instructions take the first word in the last lane.
#[inline]
#[target_feature(enable = "sse4.1")]
fn reverse(words: __m128i) -> __m128i {
    _mm_shuffle_epi32::<0x1b>(words)
}
