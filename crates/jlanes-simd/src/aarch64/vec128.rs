//! 128-bit vectors for NEON, alone and with the SHA-3 extension. Both have the same source; the function that
//! it is inlined into determines the instructions.

use core::arch::aarch64::*;

use jlanes_core::simd::vector::SimdWord;

use super::Neon;
use crate::common::vector::vector;

vector! {
    /// Four 32-bit words.
    U32x4: [u32 as u32; 4] in uint32x4_t, proof Neon;
    load load32; store store32; splat vdupq_n_u32; add vaddq_u32;
    xor veorq_u32; and vandq_u32; or vorrq_u32; andnot andnot32;
    rotr rotr32; shr shr32; swap swap32; transpose transpose32;
    vector {
        #[inline(always)]
        fn concat_from(_: Neon, a: Self, b: Self, at: usize) -> Self {
            match at {
                0 => a,
                // SAFETY: a value of this type exists only under NEON.
                1 => Self(unsafe { vextq_u32::<1>(a.0, b.0) }),
                // SAFETY: as above.
                2 => Self(unsafe { vextq_u32::<2>(a.0, b.0) }),
                // SAFETY: as above.
                3 => Self(unsafe { vextq_u32::<3>(a.0, b.0) }),
                _ => panic!("there is no word {at} of a vector"),
            }
        }
    }
}

vector! {
    /// Two 64-bit words.
    U64x2: [u64 as u64; 2] in uint64x2_t, proof Neon;
    load load64; store store64; splat vdupq_n_u64; add vaddq_u64;
    xor veorq_u64; and vandq_u64; or vorrq_u64; andnot andnot64;
    rotr rotr64; shr shr64; swap swap64; transpose transpose64;
    vector {
        #[inline(always)]
        fn concat_from(_: Neon, a: Self, b: Self, at: usize) -> Self {
            match at {
                0 => a,
                // SAFETY: a value of this type exists only under NEON.
                1 => Self(unsafe { vextq_u64::<1>(a.0, b.0) }),
                _ => panic!("there is no word {at} of a vector"),
            }
        }
    }
}

/// # Safety
/// The CPU has NEON, and 16 bytes are readable at `from`, which need not be aligned.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn load32(from: *const u8) -> uint32x4_t {
    // SAFETY: the caller's promise; bytes have no alignment.
    vreinterpretq_u32_u8(unsafe { vld1q_u8(from) })
}

/// # Safety
/// The CPU has NEON, and 16 bytes are writable at `to`, which need not be aligned.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn store32(to: *mut u8, words: uint32x4_t) {
    let bytes = vreinterpretq_u8_u32(words);
    // SAFETY: the caller's promise; bytes have no alignment.
    unsafe { vst1q_u8(to, bytes) }
}

/// # Safety
/// The CPU has NEON, and 16 bytes are readable at `from`, which need not be aligned.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn load64(from: *const u8) -> uint64x2_t {
    // SAFETY: the caller's promise; bytes have no alignment.
    vreinterpretq_u64_u8(unsafe { vld1q_u8(from) })
}

/// # Safety
/// The CPU has NEON, and 16 bytes are writable at `to`, which need not be aligned.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn store64(to: *mut u8, words: uint64x2_t) {
    let bytes = vreinterpretq_u8_u64(words);
    // SAFETY: the caller's promise; bytes have no alignment.
    unsafe { vst1q_u8(to, bytes) }
}

/// `!a & b`: the instruction complements its second operand.
#[inline]
#[target_feature(enable = "neon")]
fn andnot32(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
    vbicq_u32(b, a)
}

/// `!a & b`.
#[inline]
#[target_feature(enable = "neon")]
fn andnot64(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vbicq_u64(b, a)
}

/// A shift to the left, or to the right by a negative number. The instruction takes it in a
/// register; the compiler turns constant ones into immediates.
#[inline(always)]
fn shift32(x: U32x4, left: i32) -> U32x4 {
    // SAFETY: a value of this type exists only under NEON.
    let left = unsafe { vdupq_n_s32(left) };
    // SAFETY: as above.
    U32x4(unsafe { vshlq_u32(x.0, left) })
}

#[inline(always)]
fn shr32(x: U32x4, n: u32) -> U32x4 {
    shift32(x, -(n as i32))
}

#[inline(always)]
fn rotr32(x: U32x4, n: u32) -> U32x4 {
    shr32(x, n).or(shift32(x, (32 - n) as i32))
}

/// A shift to the left, or to the right by a negative number.
#[inline(always)]
fn shift64(x: U64x2, left: i64) -> U64x2 {
    // SAFETY: a value of this type exists only under NEON.
    let left = unsafe { vdupq_n_s64(left) };
    // SAFETY: as above.
    U64x2(unsafe { vshlq_u64(x.0, left) })
}

#[inline(always)]
fn shr64(x: U64x2, n: u32) -> U64x2 {
    shift64(x, -i64::from(n))
}

#[inline(always)]
fn rotr64(x: U64x2, n: u32) -> U64x2 {
    shr64(x, n).or(shift64(x, i64::from(64 - n)))
}

#[inline(always)]
fn swap32(x: U32x4) -> U32x4 {
    // SAFETY: a value of this type exists only under NEON.
    U32x4(unsafe { reverse32(x.0) })
}

#[inline]
#[target_feature(enable = "neon")]
fn reverse32(words: uint32x4_t) -> uint32x4_t {
    vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(words)))
}

#[inline(always)]
fn swap64(x: U64x2) -> U64x2 {
    // SAFETY: a value of this type exists only under NEON.
    U64x2(unsafe { reverse64(x.0) })
}

#[inline]
#[target_feature(enable = "neon")]
fn reverse64(words: uint64x2_t) -> uint64x2_t {
    vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(words)))
}

#[inline(always)]
fn transpose32([a, b, c, d]: [U32x4; 4]) -> [U32x4; 4] {
    // SAFETY: a value of this type exists only under NEON.
    let [a, b, c, d] = unsafe { transpose_raw32([a.0, b.0, c.0, d.0]) };
    [U32x4(a), U32x4(b), U32x4(c), U32x4(d)]
}

#[inline]
#[target_feature(enable = "neon")]
fn transpose_raw32([a, b, c, d]: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
    // the even words of two rows by turns, and the odd ones; then pairs of words in the same way
    let (ab, cd) = (pairs(vtrn1q_u32(a, b)), pairs(vtrn1q_u32(c, d)));
    let (ab_odd, cd_odd) = (pairs(vtrn2q_u32(a, b)), pairs(vtrn2q_u32(c, d)));
    [
        vreinterpretq_u32_u64(vtrn1q_u64(ab, cd)),
        vreinterpretq_u32_u64(vtrn1q_u64(ab_odd, cd_odd)),
        vreinterpretq_u32_u64(vtrn2q_u64(ab, cd)),
        vreinterpretq_u32_u64(vtrn2q_u64(ab_odd, cd_odd)),
    ]
}

#[inline]
#[target_feature(enable = "neon")]
fn pairs(words: uint32x4_t) -> uint64x2_t {
    vreinterpretq_u64_u32(words)
}

#[inline(always)]
fn transpose64([a, b]: [U64x2; 2]) -> [U64x2; 2] {
    // SAFETY: a value of this type exists only under NEON.
    let first = unsafe { vtrn1q_u64(a.0, b.0) };
    // SAFETY: as above.
    let second = unsafe { vtrn2q_u64(a.0, b.0) };
    [U64x2(first), U64x2(second)]
}
