//! Transposes of squares of words: one row per message when loaded, one column per word of all messages, and
//! back.

use core::arch::x86_64::*;

use jlanes_core::simd::vector::ByteOrder;

use super::{Avx512, LaneRows, U32x16, U64x8, store_part};

/// Loads bytes `16 * q..16 * q + 16` of the rows `first`, `first + N / 4` and so on into the
/// quarters of a register. Transposing whole rows would take shuffles, which all use one port,
/// while the other port waits for the first word.
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

/// Loads bytes `32 * h..32 * h + 32` of the rows `first` and `first + 4` into the halves of a register. A
/// square takes 16 insertions and 48 shuffles, in place of 48 and 32 with [`quarters`], and half the loads. BLAKE3
/// gains 3 % (Zen 4).
#[inline(always)]
fn halves_of(_: Avx512, rows: &LaneRows<'_, 16, 64>, first: usize, h: usize) -> U32x16 {
    // SAFETY: the proof stands for AVX-512F, which includes AVX.
    let (low, high) = (unsafe { rows.half(first, h) }, unsafe { rows.half(first + 4, h) });
    // SAFETY: as above.
    let low = unsafe { _mm512_castsi256_si512(low) };
    // SAFETY: as above.
    U32x16(unsafe { _mm512_inserti64x4::<1>(low, high) })
}

#[inline(always)]
pub(super) fn load_square32(
    proof: Avx512,
    order: ByteOrder,
    rows: LaneRows<'_, 16, 64>,
) -> [U32x16; 16] {
    let mut columns = [halves_of(proof, &rows, 0, 0); 16];
    for h in 0..2 {
        // rows 0 to 7, then rows 8 to 15
        let low = transpose_quarters([
            halves_of(proof, &rows, 0, h),
            halves_of(proof, &rows, 1, h),
            halves_of(proof, &rows, 2, h),
            halves_of(proof, &rows, 3, h),
        ]);
        let high = transpose_quarters([
            halves_of(proof, &rows, 8, h),
            halves_of(proof, &rows, 9, h),
            halves_of(proof, &rows, 10, h),
            halves_of(proof, &rows, 11, h),
        ]);
        for k in 0..4 {
            columns[8 * h + k] = even128(low[k], high[k]).ordered(order);
            columns[8 * h + 4 + k] = odd128(low[k], high[k]).ordered(order);
        }
    }
    columns
}

#[inline(always)]
pub(super) fn load_square64(
    proof: Avx512,
    order: ByteOrder,
    rows: LaneRows<'_, 8, 64>,
) -> [U64x8; 8] {
    let mut columns = [U64x8(quarters(proof, &rows, 0, 0).0); 8];
    for q in 0..4 {
        let (a, b) = (quarters(proof, &rows, 0, q), quarters(proof, &rows, 1, q));
        let transposed = [U64x8(lo64(a, b).0), U64x8(hi64(a, b).0)];
        for i in 0..2 {
            columns[2 * q + i] = transposed[i].ordered(order);
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

/// The two halves of a register.
#[inline(always)]
pub(super) fn split(row: U32x16) -> [__m256i; 2] {
    // SAFETY: a value of this type exists only where the CPU has its features.
    let first = unsafe { _mm512_castsi512_si256(row.0) };
    // SAFETY: as above.
    [first, unsafe { _mm512_extracti64x4_epi64::<1>(row.0) }]
}

/// Stores the first bytes of half a register, until `bytes` is full.
#[inline(always)]
pub(super) fn store_half(row: __m256i, bytes: &mut [u8]) {
    if let Some(bytes) = bytes.first_chunk_mut::<32>() {
        // SAFETY: the half of a register exists only under AVX-512; 32 bytes are writable there.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), row) }
    } else {
        // SAFETY: as above; the other half is ignored.
        store_part(unsafe { _mm512_castsi256_si512(row) }, bytes);
    }
}

/// Eight words of sixteen lanes to eight contiguous words: lane `8 * i + 4 * j + k` is half `j` of
/// row `[k][i]`.
#[inline(always)]
pub(super) fn transpose_eight(words: &[U32x16; 8]) -> [[U32x16; 2]; 4] {
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

/// The 64-bit elements of `a` followed by `b` that `order` selects.
#[inline(always)]
fn pick64(a: U32x16, b: U32x16, order: [i64; 8]) -> U32x16 {
    let [i, j, k, l, m, n, o, p] = order;
    // SAFETY: a value of this type exists only where the CPU has its features.
    let order = unsafe { _mm512_setr_epi64(i, j, k, l, m, n, o, p) };
    // SAFETY: as above.
    U32x16(unsafe { _mm512_permutex2var_epi64(a.0, order, b.0) })
}

#[inline(always)]
pub(super) fn transpose32(rows: [U32x16; 16]) -> [U32x16; 16] {
    let mut columns = rows;
    for g in [0, 4, 8, 12] {
        let transposed = transpose_quarters([rows[g], rows[g + 1], rows[g + 2], rows[g + 3]]);
        columns[g..g + 4].copy_from_slice(&transposed);
    }
    for k in 0..4 {
        let quarters = [columns[k], columns[k + 4], columns[k + 8], columns[k + 12]];
        let transposed = transpose128(quarters);
        for q in 0..4 {
            columns[4 * q + k] = transposed[q];
        }
    }
    columns
}

#[inline(always)]
pub(super) fn transpose64(rows: [U64x8; 8]) -> [U64x8; 8] {
    let mut columns = rows;
    for k in 0..2 {
        let mut quarters = [U32x16(rows[0].0); 4];
        for g in 0..4 {
            let (a, b) = (U32x16(rows[2 * g].0), U32x16(rows[2 * g + 1].0));
            quarters[g] = if k == 0 { lo64(a, b) } else { hi64(a, b) };
        }
        let transposed = transpose128(quarters);
        for q in 0..4 {
            columns[2 * q + k] = U64x8(transposed[q].0);
        }
    }
    columns
}
