//! 256-bit vectors for AVX2.

use core::arch::{asm, x86_64::*};

use jlanes_core::simd::{
    runs::Runs,
    vector::{ByteOrder, SimdWord},
};

use super::{Avx2, lane_rows::LaneRows, vec128::U32x4};
use crate::common::vector::vector;

vector! {
    /// Eight 32-bit words.
    U32x8: [u32 as i32; 8] in __m256i, proof Avx2;
    load _mm256_loadu_si256; store _mm256_storeu_si256; splat _mm256_set1_epi32;
    add _mm256_add_epi32; xor _mm256_xor_si256; and _mm256_and_si256; or _mm256_or_si256;
    andnot _mm256_andnot_si256;
    rotr rotr32; shr shr32; swap swap32; transpose transpose32;
    lanes {
        #[inline(always)]
        fn fence(self) -> Self {
            // SAFETY: as for `add`: the value stands for the features.
            Self(unsafe { fence(self.0) })
        }
    }
    vector {
        #[inline(always)]
        fn load_square(
            proof: Avx2,
            order: ByteOrder,
            runs: &Runs<'_>,
            first: usize,
            at: usize,
        ) -> [Self; 8] {
            load_square32(proof, order, LaneRows::new(runs, first, at))
        }

        #[inline(always)]
        fn concat_from(_: Avx2, a: Self, b: Self, at: usize) -> Self {
            Self(concat_from(a.0, b.0, 4 * at))
        }

        #[inline(always)]
        fn rotate_groups_left(_: Avx2, groups: Self, by: usize) -> Self {
            Self(rotate_groups(groups.0, by))
        }
    }
}

vector! {
    /// Four 64-bit words.
    U64x4: [u64 as i64; 4] in __m256i, proof Avx2;
    load _mm256_loadu_si256; store _mm256_storeu_si256; splat _mm256_set1_epi64x;
    add _mm256_add_epi64; xor _mm256_xor_si256; and _mm256_and_si256; or _mm256_or_si256;
    andnot _mm256_andnot_si256;
    rotr rotr64; shr shr64; swap swap64; transpose transpose64;
    lanes {
        #[inline(always)]
        fn fence(self) -> Self {
            // SAFETY: as for `add`: the value stands for the features.
            Self(unsafe { fence(self.0) })
        }
    }
    vector {
        #[inline(always)]
        fn load_square(
            proof: Avx2,
            order: ByteOrder,
            runs: &Runs<'_>,
            first: usize,
            at: usize,
        ) -> [Self; 4] {
            load_square64(proof, order, LaneRows::new(runs, first, at))
        }

        #[inline(always)]
        fn concat_from(_: Avx2, a: Self, b: Self, at: usize) -> Self {
            Self(concat_from(a.0, b.0, 8 * at))
        }
    }
}

impl U64x4 {
    /// The words of a register. An instruction on vectors returns a raw register; this conversion
    /// is safe because `self` proves the features.
    #[inline(always)]
    pub(super) fn with(self, raw: __m256i) -> Self {
        Self(raw)
    }

    /// [`Word::xor_rotr`](jlanes_core::simd::vector::Word::xor_rotr) for sets with ternary logic. On Zen 4 a
    /// rotation takes two cycles, and a shift or a shuffle of words one: a chain of two from `late`, not of three.
    /// Without the fences the compiler would make rotations, and no ternary logic.
    #[cfg(any(test, feature = "blake2"))]
    #[inline(always)]
    pub(super) fn xor_rotr(self, late: Self, n: u32) -> Self {
        if n == 32 {
            // SAFETY: the value stands for AVX2.
            return Self(unsafe { _mm256_shuffle_epi32::<0xb1>(self.xor(late).0) });
        }
        let early = shl64(self, 64 - n).fence().xor(self.shr(n)).fence();
        Self::xor3(early, shl64(late, 64 - n).fence(), late.shr(n)).fence()
    }
}

#[inline]
#[target_feature(enable = "avx")]
fn fence(mut x: __m256i) -> __m256i {
    if cfg!(miri) {
        return x; // Miri does not run assembly
    }
    // SAFETY: there is no instruction, only a register that the compiler has to fill.
    unsafe { asm!("/* {} */", inout(ymm_reg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

/// Bytes `16 * h..16 * h + 16` of the row `first` and of the one `N / 2` later, loaded into the
/// halves of a register: the equivalent shuffles would all use one port.
#[inline(always)]
fn halves<const N: usize>(_: Avx2, rows: &LaneRows<'_, N, 32>, first: usize, h: usize) -> U32x8 {
    let (low, high) = (rows.piece(first, h), rows.piece(first + N / 2, h));
    // SAFETY: the proof stands for AVX2.
    let low = unsafe { _mm256_castsi128_si256(low) };
    // SAFETY: as above.
    U32x8(unsafe { _mm256_inserti128_si256::<1>(low, high) })
}

#[inline(always)]
fn load_square32(proof: Avx2, order: ByteOrder, rows: LaneRows<'_, 8, 32>) -> [U32x8; 8] {
    let mut columns = [halves(proof, &rows, 0, 0); 8];
    for h in 0..2 {
        let (a, b) = (halves(proof, &rows, 0, h), halves(proof, &rows, 1, h));
        let (c, d) = (halves(proof, &rows, 2, h), halves(proof, &rows, 3, h));
        let transposed = transpose_halves([a, b, c, d]);
        for i in 0..4 {
            columns[4 * h + i] = transposed[i].ordered(order);
        }
    }
    columns
}

#[inline(always)]
fn load_square64(proof: Avx2, order: ByteOrder, rows: LaneRows<'_, 4, 32>) -> [U64x4; 4] {
    let mut columns = [U64x4(halves(proof, &rows, 0, 0).0); 4];
    for h in 0..2 {
        let (a, b) = (halves(proof, &rows, 0, h), halves(proof, &rows, 1, h));
        let transposed = [U64x4(lo64(a, b).0), U64x4(hi64(a, b).0)];
        for i in 0..2 {
            columns[2 * h + i] = transposed[i].ordered(order);
        }
    }
    columns
}

/// Within each 128-bit half: four rows become four columns.
#[inline(always)]
pub(super) fn transpose_halves([a, b, c, d]: [U32x8; 4]) -> [U32x8; 4] {
    let (ab, cd) = (lo32(a, b), lo32(c, d));
    let (ab_hi, cd_hi) = (hi32(a, b), hi32(c, d));
    [lo64(ab, cd), hi64(ab, cd), lo64(ab_hi, cd_hi), hi64(ab_hi, cd_hi)]
}

/// The words of two halves, `low` first.
#[inline(always)]
pub(super) fn join(_: Avx2, low: U32x4, high: U32x4) -> U32x8 {
    // SAFETY: the proof stands for AVX2.
    let low = unsafe { _mm256_castsi128_si256(low.raw()) };
    // SAFETY: as above.
    U32x8(unsafe { _mm256_inserti128_si256::<1>(low, high.raw()) })
}

/// A shift count. The shifts take it in a register; constant ones are folded into immediates.
#[inline(always)]
fn shift_count(n: u32) -> __m128i {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { _mm_cvtsi32_si128(n as i32) }
}

#[inline(always)]
fn shr32(x: U32x8, n: u32) -> U32x8 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x8(unsafe { _mm256_srl_epi32(x.0, shift_count(n)) })
}

#[inline(always)]
fn shl32(x: U32x8, n: u32) -> U32x8 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x8(unsafe { _mm256_sll_epi32(x.0, shift_count(n)) })
}

#[inline(always)]
fn rotr32(x: U32x8, n: u32) -> U32x8 {
    shr32(x, n).or(shl32(x, 32 - n))
}

#[inline(always)]
fn shr64(x: U64x4, n: u32) -> U64x4 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U64x4(unsafe { _mm256_srl_epi64(x.0, shift_count(n)) })
}

#[inline(always)]
fn shl64(x: U64x4, n: u32) -> U64x4 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U64x4(unsafe { _mm256_sll_epi64(x.0, shift_count(n)) })
}

#[inline(always)]
fn rotr64(x: U64x4, n: u32) -> U64x4 {
    shr64(x, n).or(shl64(x, 64 - n))
}

#[inline(always)]
fn swap32(x: U32x8) -> U32x8 {
    // SAFETY: `x` exists only under AVX2.
    let reverse = unsafe {
        _mm256_set_epi64x(
            0x0c0d_0e0f_0809_0a0b,
            0x0405_0607_0001_0203,
            0x0c0d_0e0f_0809_0a0b,
            0x0405_0607_0001_0203,
        )
    };
    // SAFETY: as above.
    U32x8(unsafe { _mm256_shuffle_epi8(x.0, reverse) })
}

#[inline(always)]
fn swap64(x: U64x4) -> U64x4 {
    // SAFETY: `x` exists only under AVX2.
    let reverse = unsafe {
        _mm256_set_epi64x(
            0x0809_0a0b_0c0d_0e0f,
            0x0001_0203_0405_0607,
            0x0809_0a0b_0c0d_0e0f,
            0x0001_0203_0405_0607,
        )
    };
    // SAFETY: as above.
    U64x4(unsafe { _mm256_shuffle_epi8(x.0, reverse) })
}

/// The bytes of `a` from index `at` on, followed by the first of `b`. Called for values of this
/// file's types.
#[inline(always)]
fn concat_from(a: __m256i, b: __m256i, at: usize) -> __m256i {
    // alignments stay within 128-bit halves
    // SAFETY: values of this file's types exist only under AVX2.
    let middle = unsafe { _mm256_permute2x128_si256::<0x21>(a, b) };
    let (low, high) = if at < 16 { (a, middle) } else { (middle, b) };
    match at % 16 {
        0 => low,
        // SAFETY: as above.
        4 => unsafe { _mm256_alignr_epi8::<4>(high, low) },
        // SAFETY: as above.
        8 => unsafe { _mm256_alignr_epi8::<8>(high, low) },
        // SAFETY: as above.
        12 => unsafe { _mm256_alignr_epi8::<12>(high, low) },
        _ => panic!("{at} is no word of a vector"),
    }
}

/// Each half with its words rotated to the left.
#[inline(always)]
fn rotate_groups(halves: __m256i, by: usize) -> __m256i {
    match by {
        // SAFETY: values of this file's types exist only under AVX2.
        1 => unsafe { _mm256_shuffle_epi32::<0b00_11_10_01>(halves) },
        // SAFETY: as above.
        2 => unsafe { _mm256_shuffle_epi32::<0b01_00_11_10>(halves) },
        // SAFETY: as above.
        3 => unsafe { _mm256_shuffle_epi32::<0b10_01_00_11>(halves) },
        _ => panic!("{by} is no rotation of four words"),
    }
}

#[inline(always)]
fn lo32(a: U32x8, b: U32x8) -> U32x8 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x8(unsafe { _mm256_unpacklo_epi32(a.0, b.0) })
}

#[inline(always)]
fn hi32(a: U32x8, b: U32x8) -> U32x8 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x8(unsafe { _mm256_unpackhi_epi32(a.0, b.0) })
}

#[inline(always)]
fn lo64(a: U32x8, b: U32x8) -> U32x8 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x8(unsafe { _mm256_unpacklo_epi64(a.0, b.0) })
}

#[inline(always)]
fn hi64(a: U32x8, b: U32x8) -> U32x8 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x8(unsafe { _mm256_unpackhi_epi64(a.0, b.0) })
}

/// The lower halves of both.
#[inline(always)]
fn lo128(a: U32x8, b: U32x8) -> U32x8 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x8(unsafe { _mm256_permute2x128_si256::<0x20>(a.0, b.0) })
}

/// The upper halves of both.
#[inline(always)]
fn hi128(a: U32x8, b: U32x8) -> U32x8 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x8(unsafe { _mm256_permute2x128_si256::<0x31>(a.0, b.0) })
}

#[inline(always)]
fn transpose32(rows: [U32x8; 8]) -> [U32x8; 8] {
    let mut columns = rows;
    for g in [0, 4] {
        let transposed = transpose_halves([rows[g], rows[g + 1], rows[g + 2], rows[g + 3]]);
        columns[g..g + 4].copy_from_slice(&transposed);
    }
    for k in 0..4 {
        let (low, high) = (columns[k], columns[k + 4]);
        columns[k] = lo128(low, high);
        columns[k + 4] = hi128(low, high);
    }
    columns
}

#[inline(always)]
fn transpose64(rows: [U64x4; 4]) -> [U64x4; 4] {
    let [a, b, c, d] = [U32x8(rows[0].0), U32x8(rows[1].0), U32x8(rows[2].0), U32x8(rows[3].0)];
    let (ab, cd) = (lo64(a, b), lo64(c, d));
    let (ab_hi, cd_hi) = (hi64(a, b), hi64(c, d));
    let columns = [lo128(ab, cd), lo128(ab_hi, cd_hi), hi128(ab, cd), hi128(ab_hi, cd_hi)];
    [U64x4(columns[0].0), U64x4(columns[1].0), U64x4(columns[2].0), U64x4(columns[3].0)]
}
