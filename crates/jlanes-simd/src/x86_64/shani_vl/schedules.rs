//! The schedules, by AVX-512VL: eight streams at a time, one per lane. They are computed between rounds of
//! the streams before.

use jlanes_core::{
    hashes::sha2::{Sha2, consts::K32},
    schedules::Scheduled,
    simd::vector::{Isa, SimdWord},
};

use super::{
    super::{
        vec128::U32x4,
        vec256::{U32x8, join, transpose_halves},
    },
    STREAMS, ShaNiVl, Words,
    blocks::BlockSource,
    for_each_group,
};

/// All schedules of eight blocks, without rounds.
#[inline(never)] // one call for up to 32 streams
#[target_feature(enable = "sha,avx512f,avx512vl,bmi1,bmi2")]
pub(super) fn enter_schedules<F: BlockSource>(
    token: ShaNiVl,
    feed: &F,
    eight: &F::Blocks,
    words: &mut Words,
) {
    let mut w = [U32x8::splat(token.schedules().proof(), 0); 64];
    for_each_group!(g => {
        let mut rows = start(token, feed, eight, g, &mut w);
        for i in 0..4 {
            word(token, g, i, &mut w, &mut rows);
        }
        store(g, rows, words);
    });
}

/// Begins words `4 * g` to `4 * g + 3`, for [`word`]. The first sixteen, the messages', are complete: a stream per row.
#[inline(always)]
pub(super) fn start<F: BlockSource>(
    token: ShaNiVl,
    feed: &F,
    eight: &F::Blocks,
    g: usize,
    w: &mut [U32x8; 64],
) -> [U32x8; STREAMS] {
    let proof = token.schedules().proof();
    let mut rows = [U32x8::splat(proof, 0); STREAMS];
    if g < 4 {
        let narrow = token.rounds().proof();
        let low = feed.words(token.rounds(), eight, false, g);
        let high = feed.words(token.rounds(), eight, true, g);
        for s in 0..STREAMS {
            rows[s] = join(proof, low[s], high[s]);
        }
        w[4 * g..4 * g + 4].copy_from_slice(&transpose_halves(rows));
        let k = U32x4::load(narrow, &K32[4 * g..]);
        for row in &mut rows {
            *row = row.add(join(proof, k, k));
        }
    }
    rows
}

/// Computes word `4 * g + i` of the schedules as row `i`. The caller puts rounds between two words, which keeps both
/// units busy: with rounds after all four, a block takes a tenth longer.
#[inline(always)]
pub(super) fn word(
    token: ShaNiVl,
    g: usize,
    i: usize,
    w: &mut [U32x8; 64],
    rows: &mut [U32x8; STREAMS],
) {
    if g >= 4 {
        let t = 4 * g + i;
        w[t] = Sha2::<u32>::next_word(w, t);
        rows[i] = w[t].add(U32x8::splat(token.schedules().proof(), K32[t]));
    }
}

/// Stores words `4 * g` to `4 * g + 3`, one stream per row.
#[inline(always)]
pub(super) fn store(g: usize, rows: [U32x8; STREAMS], words: &mut Words) {
    let rows = if g < 4 { rows } else { transpose_halves(rows) };
    let mut four = [[[0; 4]; 2]; STREAMS];
    for s in 0..STREAMS {
        rows[s].store(four[s].as_flattened_mut());
    }
    words.0[g].write(four);
}
