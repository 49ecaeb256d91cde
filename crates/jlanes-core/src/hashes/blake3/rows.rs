//! One stream in vectors of four words, or two in vectors of eight, as [BLAKE2's](crate::hashes::blake2::rows).

use super::{BLOCK, COUNTER, FLAGS, State, round::SCHEDULE};
use crate::{
    hashes::{
        blake2::rows::{in_order, mix, turn},
        sha2::consts::IV_256,
    },
    simd::{
        portable::PlainWords,
        vector::{Isa, SimdWord, Vector, VectorCode},
    },
    unroll::unroll,
};

/// `M` streams of BLAKE3 side by side, for instruction sets with vectors that fit a row of each.
pub struct RowCompression<'a, const M: usize> {
    /// The states of the streams.
    pub states: &'a mut [State; M],
    /// Whole blocks, equally many of each.
    pub data: [&'a [u8]; M],
    /// Whether the state becomes the whole output of the last block.
    pub whole: bool,
}

impl<I: Isa, const M: usize> VectorCode<I> for RowCompression<'_, M> {
    type Out = ();

    /// The chaining values stay in registers: through memory, a block would wait for the one before it.
    #[inline(always)]
    fn call(self, isa: I) {
        const { assert!(M == 1 || M == 2 && I::U32::N == 8, "a vector has room for the rows") }
        let Self { states, data, whole } = self;
        let mut value =
            [rows::<I, M>(isa, |m, i| states[m][i]), rows::<I, M>(isa, |m, i| states[m][4 + i])];
        let mut second = value;
        for b in 0..data[0].len() / BLOCK {
            let (mut blocks, mut own) = ([&[0; BLOCK]; M], [0; M]);
            for m in 0..M {
                blocks[m] = &data[m].as_chunks().0[b];
                let (flags, after) = super::round::flags((), PlainWords([states[m][FLAGS]]));
                (own[m], states[m][FLAGS]) = (flags.0[0], after.0[0]);
            }
            let counters = |m: usize, i: usize| if i < 3 { states[m][COUNTER + i] } else { own[m] };
            [value, second] = compress(isa, value, rows::<I, M>(isa, counters), blocks);
        }
        put(states, 0, value);
        if whole && !data[0].is_empty() {
            put(states, 8, second);
        }
    }
}

/// The halves of the output, from the rows of the chaining values and of counters, lengths and flags.
#[inline(always)]
fn compress<I: Isa, const M: usize>(
    isa: I,
    value: [I::U32; 2],
    counters: I::U32,
    blocks: [&[u8; BLOCK]; M],
) -> [[I::U32; 2]; 2] {
    let mut all = [value[0], value[1], rows::<I, M>(isa, |_, i| IV_256[i]), counters];
    unroll!(7, r => {
        // the columns, then the diagonals
        mix(&mut all, [words(isa, blocks, r, [0, 2, 4, 6]), words(isa, blocks, r, [1, 3, 5, 7])]);
        turn(isa.proof(), &mut all, [3, 1, 2]);
        mix(
            &mut all,
            [words(isa, blocks, r, [14, 8, 10, 12]), words(isa, blocks, r, [15, 9, 11, 13])],
        );
        turn(isa.proof(), &mut all, [1, 3, 2]);
    });
    let [a, b, c, d] = all;
    [[a.xor(c), b.xor(d)], [value[0].xor(c), value[1].xor(d)]]
}

/// Writes two rows of each stream, from word `at` on.
#[inline(always)]
fn put<V: Vector<u32>, const M: usize>(states: &mut [State; M], at: usize, rows: [V; 2]) {
    for r in 0..2 {
        let mut words = [0; 16];
        rows[r].store(&mut words);
        for m in 0..M {
            states[m][at + 4 * r..][..4].copy_from_slice(&words[4 * m..4 * m + 4]);
        }
    }
}

/// A row of each stream, repeated to fill the vector.
#[inline(always)]
fn rows<I: Isa, const M: usize>(isa: I, word: impl Fn(usize, usize) -> u32) -> I::U32 {
    let mut words = [0; 16];
    for i in 0..16 {
        words[i] = word(i / 4 % M, i % 4);
    }
    I::U32::load(isa.proof(), &words)
}

/// Words of round `r` of each stream. No closure: it would not be inlined into code for the set.
#[inline(always)]
fn words<I: Isa, const M: usize>(
    isa: I,
    blocks: [&[u8; BLOCK]; M],
    r: usize,
    at: [usize; 4],
) -> I::U32 {
    let at = in_order(&SCHEDULE[r], at);
    let first = isa.pick32(blocks[0], at);
    if M == 1 {
        return first;
    }
    // each is repeated in both halves
    I::U32::straddle(isa.proof(), first, isa.pick32(blocks[M - 1], at), I::U32::N / 2)
}
