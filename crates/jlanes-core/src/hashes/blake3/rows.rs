//! One stream in vectors of four words, as [BLAKE2's](crate::hashes::blake2::rows).

use super::{BLOCK, COUNTER, FLAGS, State, round::SCHEDULE};
use crate::{
    hashes::{
        blake2::rows::{mix, row, turn},
        sha2::consts::IV_256,
    },
    simd::{
        portable::PlainWords,
        vector::{Isa, Vector, VectorCode, Word},
    },
    unroll::unroll,
};

/// One stream, for instruction sets with vectors that fit a row.
pub struct RowCompression<'a> {
    /// Its state.
    pub state: &'a mut State,
    /// Whole blocks.
    pub data: &'a [u8],
    /// Whether the state becomes the whole output of the last block.
    pub whole: bool,
}

impl<I: Isa> VectorCode<I> for RowCompression<'_> {
    type Out = ();

    #[inline(always)]
    fn call(self, isa: I) {
        for block in self.data.chunks_exact(BLOCK) {
            compress::<I::U32>(isa.proof(), self.state, block, self.whole);
        }
    }
}

#[inline(always)]
fn compress<V: Vector<u32>>(proof: V::Proof, state: &mut State, block: &[u8], whole: bool) {
    let block = &block[..BLOCK];
    let (flags, after) = super::round::flags((), PlainWords([state[FLAGS]]));
    state[FLAGS] = after.0[0];
    let counter = |i: usize| if i < 3 { state[COUNTER + i] } else { flags.0[0] };
    let h = [row::<u32, V>(proof, |i| state[i]), row::<u32, V>(proof, |i| state[4 + i])];
    let mut rows = [h[0], h[1], row(proof, |i| IV_256[i]), row(proof, counter)];
    unroll!(7, r => {
        let word = |i: usize| Word::from_le(&block[4 * usize::from(SCHEDULE[r][i])..]);
        // the columns, then the diagonals
        mix(&mut rows, [
            row::<u32, V>(proof, |i| word(2 * i)),
            row::<u32, V>(proof, |i| word(2 * i + 1)),
        ]);
        turn(proof, &mut rows, [3, 1, 2]);
        mix(&mut rows, [
            row::<u32, V>(proof, |i| word(8 + 2 * ((i + 3) % 4))),
            row::<u32, V>(proof, |i| word(9 + 2 * ((i + 3) % 4))),
        ]);
        turn(proof, &mut rows, [1, 3, 2]);
    });
    let mut put = |at: usize, v: V| {
        let mut words = [0; 16];
        v.store(&mut words);
        state[at..at + 4].copy_from_slice(&words[..4]);
    };
    put(0, rows[0].xor(rows[2]));
    put(4, rows[1].xor(rows[3]));
    if whole {
        put(8, h[0].xor(rows[2]));
        put(12, h[1].xor(rows[3]));
    }
}
