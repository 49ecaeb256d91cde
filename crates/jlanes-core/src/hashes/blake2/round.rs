//! The compression function `F` (RFC 7693, section 3.2) over lanes.

use super::{Blake2Word, FINAL, HIGH, LOW, consts::SIGMA};
use crate::{simd::lanes::SimdWord, unroll::unroll};

/// One block of every lane.
///
/// The rounds are a loop: the words of the block come from memory in any case, because the state
/// alone fills the registers, and unrolling ten or twelve rounds in every kernel would take the
/// compiler ten times as long.
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
    let low = state[LOW].add(V::splat(proof, W::truncate(16 * W::BYTES as u128)));
    // the highest bit was set and is no longer: a carry
    let carry = low.andnot(state[LOW]).shr(8 * W::BYTES as u32 - 1);
    state[LOW] = low;
    state[HIGH] = state[HIGH].add(carry);
    let mut v = [low; 16];
    for i in 0..8 {
        v[i] = state[i];
        v[8 + i] = V::splat(proof, W::IV[i]);
    }
    v[12] = v[12].xor(state[LOW]);
    v[13] = v[13].xor(state[HIGH]);
    v[14] = v[14].xor(state[FINAL]);
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
    let columns = [0, 1, 2, 3].map(|i| [i, 4 + i, 8 + i, 12 + i]);
    let diagonals = [0, 1, 2, 3].map(|i| [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
    mix::<TOGETHER, W, V>(v, columns, |i| [word(2 * i), word(2 * i + 1)]);
    mix::<TOGETHER, W, V>(v, diagonals, |i| [word(8 + 2 * i), word(9 + 2 * i)]);
}

/// The mixing function `G` (section 3.1) of four groups of words, side by side.
#[inline(always)]
fn mix<const TOGETHER: bool, W: Blake2Word, V: SimdWord<W>>(
    v: &mut [V; 16],
    at: [[usize; 4]; 4],
    words: impl Fn(usize) -> [V; 2],
) {
    if V::FEW_REGISTERS {
        unroll!(4, i => { mix_one(v, at[i], words(i)); });
        return;
    }
    let [r1, r2, r3, r4] = W::ROTATIONS;
    for (half, (r, s)) in [(r1, r2), (r3, r4)].into_iter().enumerate() {
        // the word first, because it is available earlier
        each(v, at, 0, |v, i, [a, ..]| v[a].add(words(i)[half]).fence());
        step::<TOGETHER, W, V>(v, at, 0, |v, [a, b, ..]| v[a].add(v[b]));
        step::<TOGETHER, W, V>(v, at, 3, |v, [a, _, _, d]| v[d].xor(v[a]));
        step::<TOGETHER, W, V>(v, at, 3, |v, [_, _, _, d]| v[d].rotr(r));
        step::<TOGETHER, W, V>(v, at, 2, |v, [_, _, c, d]| v[c].add(v[d]));
        step::<TOGETHER, W, V>(v, at, 1, |v, [_, b, c, _]| v[b].xor(v[c]));
        step::<TOGETHER, W, V>(v, at, 1, |v, [_, b, _, _]| v[b].rotr(s));
    }
}

/// The mixing function of one group.
#[inline(always)]
fn mix_one<W: Blake2Word, V: SimdWord<W>>(
    v: &mut [V; 16],
    [a, b, c, d]: [usize; 4],
    words: [V; 2],
) {
    let [r1, r2, r3, r4] = W::ROTATIONS;
    for (word, r, s) in [(words[0], r1, r2), (words[1], r3, r4)] {
        v[a] = v[a].add(word).add(v[b]);
        v[d] = v[d].xor(v[a]).rotr(r);
        v[c] = v[c].add(v[d]);
        v[b] = v[b].xor(v[c]).rotr(s);
    }
}

/// Sets word `word` of each group.
#[inline(always)]
fn each<V: Copy>(
    v: &mut [V; 16],
    at: [[usize; 4]; 4],
    word: usize,
    value: impl Fn(&[V; 16], usize, [usize; 4]) -> V,
) {
    unroll!(4, i => { v[at[i][word]] = value(v, i, at[i]); });
}

/// [`each`], as one step of all groups.
#[inline(always)]
fn step<const TOGETHER: bool, W: Blake2Word, V: SimdWord<W>>(
    v: &mut [V; 16],
    at: [[usize; 4]; 4],
    word: usize,
    value: impl Fn(&[V; 16], [usize; 4]) -> V,
) {
    each(v, at, word, |v, _, at| value(v, at));
    if TOGETHER {
        let [i, j, k, l] = at.map(|group| group[word]);
        let (mut a, mut b, mut c, mut d) = (v[i], v[j], v[k], v[l]);
        V::keep_step(&mut a, &mut b);
        V::keep_step(&mut c, &mut d);
        V::keep_step(&mut b, &mut c);
        (v[i], v[j], v[k], v[l]) = (a, b, c, d);
    }
}
