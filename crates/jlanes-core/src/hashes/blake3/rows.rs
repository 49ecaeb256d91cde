//! One stream in vectors of four words, as [BLAKE2's](crate::hashes::blake2::rows).

use super::{BLOCK, COUNTER, FLAGS, State, round::SCHEDULE};
use crate::{
    hashes::{
        blake2::rows::{mix, rotate_rows, round_positions},
        sha2::consts::IV_256,
    },
    simd::{
        portable::PlainWords,
        vector::{Isa, SimdWord, Vector, VectorCode},
    },
    unroll::unroll,
};

/// A stream of BLAKE3, for instruction sets with vectors that fit a row.
pub struct RowCompression<'a> {
    /// The state.
    pub state: &'a mut State,
    /// Whole blocks.
    pub data: &'a [u8],
    /// Whether the state becomes the whole output of the last block.
    pub whole: bool,
}

impl<I: Isa> VectorCode<I> for RowCompression<'_> {
    type Out = ();

    /// The chaining value stays in registers: through memory, a block would wait for the one before it.
    #[inline(always)]
    fn call(self, isa: I) {
        let Self { state, data, whole } = self;
        let mut value = [row(isa, &state[..4]), row(isa, &state[4..8])];
        let mut second = value;
        let (blocks, _) = data.as_chunks();
        for block in blocks {
            let (own, after) = super::round::split_flags((), PlainWords([state[FLAGS]]));
            state[FLAGS] = after.0[0];
            let mut counters = [own.0[0]; 4];
            counters[..3].copy_from_slice(&state[COUNTER..COUNTER + 3]);
            [value, second] = compress(isa, value, row(isa, &counters), block);
        }
        put(state, 0, value);
        if whole && !blocks.is_empty() {
            put(state, 8, second);
        }
    }
}

/// The halves of the output, from the rows of the chaining value and of counter, length and flags.
#[inline(always)]
fn compress<I: Isa>(
    isa: I,
    value: [I::U32; 2],
    counters: I::U32,
    block: &[u8; BLOCK],
) -> [[I::U32; 2]; 2] {
    let mut all = [value[0], value[1], row(isa, &IV_256[..4]), counters];
    unroll!(7, r => {
        // the columns, then the diagonals
        mix::<u32, I>(
            isa,
            &mut all,
            [words(isa, block, r, [0, 2, 4, 6]), words(isa, block, r, [1, 3, 5, 7])],
        );
        rotate_rows(isa.proof(), &mut all, [3, 1, 2]);
        mix::<u32, I>(
            isa,
            &mut all,
            [words(isa, block, r, [14, 8, 10, 12]), words(isa, block, r, [15, 9, 11, 13])],
        );
        rotate_rows(isa.proof(), &mut all, [1, 3, 2]);
    });
    let [a, b, c, d] = all;
    [[a.xor(c), b.xor(d)], [value[0].xor(c), value[1].xor(d)]]
}

/// Writes two rows, from word `at` on.
#[inline(always)]
fn put<V: Vector<u32>>(state: &mut State, at: usize, rows: [V; 2]) {
    for r in 0..2 {
        let mut words = [0; 16];
        rows[r].store(&mut words);
        state[at + 4 * r..][..4].copy_from_slice(&words[..4]);
    }
}

/// A row, repeated to fill the vector.
#[inline(always)]
fn row<I: Isa>(isa: I, row: &[u32]) -> I::U32 {
    let mut words = [0; 16];
    for i in 0..16 {
        words[i] = row[i % 4];
    }
    I::U32::load(isa.proof(), &words)
}

/// Words of round `r`. No closure: it would not be inlined into code for the set.
#[inline(always)]
fn words<I: Isa>(isa: I, block: &[u8; BLOCK], r: usize, at: [usize; 4]) -> I::U32 {
    isa.gather_row32(block, round_positions(&SCHEDULE[r], at))
}
