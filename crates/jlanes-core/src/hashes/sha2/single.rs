//! The message schedule of a single block, in vectors of its consecutive words.
//!
//! n-SMS needs a group of blocks, and its first group waits for its schedule. This method needs no
//! other block: the schedule is sixteen words ahead of the rounds, and both kinds of units are busy
//! from the start. The price is that a word depends on the one two before it, so the words of a
//! vector are not completed at once (`round::next_row`).

use super::{Sha2, Sha2Word, round};
use crate::{
    compression::Compression,
    schedules::{MAX_ROUNDS, Scheduled, feed_forward, scalar},
    simd::vector::{Isa, SimdWord, Vector, VectorCode},
    unroll::unroll,
};

/// The maximum number of vectors for sixteen words: the shortest vector has two words.
pub(super) const MAX_ROWS: usize = 8;

/// Compresses one message's blocks, each with its own schedule.
#[derive(Debug)]
pub struct SingleStream<'a, 's, W> {
    /// Chaining value.
    pub state: &'s mut [W; 8],
    /// Whole blocks.
    pub data: &'a [u8],
    /// Room for `W_t + K_t` of a block. The caller clears it: code for AVX-512VL would do that in registers
    /// of 512 bits, and some Intel cores then lower their clock for a millisecond.
    pub words: &'s mut [W; MAX_ROUNDS],
}

impl<W: Sha2Word, I: Isa> VectorCode<I> for SingleStream<'_, '_, W> {
    type Out = ();

    #[inline(always)]
    fn call(self, isa: I) {
        for block in self.data.chunks_exact(Sha2::<W>::BLOCK_BYTES) {
            compress::<W, W::Vector<I>>(isa.proof(), self.state, block, self.words);
        }
    }
}

#[inline(always)]
fn compress<W: Sha2Word, V: Vector<W>>(
    proof: V::Proof,
    state: &mut [W; 8],
    block: &[u8],
    words: &mut [W; MAX_ROUNDS],
) {
    const { assert!(2 <= V::N && V::N <= 8 && Sha2::<W>::ROUNDS_PER_STEP == 8) };
    let count = 16 / V::N;
    let mut rows = [V::splat(proof, W::default()); MAX_ROWS];
    for i in 0..count {
        rows[i] = V::load_bytes(proof, Sha2::<W>::ORDER, &block[i * V::N * W::BYTES..]);
        keep::<W, V>(proof, rows[i], i * V::N, words);
    }
    let mut s = scalar::<Sha2<W>>(state);
    for t in (16..W::ROUNDS).step_by(16) {
        // Half of the rows, then half of the rounds, so that vectors and scalar registers work at the same time.
        // The halves are literal: otherwise the rows would go through memory.
        unroll!(2, half => {
            for i in half * count / 2..(half + 1) * count / 2 {
                rows[i] = round::next_row(proof, &rows, i);
                keep::<W, V>(proof, rows[i], t + i * V::N, words);
            }
            let done = t - 16 + 8 * half;
            Sha2::rounds(&mut s, done, &words[done..], 1);
        });
    }
    unroll!(2, half => {
        let done = W::ROUNDS - 16 + 8 * half;
        Sha2::rounds(&mut s, done, &words[done..], 1);
    });
    feed_forward::<Sha2<W>>(state, &s);
}

/// Stores `W_t + K_t` of a row for the rounds.
#[inline(always)]
fn keep<W: Sha2Word, V: SimdWord<W>>(
    proof: V::Proof,
    row: V,
    t: usize,
    words: &mut [W; MAX_ROUNDS],
) {
    row.add(V::load(proof, &W::K[t..])).store(&mut words[t..]);
}
