//! 128-bit vectors for SSE4.1 and AVX. The source is the same for both; the trampoline that it is
//! inlined into determines the encoding.

use core::arch::x86_64::*;

use jlanes_core::simd::vector::SimdWord;

use super::Sse41;
use crate::common::vector::vector;

vector! {
    /// Four 32-bit words.
    U32x4: [u32 as i32; 4] in __m128i, proof Sse41;
    load _mm_loadu_si128; store _mm_storeu_si128; splat _mm_set1_epi32; add _mm_add_epi32;
    xor _mm_xor_si128; and _mm_and_si128; or _mm_or_si128; andnot _mm_andnot_si128;
    rotr rotr32; shr shr32; swap swap32; transpose transpose32;
    vector {
        #[inline(always)]
        fn concat_from(_: Sse41, a: Self, b: Self, at: usize) -> Self {
            Self(concat_from(a.0, b.0, 4 * at))
        }
    }
}

vector! {
    /// Two 64-bit words.
    U64x2: [u64 as i64; 2] in __m128i, proof Sse41;
    load _mm_loadu_si128; store _mm_storeu_si128; splat _mm_set1_epi64x; add _mm_add_epi64;
    xor _mm_xor_si128; and _mm_and_si128; or _mm_or_si128; andnot _mm_andnot_si128;
    rotr rotr64; shr shr64; swap swap64; transpose transpose64;
    vector {
        #[inline(always)]
        fn concat_from(_: Sse41, a: Self, b: Self, at: usize) -> Self {
            Self(concat_from(a.0, b.0, 8 * at))
        }
    }
}

impl U32x4 {
    /// As `U64x4::xor_rotr`.
    #[cfg(any(test, feature = "blake2"))]
    #[inline(always)]
    pub(super) fn xor_rotr(self, late: Self, n: u32) -> Self {
        let early = opaque(opaque(shl32(self, 32 - n)).xor(self.shr(n)));
        opaque(Self::xor3(early, opaque(shl32(late, 32 - n)), late.shr(n)))
    }
}

/// The same value, which the compiler does not see through.
#[cfg(any(test, feature = "blake2"))]
#[inline(always)]
fn opaque(mut x: U32x4) -> U32x4 {
    if !cfg!(miri) {
        // SAFETY: there is no instruction, only a register that the compiler has to fill.
        unsafe {
            core::arch::asm!(
                "/* {} */", inout(xmm_reg) x.0, options(pure, nomem, nostack, preserves_flags),
            );
        }
    }
    x
}

/// A shift count. The shifts take it in a register; constant ones are folded into immediates.
#[inline(always)]
fn shift_count(n: u32) -> __m128i {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { _mm_cvtsi32_si128(n as i32) }
}

#[inline(always)]
fn shr32(x: U32x4, n: u32) -> U32x4 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x4(unsafe { _mm_srl_epi32(x.0, shift_count(n)) })
}

#[inline(always)]
fn shl32(x: U32x4, n: u32) -> U32x4 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x4(unsafe { _mm_sll_epi32(x.0, shift_count(n)) })
}

#[inline(always)]
fn rotr32(x: U32x4, n: u32) -> U32x4 {
    shr32(x, n).or(shl32(x, 32 - n))
}

#[inline(always)]
fn shr64(x: U64x2, n: u32) -> U64x2 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U64x2(unsafe { _mm_srl_epi64(x.0, shift_count(n)) })
}

#[inline(always)]
fn shl64(x: U64x2, n: u32) -> U64x2 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U64x2(unsafe { _mm_sll_epi64(x.0, shift_count(n)) })
}

#[inline(always)]
fn rotr64(x: U64x2, n: u32) -> U64x2 {
    shr64(x, n).or(shl64(x, 64 - n))
}

#[inline(always)]
fn swap32(x: U32x4) -> U32x4 {
    // SAFETY: SSE2 is part of x86-64.
    let reverse = unsafe { _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203) };
    // SAFETY: `x` exists only under SSE4.1; its token also checks SSSE3.
    U32x4(unsafe { _mm_shuffle_epi8(x.0, reverse) })
}

#[inline(always)]
fn swap64(x: U64x2) -> U64x2 {
    // SAFETY: SSE2 is part of x86-64.
    let reverse = unsafe { _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607) };
    // SAFETY: `x` exists only under SSE4.1; its token also checks SSSE3.
    U64x2(unsafe { _mm_shuffle_epi8(x.0, reverse) })
}

/// The bytes of `a` from index `at` on, followed by the first of `b`. Called for values of this
/// file's types.
#[inline(always)]
fn concat_from(a: __m128i, b: __m128i, at: usize) -> __m128i {
    match at {
        0 => a,
        // SAFETY: values of this file's types exist only under SSE4.1; its token checks SSSE3.
        4 => unsafe { _mm_alignr_epi8::<4>(b, a) },
        // SAFETY: as above.
        8 => unsafe { _mm_alignr_epi8::<8>(b, a) },
        // SAFETY: as above.
        12 => unsafe { _mm_alignr_epi8::<12>(b, a) },
        _ => panic!("{at} is no word of a vector"),
    }
}

#[inline(always)]
fn lo32(a: U32x4, b: U32x4) -> U32x4 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x4(unsafe { _mm_unpacklo_epi32(a.0, b.0) })
}

#[inline(always)]
fn hi32(a: U32x4, b: U32x4) -> U32x4 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x4(unsafe { _mm_unpackhi_epi32(a.0, b.0) })
}

#[inline(always)]
fn lo64(a: U32x4, b: U32x4) -> U32x4 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x4(unsafe { _mm_unpacklo_epi64(a.0, b.0) })
}

#[inline(always)]
fn hi64(a: U32x4, b: U32x4) -> U32x4 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x4(unsafe { _mm_unpackhi_epi64(a.0, b.0) })
}

#[inline(always)]
fn transpose32([a, b, c, d]: [U32x4; 4]) -> [U32x4; 4] {
    let (ab, cd) = (lo32(a, b), lo32(c, d));
    let (ab_hi, cd_hi) = (hi32(a, b), hi32(c, d));
    [lo64(ab, cd), hi64(ab, cd), lo64(ab_hi, cd_hi), hi64(ab_hi, cd_hi)]
}

#[inline(always)]
fn transpose64([a, b]: [U64x2; 2]) -> [U64x2; 2] {
    let (a, b) = (U32x4(a.0), U32x4(b.0));
    [U64x2(lo64(a, b).0), U64x2(hi64(a, b).0)]
}
