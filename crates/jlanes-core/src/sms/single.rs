//! The message schedule of a single block, in vectors of its consecutive words.
//!
//! n-SMS needs a group of blocks, and its first group waits for its schedule. This method needs no
//! other block: the schedule is sixteen words ahead of the rounds, and both kinds of units are busy
//! from the start. The price is that a word depends on the one two before it, so the words of a
//! vector are not completed at once ([`RowScheduled::next_row`]).

pub use super::MAX_ROUNDS;
use super::{Scheduled, feed_forward, scalar};
use crate::{
    compression::Compression,
    simd::vector::{Isa, SimdWord, Vector, VectorCode, Word},
    unroll::unroll,
};

/// A compression function with sixteen words per block, each dependent on the sixteen before it.
pub trait RowScheduled: Scheduled {
    /// `K_t`, for all rounds.
    const CONSTANTS: &'static [Self::Word];

    /// The `N` words after the sixteen of `rows`, a ring that begins at `oldest`.
    fn next_row<V: Vector<Self::Word>>(proof: V::Proof, rows: &[V; MAX_ROWS], oldest: usize) -> V;
}

/// The maximum number of vectors for sixteen words: the shortest vector has two words.
pub const MAX_ROWS: usize = 8;

/// Compresses one message's blocks, each with its own schedule.
#[derive(Debug)]
pub struct SingleStream<'a, 's, C: Compression> {
    /// Chaining value.
    pub state: &'s mut C::State<C::Word>,
    /// Whole blocks.
    pub data: &'a [u8],
    /// Room for `W_t + K_t` of a block. The caller clears it: code for AVX-512VL would do that in registers
    /// of 512 bits, and some Intel cores then lower their clock for a millisecond.
    pub words: &'s mut [C::Word; MAX_ROUNDS],
}

impl<C: RowScheduled, I: Isa> VectorCode<I> for SingleStream<'_, '_, C> {
    type Out = ();

    #[inline(always)]
    fn call(self, isa: I) {
        for block in self.data.chunks_exact(C::BLOCK) {
            compress::<C, <C::Word as Word>::Vector<I>>(isa.proof(), self.state, block, self.words);
        }
    }
}

#[inline(always)]
fn compress<C: RowScheduled, V: Vector<C::Word>>(
    proof: V::Proof,
    state: &mut C::State<C::Word>,
    block: &[u8],
    words: &mut [C::Word; MAX_ROUNDS],
) {
    const { assert!(2 <= V::N && V::N <= 8 && C::STRETCH == 8) };
    let count = 16 / V::N;
    let mut rows = [V::splat(proof, C::Word::default()); MAX_ROWS];
    for i in 0..count {
        rows[i] = V::load_bytes(proof, C::ORDER, &block[i * V::N * C::Word::BYTES..]);
        keep::<C, V>(proof, rows[i], i * V::N, words);
    }
    let mut s = scalar::<C>(state);
    for t in (16..C::ROUNDS).step_by(16) {
        // Half of the rows, then half of the rounds: 10 % faster than all at once for SHA-512. The halves are
        // literal, or the rows would go through memory (7 %).
        unroll!(2, half => {
            for i in half * count / 2..(half + 1) * count / 2 {
                rows[i] = C::next_row(proof, &rows, i);
                keep::<C, V>(proof, rows[i], t + i * V::N, words);
            }
            let done = t - 16 + 8 * half;
            C::rounds(&mut s, done, &words[done..], 1);
        });
    }
    unroll!(2, half => {
        let done = C::ROUNDS - 16 + 8 * half;
        C::rounds(&mut s, done, &words[done..], 1);
    });
    feed_forward::<C>(state, &s);
}

/// Stores `W_t + K_t` of a row for the rounds.
#[inline(always)]
fn keep<C: RowScheduled, V: SimdWord<C::Word>>(
    proof: V::Proof,
    row: V,
    t: usize,
    words: &mut [C::Word; MAX_ROUNDS],
) {
    row.add(V::load(proof, &C::CONSTANTS[t..])).store(&mut words[t..]);
}
