//! The disturbance vectors with all [conditions](super::conditions) met, of many blocks at once.
//!
//! Lanes compute all vectors of a row at once. [`Bits`] gathers the bits of all steps in a few words,
//! several positions in each; from these, the column of a position has its bits from all steps. The
//! exclusive or of two columns, one of them rotated, compares two positions at one distance in all
//! steps. Rotated again, it has a bit for each vector.

use super::{
    conditions::{
        CHECKS, CHECKS_OF_BITS, Check, EARLY_POSITIONS, LATE_POSITIONS, STEPS, is_needed,
    },
    disturbance_vectors::ALL,
};
use crate::{hashes::sha1::schedule, simd::vector::SimdWord, unroll::unroll};

/// The positions with conditions, in sets that share words.
const POSITIONS: [&[u32]; 3] = [&[0, 1, 4, 5, 6, 28, 29], &[2, 7], &[3, 30]];

/// The words that they take.
const WORDS: usize = 10;

/// The places in words at which bits are gathered.
struct Places {
    /// By step and word: the bits that the word takes from the step's.
    taken: [[u32; WORDS]; 80],
    /// By position and word: its bits in the word.
    held: [[u32; WORDS]; 32],
}

/// The bits of each step go to the first word of their set in which their places are free.
const PLACES: Places = {
    let mut places = Places { taken: [[0; WORDS]; 80], held: [[0; WORDS]; 32] };
    let mut used = [0; WORDS];
    let (mut set, mut first) = (0, 0);
    while set < POSITIONS.len() {
        let mut end = first;
        let mut step = STEPS.start;
        while step < STEPS.end {
            let mut bits = 0;
            let mut i = 0;
            while i < POSITIONS[set].len() {
                bits |= bit(step, POSITIONS[set][i]);
                i += 1;
            }
            if bits != 0 {
                let mut word = first;
                while used[word] & bits != 0 {
                    word += 1;
                }
                used[word] |= bits;
                places.taken[step][word] = bits;
                let mut i = 0;
                while i < POSITIONS[set].len() {
                    let position = POSITIONS[set][i];
                    places.held[position as usize][word] |= bit(step, position);
                    i += 1;
                }
                if word >= end {
                    end = word + 1;
                }
            }
            step += 1;
        }
        (set, first) = (set + 1, end);
    }
    places
};

/// The place of the bit of `step` at `position`, or 0 if there is no condition on it.
const fn bit(step: usize, position: u32) -> u32 {
    if is_needed(step, position) { 1 << ((step as u32 + position) % 32) } else { 0 }
}

/// The bits with conditions: the one of step `t` at position `p` is bit `t + p`, modulo 32, of a word.
pub(super) struct Bits<V>([V; WORDS]);

impl<V: SimdWord<u32>> Bits<V> {
    #[inline(always)]
    pub(super) fn new(proof: V::Proof) -> Self {
        Self([V::splat(proof, 0); WORDS])
    }

    /// Takes the bits of the word of step `t`, one of [`STEPS`] and a constant at every call site.
    #[inline(always)]
    pub(super) fn take(&mut self, proof: V::Proof, t: usize, word: V, side: &mut V) {
        let row = word.rotr((32 - t as u32 % 32) % 32);
        unroll!(10, i => {
            if PLACES.taken[t][i] != 0 {
                self.0[i] = self.0[i].or(row.and(V::splat(proof, PLACES.taken[t][i])));
                V::keep_interleaved(&mut self.0[i], side);
            }
        });
    }

    /// The bits of all steps at a position, a constant at every call site.
    #[inline(always)]
    fn column(&self, proof: V::Proof, position: usize) -> V {
        let mut column = V::splat(proof, 0);
        unroll!(10, i => {
            if PLACES.held[position][i] != 0 {
                column = column.or(self.0[i].and(V::splat(proof, PLACES.held[position][i])));
            }
        });
        column
    }

    /// The vectors with all conditions met, as a set for each rotation.
    #[inline(always)]
    pub(super) fn candidates(&self, proof: V::Proof) -> [V; 2] {
        let mut columns = [self.0[0]; 32];
        unroll!(3, set => {
            unroll!(7, i => {
                if i < POSITIONS[set].len() {
                    let position = POSITIONS[set][i] as usize;
                    columns[position] = self.column(proof, position);
                }
            });
        });
        met(proof, &columns)
    }
}

/// The vectors with all conditions met by the columns of the positions with conditions.
#[inline(always)]
fn met<V: SimdWord<u32>>(proof: V::Proof, columns: &[V; 32]) -> [V; 2] {
    let mut failed = [V::splat(proof, 0); 2];
    let mut wrong = failed[0];
    unroll!(3, third => {
        unroll!(20, i => {
            check(proof, 20 * third + i, columns, &mut wrong, &mut failed);
        });
    });
    // not by `map`, which would not inherit the features of the vectors' code
    let [first, second] = failed;
    [first.andnot(V::splat(proof, ALL[0])), second.andnot(V::splat(proof, ALL[1]))]
}

/// Adds the bits that fail a check to `wrong`, which becomes a part of `failed` after the last check with
/// this rotation.
#[inline(always)]
fn check<V: SimdWord<u32>>(
    proof: V::Proof,
    i: usize,
    columns: &[V; 32],
    wrong: &mut V,
    failed: &mut [V; 2],
) {
    let Check { columns: [first, second], apart, to_vectors, vectors, differ, set } = CHECKS[i];
    let different = columns[first].xor(columns[second].rotr(apart));
    let vectors = V::splat(proof, vectors);
    let bits = if differ { different.andnot(vectors) } else { different.and(vectors) };
    *wrong = wrong.or(bits);
    if Check::is_last(i) {
        failed[set] = failed[set].or(wrong.rotr(to_vectors));
        *wrong = V::splat(proof, 0);
    }
}

/// The candidates of blocks of which `w` has the words.
#[inline(always)]
pub(super) fn candidates<V: SimdWord<u32>>(proof: V::Proof, mut w: [V; 16]) -> [V; 2] {
    let mut bits = Bits::new(proof);
    let mut other = w[0];
    unroll!(4, stage => {
        unroll!(20, i => {
            let t = 20 * stage + i;
            if (16..STEPS.end).contains(&t) {
                let word = schedule(&mut w, t);
                if STEPS.contains(&t) {
                    bits.take(proof, t, word, &mut other);
                }
            }
        });
    });
    bits.candidates(proof)
}

/// The candidates of a block. `bits` returns the bits of its schedule at a position, that of step `t` as bit `t % 32`.
#[inline(always)]
pub(super) fn candidates_of_bits(bits: impl Fn(usize) -> u32) -> [u32; 2] {
    let (mut columns, mut failed) = ([0; 32], [0; 2]);
    unroll!(4, i => {
        columns[EARLY_POSITIONS[i]] = bits(EARLY_POSITIONS[i]);
    });
    unroll!(2, half => {
        unroll!(20, i => {
            check_bits(20 * half + i, &columns, &mut failed);
        });
    });
    // nine blocks in ten
    if failed == ALL {
        return [0; 2];
    }
    unroll!(7, i => {
        columns[LATE_POSITIONS[i]] = bits(LATE_POSITIONS[i]);
    });
    unroll!(20, i => {
        check_bits(40 + i, &columns, &mut failed);
    });
    [ALL[0] & !failed[0], ALL[1] & !failed[1]]
}

/// Adds the vectors that fail a check of [`CHECKS_OF_BITS`] to `failed`.
#[inline(always)]
fn check_bits(i: usize, bits: &[u32; 32], failed: &mut [u32; 2]) {
    let Check { columns: [first, second], apart, to_vectors, vectors, differ, set } =
        CHECKS_OF_BITS[i];
    let different = (bits[first] ^ bits[second].rotate_right(apart)).rotate_right(to_vectors);
    failed[set] |= vectors & if differ { !different } else { different };
}
