//! SHA-1 with `sha1rnds4`.

use core::arch::x86_64::*;

use jlanes_core::{
    compression::RunByteOrder,
    kernel::{MAX_GROUPS, RehashRounds},
};

use super::{ShaNi, byte_shuffle, load, load4, store4};
use crate::common::blocks::{self, Blocks};

/// Advances `S` interleaved streams by `blocks`, then by the block with `W_t` in `shared`, if any.
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(super) fn advance<const S: usize>(
    states: &mut [u32],
    blocks: &Blocks<'_, S, 64>,
    order: RunByteOrder,
    shared: &[u32],
) {
    let unit = ShaNi::new();
    let states = blocks::states::<_, S, 5>(states);
    let mut streams = [Stream { abcd: _mm_setzero_si128(), e: _mm_setzero_si128() }; S];
    for s in 0..S {
        streams[s] = Stream::load(&states[s]);
    }
    // the first word in the last lane, in the same shuffle
    let order = reverse(byte_shuffle(unit, order));
    for b in 0..blocks.count() {
        compress(&mut streams, &mut load(unit, blocks, b, order));
    }
    if !shared.is_empty() {
        let Ok(shared) = shared.try_into() else { unreachable!("eighty words") };
        let before = streams;
        shared_stage::<0, S>(&mut streams, shared);
        shared_stage::<1, S>(&mut streams, shared);
        shared_stage::<2, S>(&mut streams, shared);
        shared_stage::<3, S>(&mut streams, shared);
        for s in 0..S {
            streams[s].feed_forward(&before[s]);
        }
    }
    for s in 0..S {
        streams[s].store(&mut states[s]);
    }
}

/// Hashes the digests in `states` again, `S` at a time. The groups of `S` take turns, because the end of a
/// hash leaves the unit idle.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(super) fn rehash<const S: usize>(
    states: &mut [u32],
    starts: &[&[u32]],
    work: &RehashRounds<'_, u32>,
    xor_sum: Option<&mut [u32]>,
) {
    assert!(work.digest_words == 5 && work.last_mask.is_none(), "a digest is the whole state");
    let states: &mut [[u32; 5]] = states.as_chunks_mut().0;
    let zero = Stream { abcd: _mm_setzero_si128(), e: _mm_setzero_si128() };
    let mut groups = [Group { starts: [[zero; S]; 2], digests: [zero; S] }; MAX_GROUPS];
    let groups = &mut groups[..states.len() / S];
    let mut xors = [[zero; S]; MAX_GROUPS];
    for (g, group) in groups.iter_mut().enumerate() {
        for (start, streams) in starts.iter().zip(&mut group.starts) {
            let start: &[[u32; 5]] = start.as_chunks().0;
            for s in 0..S {
                streams[s] = Stream::load(&start[g * S + s]);
            }
        }
        for s in 0..S {
            group.digests[s] = Stream::load(&states[g * S + s]);
        }
    }
    let Some(block) = work.block.first_chunk::<16>() else { unreachable!("sixteen words") };
    let quads: &[[u32; 4]] = block.as_chunks().0;
    let [second, third, fourth] =
        [reverse(load4(&quads[1])), reverse(load4(&quads[2])), reverse(load4(&quads[3]))];
    for _ in 0..work.rounds {
        for number in 0..starts.len() {
            for Group { starts, digests } in &mut *groups {
                let mut w = [[second, second, third, fourth]; S];
                for s in 0..S {
                    w[s][0] = digests[s].abcd;
                    w[s][1] = _mm_or_si128(digests[s].e, second);
                }
                *digests = starts[number];
                compress(digests, &mut w);
            }
        }
        for (group, xors) in groups.iter().zip(&mut xors) {
            for s in 0..S {
                xors[s].abcd = _mm_xor_si128(xors[s].abcd, group.digests[s].abcd);
                xors[s].e = _mm_xor_si128(xors[s].e, group.digests[s].e);
            }
        }
    }
    for (g, group) in groups.iter().enumerate() {
        for s in 0..S {
            group.digests[s].store(&mut states[g * S + s]);
        }
    }
    if let Some(xor_sum) = xor_sum {
        for (to, xors) in xor_sum.as_chunks_mut().0.iter_mut().zip(xors.as_flattened()) {
            xors.store(to);
        }
    }
}

/// Streams that are hashed together.
#[derive(Clone, Copy)]
struct Group<const S: usize> {
    /// The states from which the hashes of a round start.
    starts: [[Stream; S]; 2],
    digests: [Stream; S],
}

/// Advances every stream by the words of a block.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn compress<const S: usize>(streams: &mut [Stream; S], w: &mut [[__m128i; 4]; S]) {
    let before = *streams;
    stage::<0, S>(streams, w);
    stage::<1, S>(streams, w);
    stage::<2, S>(streams, w);
    stage::<3, S>(streams, w);
    for s in 0..S {
        streams[s].feed_forward(&before[s]);
    }
}

/// The working variables of one stream.
#[derive(Clone, Copy)]
pub(in crate::x86_64) struct Stream {
    /// `a`, `b`, `c`, `d`, the first in the last lane.
    pub(in crate::x86_64) abcd: __m128i,
    /// Before the first rounds, `e` in the last lane; later the `abcd` of four rounds ago: its `a`,
    /// rotated, is `e`.
    e: __m128i,
}

impl Stream {
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    pub(in crate::x86_64) fn load(state: &[u32; 5]) -> Self {
        let [abcd @ .., e] = state;
        Self { abcd: reverse(load4(abcd)), e: _mm_set_epi32(*e as i32, 0, 0, 0) }
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    pub(in crate::x86_64) fn store(self, state: &mut [u32; 5]) {
        let [abcd @ .., e] = state;
        store4(abcd, reverse(self.abcd));
        *e = _mm_extract_epi32::<3>(self.e) as u32;
    }

    /// Four rounds with the words `w`, the first of them in the last lane.
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    pub(in crate::x86_64) fn rounds4<const STAGE: i32>(&mut self, first: bool, w: __m128i) {
        let e = if first { _mm_add_epi32(self.e, w) } else { _mm_sha1nexte_epu32(self.e, w) };
        self.e = self.abcd;
        self.abcd = _mm_sha1rnds4_epu32::<STAGE>(self.abcd, e);
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    pub(in crate::x86_64) fn feed_forward(&mut self, before: &Self) {
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
            streams[s].rounds4::<STAGE>(quad == 0, w[s][quad % 4]);
            if quad < 16 {
                schedule(&mut w[s], quad);
            }
        }
    }
}

/// Replaces the four words of `quad` by those sixteen steps later.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in crate::x86_64) fn schedule(w: &mut [__m128i; 4], quad: usize) {
    let [w0, w1, w2, w3] = [w[quad % 4], w[(quad + 1) % 4], w[(quad + 2) % 4], w[(quad + 3) % 4]];
    let far = _mm_xor_si128(_mm_sha1msg1_epu32(w0, w1), w2);
    w[quad % 4] = _mm_sha1msg2_epu32(far, w3);
}

/// [`stage`] over a shared schedule.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn shared_stage<const STAGE: i32, const S: usize>(streams: &mut [Stream; S], schedule: &[u32; 80]) {
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
pub(in crate::x86_64) fn reverse(words: __m128i) -> __m128i {
    _mm_shuffle_epi32::<0x1b>(words)
}
