//! [`RowCompression`], BLAKE2 of one stream in vectors of four words. RFC 7693's working vector of 16 words is four
//! rows of four, so its four columns are mixed at once, and then, with the rows rotated, its diagonals.

use super::{Blake2, Blake2Word, COUNTER_HIGH, COUNTER_LOW, State, consts::SIGMA};
use crate::{
    compression::Compression,
    simd::vector::{Isa, SimdWord, Vector, VectorCode, Word},
    unroll::unroll,
};

/// One stream of BLAKE2, for instruction sets with vectors that [fit](Self::fits) a row.
pub struct RowCompression<'a, W: Blake2Word> {
    /// The state of the stream.
    pub state: &'a mut State<W>,
    /// Whole blocks.
    pub data: &'a [u8],
}

impl<W: Blake2Word> RowCompression<'_, W> {
    /// Whether the vectors of `I` have four words or more.
    #[must_use]
    pub const fn fits<I: Isa>() -> bool {
        <W::Vector<I> as SimdWord<W>>::N >= 4
    }
}

impl<W: Blake2Word, I: Isa> VectorCode<I> for RowCompression<'_, W> {
    type Out = ();

    /// The chaining values stay in registers: through memory, a block would wait for the one before it.
    #[inline(always)]
    fn call(self, isa: I) {
        let Self { state, data } = self;
        let mut value = [row::<W, I>(isa, |i| state[i]), row::<W, I>(isa, |i| state[4 + i])];
        for block in data.chunks_exact(Blake2::<W>::BLOCK_BYTES) {
            let block_bytes = W::truncate(Blake2::<W>::BLOCK_BYTES as u128);
            let low = state[COUNTER_LOW].wrapping_add(block_bytes);
            let carry = low.andnot(state[COUNTER_LOW]).shr(8 * W::BYTES as u32 - 1);
            state[COUNTER_LOW] = low;
            state[COUNTER_HIGH] = state[COUNTER_HIGH].wrapping_add(carry);
            let counter = |i: usize| if i < 3 { state[COUNTER_LOW + i] } else { W::default() };
            compress::<W, I>(isa, &mut value, row::<W, I>(isa, counter), block);
        }
        for (state, value) in state[..8].chunks_exact_mut(4).zip(value) {
            let mut words = [W::default(); 16];
            value.store(&mut words);
            state.copy_from_slice(&words[..4]);
        }
    }
}

#[inline(always)]
fn compress<W: Blake2Word, I: Isa>(
    isa: I,
    value: &mut [W::Vector<I>; 2],
    counter: W::Vector<I>,
    block: &[u8],
) {
    let block = &block[..Blake2::<W>::BLOCK_BYTES];
    let iv = [row::<W, I>(isa, |i| W::IV[i]), row::<W, I>(isa, |i| W::IV[4 + i])];
    let mut rows = [value[0], value[1], iv[0], iv[1].xor(counter)];
    unroll!(12, r => {
        if r < W::ROUNDS {
            // the columns, then the diagonals
            mix::<W, I>(isa, &mut rows, [
                words::<W, I>(isa, block, r, [0, 2, 4, 6]),
                words::<W, I>(isa, block, r, [1, 3, 5, 7]),
            ]);
            rotate_rows(isa.proof(), &mut rows, [3, 1, 2]);
            mix::<W, I>(isa, &mut rows, [
                words::<W, I>(isa, block, r, [14, 8, 10, 12]),
                words::<W, I>(isa, block, r, [15, 9, 11, 13]),
            ]);
            rotate_rows(isa.proof(), &mut rows, [1, 3, 2]);
        }
    });
    for i in 0..2 {
        value[i] = W::Vector::<I>::xor3(value[i], rows[i], rows[2 + i]);
    }
}

/// A row, repeated to fill the vector; rotation preserves that.
#[inline(always)]
fn row<W: Word, I: Isa>(isa: I, word: impl Fn(usize) -> W) -> W::Vector<I> {
    let mut words = [W::default(); 16];
    for i in 0..16 {
        words[i] = word(i % 4);
    }
    W::Vector::<I>::load(isa.proof(), &words)
}

/// Words of round `r`. No closure: it would not be inlined into code for the set.
#[inline(always)]
fn words<W: Blake2Word, I: Isa>(isa: I, block: &[u8], r: usize, at: [usize; 4]) -> W::Vector<I> {
    W::gather_row(isa, block, round_positions(&SIGMA[r % 10], at))
}

/// The positions in a block of the words that a round takes at the places `a` to `d` of its order.
#[inline(always)]
pub(in super::super) fn round_positions(order: &[u8; 16], [a, b, c, d]: [usize; 4]) -> [usize; 4] {
    [order[a].into(), order[b].into(), order[c].into(), order[d].into()]
}

/// Rotates the first, third and fourth row to the left: diagonals become columns, and columns
/// diagonals. The second row is the last result of a round and the first input of the next, so it
/// stays, and the others rotate instead.
#[inline(always)]
pub(in super::super) fn rotate_rows<W: Word, V: Vector<W>>(
    proof: V::Proof,
    rows: &mut [V; 4],
    [a, c, d]: [usize; 3],
) {
    rows[0] = V::rotate_groups_left(proof, rows[0], a);
    rows[2] = V::rotate_groups_left(proof, rows[2], c);
    rows[3] = V::rotate_groups_left(proof, rows[3], d);
}

/// The mixing function (RFC 7693, section 3.1) of four columns.
#[inline(always)]
pub(in super::super) fn mix<W: Blake2Word, I: Isa>(
    isa: I,
    [a, b, c, d]: &mut [W::Vector<I>; 4],
    [x, y]: [W::Vector<I>; 2],
) {
    let [r1, r2, r3, r4] = W::ROTATIONS;
    *a = a.add(x).fence().add(*b);
    *d = W::xor_rotr(isa, *d, *a, r1);
    *c = c.add(*d);
    *b = W::xor_rotr(isa, *b, *c, r2);
    *a = a.add(y).fence().add(*b);
    *d = W::xor_rotr(isa, *d, *a, r3);
    *c = c.add(*d);
    *b = W::xor_rotr(isa, *b, *c, r4);
}
