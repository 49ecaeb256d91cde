//! SHA-NI: the SHA extensions' rounds, on one stream or on several interleaved ones.
//!
//! One stream is bound by the latency of its rounds and leaves the unit idle half of the time;
//! independent streams fill it. The instructions do not work on lanes, so this is not an
//! [`Isa`](jlanes_core::simd::vector::Isa).

use core::arch::x86_64::*;

use jlanes_core::{
    compression::{RunByteOrder, Shape},
    kernel::{RehashRounds, WholeMessages},
};

use super::Sse41;
#[cfg(feature = "sha1dc")]
use super::sha1dc;
use crate::common::{blocks::Blocks, needs::Needs, token::token};

pub(super) mod ordered;
pub(super) mod sha1;
pub(super) mod sha256;

token! {
    /// The CPU supports the SHA extensions (and SSE4.1).
    ShaNi(Sse41): "shani", Needs::SHANI;
    enables ["sha", "sse4.1", "ssse3"];
    implies [];

    /// SHA-1 on `S` streams, at most three, which fit the registers.
    fn sha1<const S: usize>(
        _shape: &Shape<u32>,
        states: &mut [u32],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u32],
    ) {
        sha1::advance::<S>(states, &Blocks::new(runs, blocks), order, shared);
    }

    /// SHA-1 of `S` digests, again and again.
    fn sha1_rehash<const S: usize>(
        states: &mut [u32],
        starts: &[&[u32]],
        work: &RehashRounds<'_, u32>,
        xor_sum: Option<&mut [u32]>,
    ) {
        sha1::rehash::<S>(states, starts, work, xor_sum);
    }

    /// SHA-1 of one message with detection.
    #[cfg(feature = "sha1dc")]
    fn sha1_checked(
        shape: &Shape<u32>,
        states: &mut [u32],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u32],
    ) {
        sha1dc::advance(ShaNi::new(), shape, states, runs, order, blocks, shared);
    }

    /// SHA-256 on `S` streams, at most three.
    fn sha256<const S: usize>(
        _shape: &Shape<u32>,
        states: &mut [u32],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u32],
    ) {
        let blocks = Blocks::new(runs, blocks);
        sha256::advance::<S>(states, &blocks, shared, |abef, cdgh, blocks| {
            sha256::compress::<S, S, 64, 0>(abef, cdgh, blocks, order);
        });
    }

    /// SHA-256 of whole messages, `S` at a time.
    fn sha256_digests<const S: usize>(work: WholeMessages<'_, '_, u32>) {
        sha256::digest::<S, S, 64>(work, |abef, cdgh, blocks| {
            sha256::compress::<S, S, 64, 1>(abef, cdgh, blocks, RunByteOrder::Message);
        });
    }

    /// SHA-256 of messages of one block, each in two halves, two at a time.
    fn sha256_halves(work: WholeMessages<'_, '_, u32>) {
        sha256::digest::<2, 4, 32>(WholeMessages { blocks: 1, ..work }, |abef, cdgh, blocks| {
            sha256::compress::<2, 4, 32, 1>(abef, cdgh, blocks, RunByteOrder::Message);
        });
    }

    /// SHA-256 of `S` digests, again and again.
    fn sha256_rehash<const S: usize>(
        states: &mut [u32],
        starts: &[&[u32]],
        work: &RehashRounds<'_, u32>,
        xor_sum: Option<&mut [u32]>,
    ) {
        sha256::rehash::<S>(states, starts, work, xor_sum, |abef, cdgh, words| {
            sha256::compress_once(abef, cdgh, words);
        });
    }

    /// SHA-256 on two streams, in an order of instructions for Zen 5.
    fn sha256_ordered(
        _shape: &Shape<u32>,
        states: &mut [u32],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u32],
    ) {
        let blocks = Blocks::new(runs, blocks);
        sha256::advance(states, &blocks, shared, |abef, cdgh, blocks| {
            ordered::compress(ShaNi::new(), abef, cdgh, blocks, order);
        });
    }

    /// SHA-256 of whole messages, two at a time, in that order.
    fn sha256_digests_ordered(work: WholeMessages<'_, '_, u32>) {
        sha256::digest(work, |abef, cdgh, blocks| {
            ordered::compress(ShaNi::new(), abef, cdgh, blocks, RunByteOrder::Message);
        });
    }
}

impl ShaNi {
    /// The proof that the vectors take.
    #[inline(always)]
    pub(super) fn proof(self) -> Sse41 {
        self.0.0
    }
}

/// Block `b` of every stream, a run or two halves, as sixteen words in four registers, with bytes shuffled by `order`.
/// It must be inlined: a call in the loop over the blocks would spill the streams' variables.
#[inline(always)]
fn load<const S: usize, const R: usize, const N: usize>(
    unit: ShaNi,
    blocks: &Blocks<'_, R, N>,
    b: usize,
    order: __m128i,
) -> [[__m128i; 4]; S] {
    blocks.prefetch_ahead(b, super::prefetch);
    let mut w = [[order; 4]; S];
    // The first words of all streams come first: three streams have more variables than registers. Loaded one
    // stream after the other, they take 6 % longer.
    for i in 0..4 {
        for s in 0..S {
            let (run, quarter) = Blocks::<R, N>::part::<16>(4 * s + i);
            let quarters: &[[u8; 16]] = blocks.get(run, b).as_chunks().0;
            w[s][i] = load_words(unit, &quarters[quarter], order);
        }
    }
    w
}

/// The words of `bytes`, shuffled by `order`.
#[inline(always)]
pub(super) fn load_words(_: ShaNi, bytes: &[u8; 16], order: __m128i) -> __m128i {
    // SAFETY: SSE2 is part of x86-64; 16 bytes are readable there, at any alignment.
    let words = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
    // SAFETY: the token stands for SSSE3.
    unsafe { _mm_shuffle_epi8(words, order) }
}

/// The shuffle that puts the words of a register in order, the first one lowest.
#[inline(always)]
pub(super) fn byte_shuffle(_: ShaNi, order: RunByteOrder) -> __m128i {
    let (high, low) = match order {
        RunByteOrder::Message => (0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203),
        RunByteOrder::Native => (0x0f0e_0d0c_0b0a_0908, 0x0706_0504_0302_0100),
    };
    // SAFETY: SSE2 is part of x86-64.
    unsafe { _mm_set_epi64x(high, low) }
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn load4(words: &[u32; 4]) -> __m128i {
    // SAFETY: 16 bytes are readable in `[u32; 4]`, at any alignment.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn store_bytes(bytes: &mut [u8; 16], value: __m128i) {
    // SAFETY: 16 bytes are writable in `[u8; 16]`, at any alignment.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn store4(words: &mut [u32; 4], value: __m128i) {
    // SAFETY: 16 bytes are writable in `[u32; 4]`, at any alignment.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), value) }
}
