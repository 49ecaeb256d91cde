//! How the streams' blocks get into registers.

use core::arch::x86_64::*;

use jlanes_core::layout::Interleaved;

use crate::x86_64::{
    feed::{AHEAD, Feed},
    vector::prefetch,
};

/// Block `b` of `blocks` of every stream, as sixteen words in four registers.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(super) fn load<const S: usize>(
    feed: &Feed<'_, S>,
    b: usize,
    blocks: usize,
) -> [[__m128i; 4]; S] {
    feed.look_ahead::<64>(b, blocks);
    match feed {
        Feed::Runs(runs) => {
            let mut w = [[_mm_setzero_si128(); 4]; S];
            for s in 0..S {
                let rows = runs[s].as_chunks::<64>().0[b].as_chunks().0;
                for i in 0..4 {
                    w[s][i] = big_endian(load16(&rows[i]));
                }
            }
            w
        }
        Feed::Interleaved(rows) => load_rows(rows, b),
    }
}

/// Super-block `b` of the first `S` lanes: four rows at a time are transposed in registers, which
/// makes of them just the four words of each stream that a register holds.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn load_rows<const S: usize>(rows: &Interleaved<'_>, b: usize) -> [[__m128i; 4]; S] {
    let stride = 4 * rows.lanes;
    let mut w = [[_mm_setzero_si128(); 4]; S];
    for i in 0..4 {
        let mut square = [_mm_setzero_si128(); 4];
        for t in 0..4 {
            let at = (16 * b + 4 * i + t) * stride;
            prefetch(rows.data, at + AHEAD);
            let mut row = [0; 16];
            row[..4 * S].copy_from_slice(&rows.data[at..][..4 * S]);
            square[t] = load16(&row);
        }
        let streams = transpose(square);
        for s in 0..S {
            w[s][i] = big_endian(streams[s]);
        }
    }
    w
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn transpose([a, b, c, d]: [__m128i; 4]) -> [__m128i; 4] {
    let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
    let (ab_hi, cd_hi) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
    [
        _mm_unpacklo_epi64(ab, cd),
        _mm_unpackhi_epi64(ab, cd),
        _mm_unpacklo_epi64(ab_hi, cd_hi),
        _mm_unpackhi_epi64(ab_hi, cd_hi),
    ]
}

/// Four words as the message has them.
#[inline]
#[target_feature(enable = "ssse3")]
fn big_endian(words: __m128i) -> __m128i {
    let swap = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    _mm_shuffle_epi8(words, swap)
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn load16(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: 16 bytes are readable in `[u8; 16]`, at any alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}
