//! The SHA-1 and SHA-256 instructions (FEAT_SHA1, FEAT_SHA256), on one stream or on several
//! interleaved ones.
//!
//! A single stream waits for the latency of a round instruction, four cycles; two or three fill the unit. The
//! instructions do not work on lanes, so this is not an [`Isa`](jlanes_core::simd::vector::Isa).

use core::arch::aarch64::*;

use jlanes_core::compression::{RunByteOrder, Shape};

use super::Neon;
use crate::common::{blocks::Blocks, needs::Needs, token::token};

mod sha1;
mod sha256;

token! {
    /// The CPU supports the SHA-1 and SHA-256 instructions (and NEON).
    Sha2Ce(Neon): "sha2ce", Needs::SHA2CE;
    enables ["neon", "sha2"];

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

    /// SHA-256 on `S` streams, at most three.
    fn sha256<const S: usize>(
        _shape: &Shape<u32>,
        states: &mut [u32],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u32],
    ) {
        sha256::advance::<S>(states, &Blocks::new(runs, blocks), order, shared);
    }
}

/// Block `b` of every stream, as sixteen words in four registers, with bytes shuffled by `order`.
/// It must be inlined: a call in the loop over the blocks would spill the streams' variables.
#[inline(always)]
fn load<const S: usize>(
    _: Sha2Ce,
    blocks: &Blocks<'_, S, 64>,
    b: usize,
    order: uint8x16_t,
) -> [[uint32x4_t; 4]; S] {
    blocks.prefetch_ahead(b, super::prefetch);
    // SAFETY: the token stands for NEON.
    let zero = unsafe { vdupq_n_u32(0) };
    let mut w = [[zero; 4]; S];
    for i in 0..4 {
        for s in 0..S {
            let quarters: &[[u8; 16]] = blocks.get(s, b).as_chunks().0;
            // SAFETY: the token stands for NEON; 16 bytes are readable there.
            let words = unsafe { vld1q_u8(quarters[i].as_ptr()) };
            // SAFETY: the token stands for NEON.
            let words = unsafe { vqtbl1q_u8(words, order) };
            // SAFETY: as above.
            w[s][i] = unsafe { vreinterpretq_u32_u8(words) };
        }
    }
    w
}

/// The shuffle that puts the words of a register in order.
#[inline]
#[target_feature(enable = "neon")]
fn byte_shuffle(order: RunByteOrder) -> uint8x16_t {
    const MESSAGE: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];
    const NATIVE: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let order = match order {
        RunByteOrder::Message => &MESSAGE,
        RunByteOrder::Native => &NATIVE,
    };
    // SAFETY: 16 bytes are readable in `[u8; 16]`.
    unsafe { vld1q_u8(order.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn load4(words: &[u32; 4]) -> uint32x4_t {
    // SAFETY: four words are readable in `[u32; 4]`, aligned as such.
    unsafe { vld1q_u32(words.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store4(words: &mut [u32; 4], value: uint32x4_t) {
    // SAFETY: four words are writable in `[u32; 4]`, aligned as such.
    unsafe { vst1q_u32(words.as_mut_ptr(), value) }
}
