//! The compression function `F` (RFC 7693, section 3.2) over lanes.

use super::{Blake2Word, COUNTER_HIGH, COUNTER_LOW, FINAL_FLAG_WORD, consts::SIGMA};
use crate::{simd::vector::SimdWord, unroll::unroll};

/// Compresses one block of every lane.
///
/// The rounds are a loop: the words of the block come from memory in any case, because the state alone fills
/// the registers, and unrolling ten or twelve rounds in every kernel would take the compiler ten times as
/// long.
#[inline(always)]
pub(super) fn compress<W: Blake2Word, V: SimdWord<W>>(
    proof: V::Proof,
    state: &mut [V; 11],
    block: &[V; 16],
) {
    // constant, so that vector code does not contain the unused branch
    if const { V::N == 1 } {
        return compress_one(proof, state, block);
    }
    let mut v = begin(proof, state);
    for r in 0..W::ROUNDS {
        let words = &SIGMA[r % SIGMA.len()];
        round::<false, _, _>(&mut v, |i| block[usize::from(words[i]) % 16]);
    }
    feed_forward(state, &v);
}

/// [`compress`] of one lane in scalar registers, where looking up the position of a word costs a
/// fifth. All kernels share this function: a call is negligible compared with a block, and it needs
/// no special instructions.
#[inline(never)]
fn compress_one<W: Blake2Word, V: SimdWord<W>>(
    proof: V::Proof,
    state: &mut [V; 11],
    block: &[V; 16],
) {
    let mut v = begin(proof, state);
    unroll!(12, r => {
        if r < W::ROUNDS {
            round::<false, _, _>(&mut v, |i| block[usize::from(SIGMA[r % 10][i])]);
        }
    });
    feed_forward(state, &v);
}

/// Counts the block, and initializes the working vector.
#[inline(always)]
fn begin<W: Blake2Word, V: SimdWord<W>>(proof: V::Proof, state: &mut [V; 11]) -> [V; 16] {
    let low = state[COUNTER_LOW].add(V::splat(proof, W::truncate(16 * W::BYTES as u128)));
    // the highest bit was set and is no longer: a carry
    let carry = low.andnot(state[COUNTER_LOW]).shr(8 * W::BYTES as u32 - 1);
    state[COUNTER_LOW] = low;
    state[COUNTER_HIGH] = state[COUNTER_HIGH].add(carry);
    let mut v = [low; 16];
    for i in 0..8 {
        v[i] = state[i];
        v[8 + i] = V::splat(proof, W::IV[i]);
    }
    v[12] = v[12].xor(state[COUNTER_LOW]);
    v[13] = v[13].xor(state[COUNTER_HIGH]);
    v[14] = v[14].xor(state[FINAL_FLAG_WORD]);
    v
}

#[inline(always)]
fn feed_forward<W: Blake2Word, V: SimdWord<W>>(state: &mut [V; 11], v: &[V; 16]) {
    for i in 0..8 {
        state[i] = V::xor3(state[i], v[i], v[8 + i]);
    }
}

/// One round: the four columns, then the four diagonals. `word` returns the words of the block in
/// the round's order.
///
/// With `TOGETHER`, the compiler keeps the order of the text, where four mixing functions advance side
/// by side. Else it tends to compute them one by one, and four chains of dependent instructions need
/// more than the CPU looks ahead.
#[inline(always)]
pub(in super::super) fn round<const TOGETHER: bool, W: Blake2Word, V: SimdWord<W>>(
    v: &mut [V; 16],
    word: impl Fn(usize) -> V,
) {
    let [x, y] = [[word(0), word(2), word(4), word(6)], [word(1), word(3), word(5), word(7)]];
    mix::<TOGETHER, W, V>(v, COLUMNS, x, y);
    let [x, y] = [[word(8), word(10), word(12), word(14)], [word(9), word(11), word(13), word(15)]];
    mix::<TOGETHER, W, V>(v, DIAGONALS, x, y);
}

/// The words of four groups.
type WordGroups = [[usize; 4]; 4];

const COLUMNS: WordGroups = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]];
const DIAGONALS: WordGroups = [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];

/// The mixing function `G` (section 3.1) of four groups, with the words `x` and `y` of the block.
#[inline(always)]
fn mix<const TOGETHER: bool, W: Blake2Word, V: SimdWord<W>>(
    v: &mut [V; 16],
    groups: WordGroups,
    x: [V; 4],
    y: [V; 4],
) {
    let [r1, r2, r3, r4] = W::ROTATIONS;
    if V::FEW_REGISTERS {
        unroll!(4, i => {
            half_mix_one(v, groups[i], x[i], [r1, r2]);
            half_mix_one(v, groups[i], y[i], [r3, r4]);
        });
    } else {
        half_mix::<TOGETHER, W, V>(v, groups, x, [r1, r2]);
        half_mix::<TOGETHER, W, V>(v, groups, y, [r3, r4]);
    }
}

/// Half of the mixing function of one group.
#[inline(always)]
fn half_mix_one<W: Blake2Word, V: SimdWord<W>>(
    v: &mut [V; 16],
    [a, b, c, d]: [usize; 4],
    word: V,
    [r, s]: [u32; 2],
) {
    v[a] = v[a].add(word).add(v[b]);
    v[d] = v[d].xor(v[a]).rotr(r);
    v[c] = v[c].add(v[d]);
    v[b] = v[b].xor(v[c]).rotr(s);
}

/// Half of the mixing function, side by side.
#[inline(always)]
fn half_mix<const TOGETHER: bool, W: Blake2Word, V: SimdWord<W>>(
    v: &mut [V; 16],
    groups: WordGroups,
    words: [V; 4],
    [r, s]: [u32; 2],
) {
    // the word first, because it is available earlier
    unroll!(4, i => { let [a, ..] = groups[i]; v[a] = v[a].add(words[i]).fence(); });
    unroll!(4, i => { let [a, b, ..] = groups[i]; v[a] = v[a].add(v[b]); });
    end_step::<TOGETHER, W, V>(v, groups, 0);
    unroll!(4, i => { let [a, _, _, d] = groups[i]; v[d] = v[d].xor(v[a]); });
    end_step::<TOGETHER, W, V>(v, groups, 3);
    unroll!(4, i => { let [_, _, _, d] = groups[i]; v[d] = v[d].rotr(r); });
    end_step::<TOGETHER, W, V>(v, groups, 3);
    unroll!(4, i => { let [_, _, c, d] = groups[i]; v[c] = v[c].add(v[d]); });
    end_step::<TOGETHER, W, V>(v, groups, 2);
    unroll!(4, i => { let [_, b, c, _] = groups[i]; v[b] = v[b].xor(v[c]); });
    end_step::<TOGETHER, W, V>(v, groups, 1);
    unroll!(4, i => { let [_, b, ..] = groups[i]; v[b] = v[b].rotr(s); });
    end_step::<TOGETHER, W, V>(v, groups, 1);
}

/// Keeps the order of the text at the end of a step, which has set word `word` of each group.
#[inline(always)]
fn end_step<const TOGETHER: bool, W: Blake2Word, V: SimdWord<W>>(
    v: &mut [V; 16],
    groups: WordGroups,
    word: usize,
) {
    if TOGETHER {
        let [i, j, k, l] = [groups[0][word], groups[1][word], groups[2][word], groups[3][word]];
        let (mut a, mut b, mut c, mut d) = (v[i], v[j], v[k], v[l]);
        V::keep_interleaved(&mut a, &mut b);
        V::keep_interleaved(&mut c, &mut d);
        V::keep_interleaved(&mut b, &mut c);
        (v[i], v[j], v[k], v[l]) = (a, b, c, d);
    }
}
