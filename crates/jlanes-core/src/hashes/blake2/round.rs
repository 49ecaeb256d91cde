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
        round(&mut v, |i| block[usize::from(words[i]) % 16]);
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
            round(&mut v, |i| block[usize::from(SIGMA[r % 10][i])]);
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
#[inline(always)]
pub(in super::super) fn round<W: Blake2Word, V: SimdWord<W>>(
    v: &mut [V; 16],
    word: impl Fn(usize) -> V,
) {
    unroll!(4, i => { mix(v, [i, 4 + i, 8 + i, 12 + i], [word(2 * i), word(2 * i + 1)]); });
    unroll!(4, i => {
        let diagonal = [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4];
        mix(v, diagonal, [word(8 + 2 * i), word(9 + 2 * i)]);
    });
}

/// The mixing function `G` (section 3.1).
#[inline(always)]
fn mix<W: Blake2Word, V: SimdWord<W>>(v: &mut [V; 16], [a, b, c, d]: [usize; 4], [x, y]: [V; 2]) {
    let [r1, r2, r3, r4] = W::ROTATIONS;
    // the word first, because it is available earlier
    v[a] = v[a].add(x).fence().add(v[b]);
    v[d] = v[d].xor(v[a]).rotr(r1);
    v[c] = v[c].add(v[d]);
    v[b] = v[b].xor(v[c]).rotr(r2);
    v[a] = v[a].add(y).fence().add(v[b]);
    v[d] = v[d].xor(v[a]).rotr(r3);
    v[c] = v[c].add(v[d]);
    v[b] = v[b].xor(v[c]).rotr(r4);
}
