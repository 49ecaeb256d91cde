//! 128-bit vectors of simd128.

// `vector!` wraps every intrinsic in an `unsafe` block; here only those of memory are unsafe.
#![allow(unused_unsafe)]

use core::{arch::wasm32::*, hint::black_box};

use jlanes_core::simd::vector::SimdWord;

use super::Simd128;
use crate::common::vector::vector;

vector! {
    /// Four 32-bit words.
    U32x4: [u32 as u32; 4] in v128, proof Simd128;
    load v128_load; store v128_store; splat splat32; add u32x4_add;
    xor v128_xor; and v128_and; or v128_or; andnot andnot;
    rotr rotr32; shr shr32; swap swap32; transpose transpose32;
    lanes {
        // mixing functions side by side take twice as long (BLAKE3, Node 20, Zen 4)
        const FEW_REGISTERS: bool = true;
    }
    vector {
        #[inline(always)]
        fn concat_from(_: Simd128, a: Self, b: Self, at: usize) -> Self {
            match at {
                0 => a,
                1 => Self(u32x4_shuffle::<1, 2, 3, 4>(a.0, b.0)),
                2 => Self(u32x4_shuffle::<2, 3, 4, 5>(a.0, b.0)),
                3 => Self(u32x4_shuffle::<3, 4, 5, 6>(a.0, b.0)),
                _ => panic!("there is no word {at} of a vector"),
            }
        }
    }
}

vector! {
    /// Two 64-bit words.
    U64x2: [u64 as u64; 2] in v128, proof Simd128;
    load v128_load; store v128_store; splat splat64; add u64x2_add;
    xor v128_xor; and v128_and; or v128_or; andnot andnot;
    rotr rotr64; shr shr64; swap swap64; transpose transpose64;
    vector {
        #[inline(always)]
        fn concat_from(_: Simd128, a: Self, b: Self, at: usize) -> Self {
            match at {
                0 => a,
                1 => Self(u64x2_shuffle::<1, 2>(a.0, b.0)),
                _ => panic!("there is no word {at} of a vector"),
            }
        }
    }
}

/// The word goes through memory, from where one instruction loads it into all lanes. V8 would make a constant
/// vector by three instructions, and then spill it: MD5 would take a quarter longer (Node 20).
#[inline(always)]
fn splat32(word: u32) -> v128 {
    u32x4_splat(black_box(word))
}

/// See [`splat32`].
#[inline(always)]
fn splat64(word: u64) -> v128 {
    u64x2_splat(black_box(word))
}

/// `!a & b`: the instruction complements its second operand.
#[inline(always)]
fn andnot(a: v128, b: v128) -> v128 {
    v128_andnot(b, a)
}

#[inline(always)]
fn shr32(x: U32x4, n: u32) -> U32x4 {
    U32x4(u32x4_shr(x.0, n))
}

#[inline(always)]
fn rotr32(x: U32x4, n: u32) -> U32x4 {
    if n == 16 {
        // a shuffle of halves of words: V8 would load the constant of a shuffle of bytes each time
        return U32x4(u16x8_shuffle::<1, 0, 3, 2, 5, 4, 7, 6>(x.0, x.0));
    }
    shr32(x, n).or(U32x4(u32x4_shl(x.0, 32 - n)))
}

#[inline(always)]
fn shr64(x: U64x2, n: u32) -> U64x2 {
    U64x2(u64x2_shr(x.0, n))
}

#[inline(always)]
fn rotr64(x: U64x2, n: u32) -> U64x2 {
    shr64(x, n).or(U64x2(u64x2_shl(x.0, 64 - n)))
}

#[inline(always)]
fn swap32(x: U32x4) -> U32x4 {
    U32x4(u8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(x.0, x.0))
}

#[inline(always)]
fn swap64(x: U64x2) -> U64x2 {
    U64x2(u8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(x.0, x.0))
}

#[inline(always)]
fn transpose32([a, b, c, d]: [U32x4; 4]) -> [U32x4; 4] {
    // the low and the high words of two rows by turns, then pairs of words in the same way
    let (ab, cd) = (lo32(a.0, b.0), lo32(c.0, d.0));
    let (ab_high, cd_high) = (hi32(a.0, b.0), hi32(c.0, d.0));
    [lo64(ab, cd), hi64(ab, cd), lo64(ab_high, cd_high), hi64(ab_high, cd_high)].map(U32x4)
}

#[inline(always)]
fn transpose64([a, b]: [U64x2; 2]) -> [U64x2; 2] {
    [U64x2(lo64(a.0, b.0)), U64x2(hi64(a.0, b.0))]
}

#[inline(always)]
fn lo32(a: v128, b: v128) -> v128 {
    u32x4_shuffle::<0, 4, 1, 5>(a, b)
}

#[inline(always)]
fn hi32(a: v128, b: v128) -> v128 {
    u32x4_shuffle::<2, 6, 3, 7>(a, b)
}

#[inline(always)]
fn lo64(a: v128, b: v128) -> v128 {
    u64x2_shuffle::<0, 2>(a, b)
}

#[inline(always)]
fn hi64(a: v128, b: v128) -> v128 {
    u64x2_shuffle::<1, 3>(a, b)
}
