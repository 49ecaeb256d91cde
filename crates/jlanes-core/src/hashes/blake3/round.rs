//! BLAKE3's compression function over lanes.

use super::{CHUNK_START, COUNTER, FLAGS, LENGTH};
use crate::{
    hashes::{blake2::round::round, sha2::consts::IV_256},
    simd::vector::SimdWord,
    unroll::unroll,
};

/// The words of a block in the order of use by a round: each round permutes those of the round
/// before.
pub(super) const SCHEDULE: [[u8; 16]; 7] = {
    const PERMUTATION: [u8; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
    let mut rounds = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]; 7];
    let mut r = 1;
    while r < 7 {
        let mut i = 0;
        while i < 16 {
            rounds[r][i] = rounds[r - 1][PERMUTATION[i] as usize];
            i += 1;
        }
        r += 1;
    }
    rounds
};

/// Compresses one block of every lane. If the whole output is wanted, it replaces the state.
///
/// The rounds are unrolled, so the positions of words are known at compile time: the working vector
/// and the block together fill 32 registers.
#[inline(always)]
pub(super) fn compress<V: SimdWord<u32>>(
    proof: V::Proof,
    state: &mut [V; 16],
    block: &[V; 16],
    whole: bool,
) {
    let own = take_flags(proof, state);
    let mut v = *state;
    for i in 0..4 {
        v[8 + i] = V::splat(proof, IV_256[i]);
        v[12 + i] = state[COUNTER + i];
    }
    v[15] = own;
    unroll!(7, r => {
        round::<true, _, _>(&mut v, |i| block[usize::from(SCHEDULE[r][i])]);
    });
    for i in 0..8 {
        if whole {
            state[8 + i] = state[i].xor(v[8 + i]);
        }
        state[i] = v[i].xor(v[8 + i]);
    }
}

/// The flags of the next block; the state keeps those of the blocks after it.
#[inline(always)]
pub fn take_flags<V: SimdWord<u32>>(proof: V::Proof, state: &mut [V; 16]) -> V {
    let own;
    (own, state[FLAGS]) = split_flags(proof, state[FLAGS]);
    own
}

/// The flags of a block, and the flags of the state afterwards.
#[inline(always)]
pub(super) fn split_flags<V: SimdWord<u32>>(proof: V::Proof, flags: V) -> (V, V) {
    let last = flags.shr(8).and(flags.shr(24));
    let own = flags.or(last).and(V::splat(proof, 0xff));
    (own, flags.and(V::splat(proof, !CHUNK_START)))
}

// the last four words of the working vector have the same order in a state
const _: () = assert!(LENGTH == COUNTER + 2 && FLAGS == COUNTER + 3);
