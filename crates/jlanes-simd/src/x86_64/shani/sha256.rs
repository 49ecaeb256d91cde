//! SHA-256 with `sha256rnds2`: two rounds with a latency of 4 cycles and a throughput of one every
//! 2 or 3 cycles.

use core::{arch::x86_64::*, hint::black_box};

use jlanes_core::{
    compression::{ContiguousDigests, RunByteOrder},
    hashes::sha2::consts::K32,
    kernel::{MAX_GROUPS, RehashRounds, WholeMessages},
};

use super::{ShaNi, byte_shuffle, load, load4, store_bytes, store4};
use crate::common::blocks::{self, Blocks};

/// One half of the state of each stream.
pub(in super::super) type Halves<const S: usize> = [__m128i; S];

/// Advances `S` interleaved streams by `blocks`, then by the block with `W_t + K_t` in `shared`, if
/// any.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn advance<const S: usize>(
    states: &mut [u32],
    blocks: &Blocks<'_, S, 64>,
    shared: &[u32],
    compress: impl Fn(&mut Halves<S>, &mut Halves<S>, &Blocks<'_, S, 64>),
) {
    let states = blocks::states::<_, S, 8>(states);
    let pairs = states.each_ref().map(|state| to_pairs(state));
    let (mut abef, mut cdgh) = (pairs.map(|pair| pair.0), pairs.map(|pair| pair.1));
    compress(&mut abef, &mut cdgh, blocks);
    advance_shared(&mut abef, &mut cdgh, shared);
    for s in 0..S {
        from_pairs(&mut states[s], abef[s], cdgh[s]);
    }
}

/// Hashes whole messages from their start to their digests, `S` at a time. They are listed as `R` runs, of one block or
/// a half.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn digest<const S: usize, const R: usize, const N: usize>(
    work: WholeMessages<'_, '_, u32>,
    compress: impl Fn(&mut Halves<S>, &mut Halves<S>, &Blocks<'_, R, N>),
) {
    let WholeMessages { messages, start, blocks, shared, digests } = work;
    let ContiguousDigests { bytes: mut digests, size } = digests;
    let Some(start) = start.first_chunk() else { unreachable!("eight words") };
    let (abef, cdgh) = to_pairs(start);
    // reversed, the bytes of words are in order again
    let order = byte_shuffle(ShaNi::new(), RunByteOrder::Message);
    for messages in messages.as_chunks::<R>().0 {
        let (mut abef, mut cdgh) = ([abef; S], [cdgh; S]);
        compress(&mut abef, &mut cdgh, &Blocks::new(messages, blocks));
        advance_shared(&mut abef, &mut cdgh, shared);
        for s in 0..S {
            let (out, rest) = digests.split_at_mut(size);
            digests = rest;
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

/// Advances the halves of the states by the blocks, in the compiler's order. Each caller passes a number of
/// its own and so gets an instance of its own: two callers would share one, with the states in memory (two
/// streams on Zen 3: 80 cycles a block instead of 75).
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn compress<
    const S: usize,
    const R: usize,
    const N: usize,
    const CALLER: u8,
>(
    abef: &mut Halves<S>,
    cdgh: &mut Halves<S>,
    blocks: &Blocks<'_, R, N>,
    order: RunByteOrder,
) {
    let unit = ShaNi::new();
    let order = byte_shuffle(unit, order);
    // The length is hidden from the optimiser, which would unroll the rounds and compute the whole
    // schedule before them; that spills the state (6 % on one stream).
    let scheduled: &[[u32; 16]] = black_box(&K32.as_chunks().0[..3]);
    for b in 0..blocks.count() {
        compress_words::<S, CALLER>(abef, cdgh, load(unit, blocks, b, order), scheduled);
    }
}

/// Advances the halves of the states by one block each, as sixteen words in four registers.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn compress_words<const S: usize, const CALLER: u8>(
    abef: &mut Halves<S>,
    cdgh: &mut Halves<S>,
    mut w: [[__m128i; 4]; S],
    scheduled: &[[u32; 16]],
) {
    let (abef_in, cdgh_in) = (*abef, *cdgh);
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

/// Advances the halves of the states by the words of one block each.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn compress_once<const S: usize>(
    abef: &mut Halves<S>,
    cdgh: &mut Halves<S>,
    words: [[__m128i; 4]; S],
) {
    // hidden as in `compress`
    let scheduled: &[[u32; 16]] = black_box(&K32.as_chunks().0[..3]);
    compress_words::<S, 3>(abef, cdgh, words, scheduled);
}

/// Hashes the digests in `states` again, `S` at a time, with `compress` for the words of one block. The
/// groups of `S` take turns, because the end of a hash leaves the unit idle: its digest is the start of
/// the next block.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn rehash<const S: usize>(
    states: &mut [u32],
    starts: &[&[u32]],
    work: &RehashRounds<'_, u32>,
    xor_sum: Option<&mut [u32]>,
    compress: impl Fn(&mut Halves<S>, &mut Halves<S>, [[__m128i; 4]; S]),
) {
    let states: &mut [[u32; 8]] = states.as_chunks_mut().0;
    let zero = _mm_setzero_si128();
    let around = BlockAroundDigest::new(work);
    let mut groups =
        [Group { starts: [([zero; S], [zero; S]); 2], digests: [[zero; 2]; S] }; MAX_GROUPS];
    let groups = &mut groups[..states.len() / S];
    let mut xors = [[[zero; 2]; S]; MAX_GROUPS];
    for (g, group) in groups.iter_mut().enumerate() {
        for (start, (abef, cdgh)) in starts.iter().zip(&mut group.starts) {
            let start: &[[u32; 8]] = start.as_chunks().0;
            for s in 0..S {
                (abef[s], cdgh[s]) = to_pairs(&start[g * S + s]);
            }
        }
        for s in 0..S {
            group.digests[s] = load_state(&states[g * S + s]);
        }
    }
    for _ in 0..work.rounds {
        for number in 0..starts.len() {
            for Group { starts, digests } in &mut *groups {
                let (mut abef, mut cdgh) = starts[number];
                let mut words = [around.words; S];
                for s in 0..S {
                    around.put(digests[s], &mut words[s]);
                }
                compress(&mut abef, &mut cdgh, words);
                for s in 0..S {
                    digests[s] = in_order(abef[s], cdgh[s]).into();
                }
            }
        }
        for (group, xors) in groups.iter().zip(&mut xors) {
            for s in 0..S {
                for i in 0..2 {
                    xors[s][i] = _mm_xor_si128(xors[s][i], group.digests[s][i]);
                }
            }
        }
    }
    for (g, group) in groups.iter().enumerate() {
        for s in 0..S {
            store_state(&mut states[g * S + s], group.digests[s]);
        }
    }
    if let Some(xor_sum) = xor_sum {
        for (to, xors) in xor_sum.as_chunks_mut().0.iter_mut().zip(xors.as_flattened()) {
            store_state(to, *xors);
        }
    }
}

/// The words of blocks, in memory.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn store_words<const S: usize>(words: [[__m128i; 4]; S]) -> [[u8; 64]; S] {
    let mut blocks = [[0; 64]; S];
    for (to, words) in
        blocks.as_flattened_mut().as_chunks_mut().0.iter_mut().zip(words.as_flattened())
    {
        store_bytes(to, *words);
    }
    blocks
}

/// Streams that are hashed together.
#[derive(Clone, Copy)]
struct Group<const S: usize> {
    /// The states from which the hashes of a round start.
    starts: [(Halves<S>, Halves<S>); 2],
    digests: [[__m128i; 2]; S],
}

/// A block around a digest of up to eight words.
struct BlockAroundDigest {
    /// The words, with zeros in place of the digest.
    words: [__m128i; 4],
    /// The bits of the digest in the first words.
    masks: [__m128i; 2],
}

impl BlockAroundDigest {
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn new(work: &RehashRounds<'_, u32>) -> Self {
        let Some(block) = work.block.first_chunk::<16>() else { unreachable!("sixteen words") };
        let mut masks = [0; 8];
        masks[..work.digest_words].fill(u32::MAX);
        if let Some(mask) = work.last_mask {
            masks[work.digest_words - 1] = mask;
        }
        let (block, masks) = (block.as_chunks().0, masks.as_chunks().0);
        Self {
            words: [load4(&block[0]), load4(&block[1]), load4(&block[2]), load4(&block[3])],
            masks: [load4(&masks[0]), load4(&masks[1])],
        }
    }

    /// Puts a digest into the words of its block.
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn put(&self, digest: [__m128i; 2], words: &mut [__m128i; 4]) {
        for i in 0..2 {
            words[i] = _mm_or_si128(_mm_and_si128(digest[i], self.masks[i]), self.words[i]);
        }
    }
}

/// Advances streams by the block with `W_t + K_t` in `shared`, if any.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn advance_shared<const S: usize>(
    abef: &mut [__m128i; S],
    cdgh: &mut [__m128i; S],
    shared: &[u32],
) {
    if shared.is_empty() {
        return;
    }
    let (abef_in, cdgh_in) = (*abef, *cdgh);
    for kw in shared.as_chunks::<4>().0 {
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
    let [abcd, efgh] = load_state(state);
    let badc = _mm_shuffle_epi32::<0xb1>(abcd);
    let hgfe = _mm_shuffle_epi32::<0x1b>(efgh);
    (_mm_alignr_epi8::<8>(badc, hgfe), _mm_blend_epi16::<0xf0>(hgfe, badc))
}

/// The inverse of [`to_pairs`].
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn from_pairs(state: &mut [u32; 8], abef: __m128i, cdgh: __m128i) {
    store_state(state, in_order(abef, cdgh).into());
}

/// The words of a state.
#[inline]
#[target_feature(enable = "sse4.1")]
fn load_state(state: &[u32; 8]) -> [__m128i; 2] {
    let [abcd, efgh] = state.as_chunks().0 else { unreachable!("eight words") };
    [load4(abcd), load4(efgh)]
}

/// The inverse of [`load_state`].
#[inline]
#[target_feature(enable = "sse4.1")]
fn store_state(state: &mut [u32; 8], words: [__m128i; 2]) {
    let [abcd, efgh] = state.as_chunks_mut().0 else { unreachable!("eight words") };
    store4(abcd, words[0]);
    store4(efgh, words[1]);
}

/// (a, b, c, d) and (e, f, g, h), first word first.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(in super::super) fn in_order(abef: __m128i, cdgh: __m128i) -> (__m128i, __m128i) {
    let abef = _mm_shuffle_epi32::<0x1b>(abef);
    let ghcd = _mm_shuffle_epi32::<0xb1>(cdgh);
    (_mm_blend_epi16::<0xf0>(abef, ghcd), _mm_alignr_epi8::<8>(ghcd, abef))
}
