//! 512-bit vectors for AVX-512: rotations and three-operand logic are one instruction each.

use core::arch::{asm, x86_64::*};

use jlanes_core::simd::{
    runs::Runs,
    vector::{ByteOrder, store_square},
};

use super::{Avx512, lane_rows::LaneRows};
use crate::common::vector::vector;

mod transpose;

use transpose::{
    load_square32, load_square64, split, store_half, transpose_eight, transpose32, transpose64,
};

/// Operations that do not depend on the word size.
macro_rules! bitwise {
    () => {
        #[inline(always)]
        fn fence(self) -> Self {
            // SAFETY: as for `add`: the value stands for the features.
            Self(unsafe { fence(self.0) })
        }

        #[inline(always)]
        fn keep_interleaved(a: &mut Self, b: &mut Self) {
            // SAFETY: as for `add`: the values stand for the features.
            (a.0, b.0) = unsafe { keep_interleaved(a.0, b.0) };
        }

        #[inline(always)]
        fn xor3(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: as for `add`: the values stand for the features.
            Self(unsafe { _mm512_ternarylogic_epi32::<0x96>(a.0, b.0, c.0) })
        }

        #[inline(always)]
        fn ch(e: Self, f: Self, g: Self) -> Self {
            // SAFETY: as for `add`: the values stand for the features.
            Self(unsafe { _mm512_ternarylogic_epi32::<0xca>(e.0, f.0, g.0) })
        }

        #[inline(always)]
        fn maj(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: as for `add`: the values stand for the features.
            Self(unsafe { _mm512_ternarylogic_epi32::<0xe8>(a.0, b.0, c.0) })
        }

        #[inline(always)]
        fn chi(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: as for `add`: the values stand for the features.
            Self(unsafe { _mm512_ternarylogic_epi32::<0xd2>(a.0, b.0, c.0) })
        }
    };
}

/// Loads of messages' ends and stores of digests, one row of bytes at a time, by masks.
macro_rules! rows {
    () => {
        #[inline(always)]
        fn load_padded(
            proof: Avx512,
            order: ByteOrder,
            message: &[u8],
            offset: usize,
            pad: u8,
        ) -> Self {
            Self(load_padded(proof, message, offset, pad)).ordered(order)
        }

        #[inline(always)]
        fn store_part(self, order: ByteOrder, bytes: &mut [u8]) {
            store_part(self.ordered(order).0, bytes);
        }
    };
}

vector! {
    /// Sixteen 32-bit words.
    U32x16: [u32 as i32; 16] in __m512i, proof Avx512;
    load _mm512_loadu_si512; store _mm512_storeu_si512; splat _mm512_set1_epi32;
    add _mm512_add_epi32; xor _mm512_xor_si512; and _mm512_and_si512; or _mm512_or_si512;
    andnot _mm512_andnot_si512;
    rotr rotr32; shr shr32; swap swap32; transpose transpose32;
    lanes {
        bitwise!();
    }
    vector {
        #[inline(always)]
        fn load_square(
            proof: Avx512,
            order: ByteOrder,
            runs: &Runs<'_>,
            first: usize,
            at: usize,
        ) -> [Self; 16] {
            load_square32(proof, order, LaneRows::new(runs, first, at))
        }

        rows!();

        #[inline(always)]
        fn store_columns(
            proof: Avx512,
            words: &[Self],
            order: ByteOrder,
            (first, size): (usize, usize),
            out: &mut [u8],
        ) {
            let Ok(words) = <&[Self; 8]>::try_from(words) else {
                return store_square(proof, words, order, (first, size), out);
            };
            for (k, rows) in transpose_eight(words).into_iter().enumerate() {
                for (half, row) in rows.into_iter().enumerate() {
                    for (i, row) in split(row.ordered(order)).into_iter().enumerate() {
                        let lane = 8 * half + 4 * i + k;
                        if let Some(lane) = out.get_mut(lane * size..(lane + 1) * size) {
                            store_half(row, &mut lane[first..]);
                        }
                    }
                }
            }
        }
    }
}

vector! {
    /// Eight 64-bit words.
    U64x8: [u64 as i64; 8] in __m512i, proof Avx512;
    load _mm512_loadu_si512; store _mm512_storeu_si512; splat _mm512_set1_epi64;
    add _mm512_add_epi64; xor _mm512_xor_si512; and _mm512_and_si512; or _mm512_or_si512;
    andnot _mm512_andnot_si512;
    rotr rotr64; shr shr64; swap swap64; transpose transpose64;
    lanes {
        bitwise!();
    }
    vector {
        #[inline(always)]
        fn load_square(
            proof: Avx512,
            order: ByteOrder,
            runs: &Runs<'_>,
            first: usize,
            at: usize,
        ) -> [Self; 8] {
            load_square64(proof, order, LaneRows::new(runs, first, at))
        }

        rows!();
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn fence(mut x: __m512i) -> __m512i {
    if cfg!(miri) {
        return x; // Miri does not run assembly
    }
    // SAFETY: there is no instruction, only a register that the compiler has to fill.
    unsafe { asm!("/* {} */", inout(zmm_reg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

#[inline]
#[target_feature(enable = "avx512f")]
fn keep_interleaved(mut a: __m512i, mut b: __m512i) -> (__m512i, __m512i) {
    if cfg!(miri) {
        return (a, b); // Miri does not run assembly
    }
    // SAFETY: there is no instruction, only registers that the compiler has to fill.
    unsafe {
        asm!(
            "/* {} {} */", inout(zmm_reg) a, inout(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    (a, b)
}

/// One byte of ones among zeros: in the 64 bytes from byte `64 - n` on, it is byte `n`.
static PAD_MASK: [u8; 129] = {
    let mut bytes = [0; 129];
    bytes[64] = 0xff;
    bytes
};

/// The 64 bytes at `offset` of `message`, followed by `pad` if it ends within or before them, and
/// by zeros. Masked bytes are not accessed, so nothing beyond the message is read.
///
/// The position of `pad` comes from memory: a second mask would use the port of the shuffles.
#[inline(always)]
fn load_padded(_: Avx512, message: &[u8], offset: usize, pad: u8) -> __m512i {
    let bytes = message.len().saturating_sub(offset).min(64);
    let from = message.as_ptr().wrapping_add(offset.min(message.len()));
    // SAFETY: the token's detection checks BMI2, which its trampoline enables.
    let mask = unsafe { _bzhi_u64(u64::MAX, bytes as u32) };
    // SAFETY: the proof stands for AVX-512F and BW; as many bytes as the mask has bits are
    // readable there.
    let row = unsafe { _mm512_maskz_loadu_epi8(mask, from.cast()) };
    let at = 64 - bytes + usize::from(offset > message.len());
    // SAFETY: the proof stands for AVX-512F; `at` is at most 65, and so 64 bytes of the table's 129
    // follow.
    let pad_mask = unsafe { _mm512_loadu_si512(PAD_MASK.as_ptr().wrapping_add(at).cast()) };
    // SAFETY: the proof stands for AVX-512F.
    let pad = unsafe { _mm512_set1_epi8(pad as i8) };
    // SAFETY: as above.
    unsafe { _mm512_ternarylogic_epi32::<0xf8>(row, pad_mask, pad) }
}

/// `w` in every 32-bit element.
#[inline(always)]
fn splat32(_: __m512i, w: u32) -> __m512i {
    // SAFETY: a 512-bit value of this module exists only under AVX-512.
    unsafe { _mm512_set1_epi32(w as i32) }
}

/// `w` in every 64-bit element.
#[inline(always)]
fn splat64(_: __m512i, w: u32) -> __m512i {
    // SAFETY: a 512-bit value of this module exists only under AVX-512.
    unsafe { _mm512_set1_epi64(i64::from(w)) }
}

#[inline(always)]
fn rotr32(x: U32x16, n: u32) -> U32x16 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x16(unsafe { _mm512_rorv_epi32(x.0, splat32(x.0, n)) })
}

#[inline(always)]
fn shr32(x: U32x16, n: u32) -> U32x16 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x16(unsafe { _mm512_srlv_epi32(x.0, splat32(x.0, n)) })
}

#[inline(always)]
fn rotr64(x: U64x8, n: u32) -> U64x8 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U64x8(unsafe { _mm512_rorv_epi64(x.0, splat64(x.0, n)) })
}

#[inline(always)]
fn shr64(x: U64x8, n: u32) -> U64x8 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U64x8(unsafe { _mm512_srlv_epi64(x.0, splat64(x.0, n)) })
}

#[inline(always)]
fn swap32(x: U32x16) -> U32x16 {
    // SAFETY: SSE2 is part of x86-64.
    let reverse = unsafe { _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203) };
    // SAFETY: `x` exists only under AVX-512.
    let reverse = unsafe { _mm512_broadcast_i32x4(reverse) };
    // SAFETY: as above, and the token checks AVX-512BW.
    U32x16(unsafe { _mm512_shuffle_epi8(x.0, reverse) })
}

#[inline(always)]
fn swap64(x: U64x8) -> U64x8 {
    // SAFETY: SSE2 is part of x86-64.
    let reverse = unsafe { _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607) };
    // SAFETY: `x` exists only under AVX-512.
    let reverse = unsafe { _mm512_broadcast_i32x4(reverse) };
    // SAFETY: as above, and the token checks AVX-512BW.
    U64x8(unsafe { _mm512_shuffle_epi8(x.0, reverse) })
}

/// Stores the first bytes of a register, until `bytes` is full.
#[inline(always)]
fn store_part(row: __m512i, bytes: &mut [u8]) {
    let len = bytes.len().min(64);
    // SAFETY: the token's detection checks BMI2, which its trampoline enables.
    let mask = unsafe { _bzhi_u64(u64::MAX, len as u32) };
    // SAFETY: the value exists only under AVX-512, and its token checks BW; as many bytes as the
    // mask has bits are writable there, and the others are not accessed.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), mask, row) }
}
