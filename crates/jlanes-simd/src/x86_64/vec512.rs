//! 512-bit vectors for AVX-512: rotations and three-operand logic are one instruction each.

use core::arch::{asm, x86_64::*};

use jlanes_core::simd::{
    lanes::ByteOrder,
    layout::{Runs, store_square},
};

use super::{Avx512, rows::LaneRows};
use crate::vector::vector;

vector! {
    /// Sixteen 32-bit words.
    U32x16: [u32 as i32; 16] in __m512i, proof Avx512;
    load _mm512_loadu_si512; store _mm512_storeu_si512; splat _mm512_set1_epi32;
    add _mm512_add_epi32; xor _mm512_xor_si512; and _mm512_and_si512; or _mm512_or_si512;
    andnot _mm512_andnot_si512;
    rotr rotr32; shr shr32; swap swap32; transpose transpose32;
    lanes {
        #[inline(always)]
        fn fence(self) -> Self {
            // SAFETY: as for `add`: the value stands for the features.
            Self(unsafe { fence(self.0) })
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
                    for (i, row) in halves(row.ordered(order)).into_iter().enumerate() {
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
        #[inline(always)]
        fn fence(self) -> Self {
            // SAFETY: as for `add`: the value stands for the features.
            Self(unsafe { fence(self.0) })
        }

        #[inline(always)]
        fn xor3(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: as for `add`: the values stand for the features.
            Self(unsafe { _mm512_ternarylogic_epi64::<0x96>(a.0, b.0, c.0) })
        }

        #[inline(always)]
        fn ch(e: Self, f: Self, g: Self) -> Self {
            // SAFETY: as for `add`: the values stand for the features.
            Self(unsafe { _mm512_ternarylogic_epi64::<0xca>(e.0, f.0, g.0) })
        }

        #[inline(always)]
        fn maj(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: as for `add`: the values stand for the features.
            Self(unsafe { _mm512_ternarylogic_epi64::<0xe8>(a.0, b.0, c.0) })
        }

        #[inline(always)]
        fn chi(a: Self, b: Self, c: Self) -> Self {
            // SAFETY: as for `add`: the values stand for the features.
            Self(unsafe { _mm512_ternarylogic_epi64::<0xd2>(a.0, b.0, c.0) })
        }
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
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn fence(mut x: __m512i) -> __m512i {
    // SAFETY: there is no instruction, only a register that the compiler has to fill.
    unsafe { asm!("/* {} */", inout(zmm_reg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

/// Zeros around one byte of ones: of the 64 bytes from byte `64 - n` on, it is byte `n`.
static MARK: [u8; 129] = {
    let mut bytes = [0; 129];
    bytes[64] = 0xff;
    bytes
};

/// The 64 bytes at `offset` of `message`, as far as it goes, then `pad` if it ends there or behind,
/// then zeros. Bytes that are masked out are not touched, so nothing is read beyond the message.
///
/// The place of `pad` comes from memory: a second mask would want the port of the shuffles.
#[inline(always)]
fn load_padded(_: Avx512, message: &[u8], offset: usize, pad: u8) -> __m512i {
    let bytes = message.len().saturating_sub(offset).min(64);
    let from = message.as_ptr().wrapping_add(offset.min(message.len()));
    // SAFETY: the token's detection checks BMI2, which its trampoline enables.
    let there = unsafe { _bzhi_u64(u64::MAX, bytes as u32) };
    // SAFETY: the proof stands for AVX-512F and BW; as many bytes as the mask has bits are
    // readable there.
    let row = unsafe { _mm512_maskz_loadu_epi8(there, from.cast()) };
    let at = 64 - bytes + usize::from(offset > message.len());
    // SAFETY: the proof stands for AVX-512F; `at` is at most 65, and so 64 bytes of the table's 129
    // follow.
    let mark = unsafe { _mm512_loadu_si512(MARK.as_ptr().wrapping_add(at).cast()) };
    // SAFETY: the proof stands for AVX-512F.
    let pad = unsafe { _mm512_set1_epi8(pad as i8) };
    // SAFETY: as above.
    unsafe { _mm512_ternarylogic_epi32::<0xf8>(row, mark, pad) }
}

/// Bytes `16 * q..16 * q + 16` of the rows `first`, `first + N / 4` and so on, one in each quarter of a
/// register. They are put there as they are loaded. Where whole rows are transposed it is done by
/// shuffles, which all want one port, and the other port waits for the first word.
#[inline(always)]
fn quarters<const N: usize>(
    _: Avx512,
    rows: &LaneRows<'_, N, 64>,
    first: usize,
    q: usize,
) -> U32x16 {
    let step = N / 4;
    // SAFETY: the proof stands for AVX-512F.
    let all = unsafe { _mm512_castsi128_si512(rows.piece(first, q)) };
    // SAFETY: as above.
    let all = unsafe { _mm512_inserti32x4::<1>(all, rows.piece(first + step, q)) };
    // SAFETY: as above.
    let all = unsafe { _mm512_inserti32x4::<2>(all, rows.piece(first + 2 * step, q)) };
    // SAFETY: as above.
    U32x16(unsafe { _mm512_inserti32x4::<3>(all, rows.piece(first + 3 * step, q)) })
}

#[inline(always)]
fn load_square32(proof: Avx512, order: ByteOrder, rows: LaneRows<'_, 16, 64>) -> [U32x16; 16] {
    let mut columns = [quarters(proof, &rows, 0, 0); 16];
    for q in 0..4 {
        let (a, b) = (quarters(proof, &rows, 0, q), quarters(proof, &rows, 1, q));
        let (c, d) = (quarters(proof, &rows, 2, q), quarters(proof, &rows, 3, q));
        let turned = transpose_quarters([a, b, c, d]);
        for i in 0..4 {
            columns[4 * q + i] = turned[i].ordered(order);
        }
    }
    columns
}

#[inline(always)]
fn load_square64(proof: Avx512, order: ByteOrder, rows: LaneRows<'_, 8, 64>) -> [U64x8; 8] {
    let mut columns = [U64x8(quarters(proof, &rows, 0, 0).0); 8];
    for q in 0..4 {
        let (a, b) = (quarters(proof, &rows, 0, q), quarters(proof, &rows, 1, q));
        let turned = [U64x8(lo64(a, b).0), U64x8(hi64(a, b).0)];
        for i in 0..2 {
            columns[2 * q + i] = turned[i].ordered(order);
        }
    }
    columns
}

/// Within each 128-bit quarter: four rows become four columns.
#[inline(always)]
fn transpose_quarters([a, b, c, d]: [U32x16; 4]) -> [U32x16; 4] {
    let (ab, cd) = (lo32(a, b), lo32(c, d));
    let (ab_hi, cd_hi) = (hi32(a, b), hi32(c, d));
    [lo64(ab, cd), hi64(ab, cd), lo64(ab_hi, cd_hi), hi64(ab_hi, cd_hi)]
}

/// `w` in every 32-bit element.
#[inline(always)]
fn every32(_: __m512i, w: u32) -> __m512i {
    // SAFETY: a 512-bit value of this module exists only under AVX-512.
    unsafe { _mm512_set1_epi32(w as i32) }
}

/// `w` in every 64-bit element.
#[inline(always)]
fn every64(_: __m512i, w: u32) -> __m512i {
    // SAFETY: a 512-bit value of this module exists only under AVX-512.
    unsafe { _mm512_set1_epi64(i64::from(w)) }
}

#[inline(always)]
fn rotr32(x: U32x16, n: u32) -> U32x16 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x16(unsafe { _mm512_rorv_epi32(x.0, every32(x.0, n)) })
}

#[inline(always)]
fn shr32(x: U32x16, n: u32) -> U32x16 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x16(unsafe { _mm512_srlv_epi32(x.0, every32(x.0, n)) })
}

#[inline(always)]
fn rotr64(x: U64x8, n: u32) -> U64x8 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U64x8(unsafe { _mm512_rorv_epi64(x.0, every64(x.0, n)) })
}

#[inline(always)]
fn shr64(x: U64x8, n: u32) -> U64x8 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U64x8(unsafe { _mm512_srlv_epi64(x.0, every64(x.0, n)) })
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

#[inline(always)]
fn lo32(a: U32x16, b: U32x16) -> U32x16 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x16(unsafe { _mm512_unpacklo_epi32(a.0, b.0) })
}

#[inline(always)]
fn hi32(a: U32x16, b: U32x16) -> U32x16 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x16(unsafe { _mm512_unpackhi_epi32(a.0, b.0) })
}

#[inline(always)]
fn lo64(a: U32x16, b: U32x16) -> U32x16 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x16(unsafe { _mm512_unpacklo_epi64(a.0, b.0) })
}

#[inline(always)]
fn hi64(a: U32x16, b: U32x16) -> U32x16 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x16(unsafe { _mm512_unpackhi_epi64(a.0, b.0) })
}

/// The even 128-bit quarters of both.
#[inline(always)]
fn even128(a: U32x16, b: U32x16) -> U32x16 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x16(unsafe { _mm512_shuffle_i32x4::<0x88>(a.0, b.0) })
}

/// The odd 128-bit quarters of both.
#[inline(always)]
fn odd128(a: U32x16, b: U32x16) -> U32x16 {
    // SAFETY: a value of this type exists only where the CPU has its features.
    U32x16(unsafe { _mm512_shuffle_i32x4::<0xdd>(a.0, b.0) })
}

/// Four rows of four 128-bit quarters each: rows to columns.
#[inline(always)]
fn transpose128([a, b, c, d]: [U32x16; 4]) -> [U32x16; 4] {
    let (ab, cd) = (even128(a, b), even128(c, d));
    let (ab_odd, cd_odd) = (odd128(a, b), odd128(c, d));
    [even128(ab, cd), even128(ab_odd, cd_odd), odd128(ab, cd), odd128(ab_odd, cd_odd)]
}

/// The first bytes of a register, as many as there is room for.
#[inline(always)]
fn store_part(row: __m512i, bytes: &mut [u8]) {
    let len = bytes.len().min(64);
    // SAFETY: the token's detection checks BMI2, which its trampoline enables.
    let there = unsafe { _bzhi_u64(u64::MAX, len as u32) };
    // SAFETY: the value exists only under AVX-512, whose token checks BW; as many bytes as the mask
    // has bits are writable there, and the others are not touched.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), there, row) }
}

/// The two halves of a register.
#[inline(always)]
fn halves(row: U32x16) -> [__m256i; 2] {
    // SAFETY: a value of this type exists only where the CPU has its features.
    let first = unsafe { _mm512_castsi512_si256(row.0) };
    // SAFETY: as above.
    [first, unsafe { _mm512_extracti64x4_epi64::<1>(row.0) }]
}

/// The first bytes of half a register, as many as there is room for.
#[inline(always)]
fn store_half(row: __m256i, bytes: &mut [u8]) {
    if let Some(bytes) = bytes.first_chunk_mut::<32>() {
        // SAFETY: the half of a register exists only under AVX-512; 32 bytes are writable there.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), row) }
    } else {
        // SAFETY: as above; the other half is not looked at.
        store_part(unsafe { _mm512_castsi256_si512(row) }, bytes);
    }
}

/// Eight words of sixteen lanes to eight words in a row: lane `8 * i + 4 * j + k` is half `j` of
/// row `[k][i]`.
#[inline(always)]
fn transpose_eight(words: &[U32x16; 8]) -> [[U32x16; 2]; 4] {
    let mut quarters = [[words[0]; 4]; 2];
    for g in 0..2 {
        let [a, b, c, d] = [words[4 * g], words[4 * g + 1], words[4 * g + 2], words[4 * g + 3]];
        quarters[g] = transpose_quarters([a, b, c, d]);
    }
    let mut rows = [[words[0]; 2]; 4];
    for k in 0..4 {
        rows[k] = [
            pick64(quarters[0][k], quarters[1][k], [0, 1, 8, 9, 2, 3, 10, 11]),
            pick64(quarters[0][k], quarters[1][k], [4, 5, 12, 13, 6, 7, 14, 15]),
        ];
    }
    rows
}

/// The 64-bit elements of `a`, and behind them of `b`, that `order` names.
#[inline(always)]
fn pick64(a: U32x16, b: U32x16, order: [i64; 8]) -> U32x16 {
    let [i, j, k, l, m, n, o, p] = order;
    // SAFETY: a value of this type exists only where the CPU has its features.
    let order = unsafe { _mm512_setr_epi64(i, j, k, l, m, n, o, p) };
    // SAFETY: as above.
    U32x16(unsafe { _mm512_permutex2var_epi64(a.0, order, b.0) })
}

#[inline(always)]
fn transpose32(rows: [U32x16; 16]) -> [U32x16; 16] {
    let mut columns = rows;
    for g in [0, 4, 8, 12] {
        let turned = transpose_quarters([rows[g], rows[g + 1], rows[g + 2], rows[g + 3]]);
        columns[g..g + 4].copy_from_slice(&turned);
    }
    for k in 0..4 {
        let quarters = [columns[k], columns[k + 4], columns[k + 8], columns[k + 12]];
        let turned = transpose128(quarters);
        for q in 0..4 {
            columns[4 * q + k] = turned[q];
        }
    }
    columns
}

#[inline(always)]
fn transpose64(rows: [U64x8; 8]) -> [U64x8; 8] {
    let mut columns = rows;
    for k in 0..2 {
        let mut quarters = [U32x16(rows[0].0); 4];
        for g in 0..4 {
            let (a, b) = (U32x16(rows[2 * g].0), U32x16(rows[2 * g + 1].0));
            quarters[g] = if k == 0 { lo64(a, b) } else { hi64(a, b) };
        }
        let turned = transpose128(quarters);
        for q in 0..4 {
            columns[2 * q + k] = U64x8(turned[q].0);
        }
    }
    columns
}
