//! [`RowCompression`], BLAKE2 of one stream in vectors of four words. RFC 7693's working vector of 16 words is four
//! rows of four, so its four columns are mixed at once, and then, with the rows rotated, its diagonals.

use super::{Blake2, Blake2Word, HIGH, LOW, State, consts::SIGMA};
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

    #[inline(always)]
    fn call(self, isa: I) {
        for block in self.data.chunks_exact(Blake2::<W>::BLOCK) {
            compress::<W, W::Vector<I>>(isa.proof(), self.state, block);
        }
    }
}

#[inline(always)]
fn compress<W: Blake2Word, V: Vector<W>>(proof: V::Proof, state: &mut State<W>, block: &[u8]) {
    let block = &block[..Blake2::<W>::BLOCK];
    let low = state[LOW].wrapping_add(W::truncate(Blake2::<W>::BLOCK as u128));
    let carry = low.andnot(state[LOW]).shr(8 * W::BYTES as u32 - 1);
    state[LOW] = low;
    state[HIGH] = state[HIGH].wrapping_add(carry);
    let h = [row::<W, V>(proof, |i| state[i]), row::<W, V>(proof, |i| state[4 + i])];
    let counter = row::<W, V>(proof, |i| if i < 3 { state[LOW + i] } else { W::default() });
    let iv = [row::<W, V>(proof, |i| W::IV[i]), row::<W, V>(proof, |i| W::IV[4 + i])];
    let mut rows = [h[0], h[1], iv[0], iv[1].xor(counter)];
    unroll!(12, r => {
        if r < W::ROUNDS {
            let word = |i: usize| W::from_le(&block[usize::from(SIGMA[r % 10][i]) * W::BYTES..]);
            // the columns, then the diagonals
            mix(&mut rows, [
                row::<W, V>(proof, |i| word(2 * i)),
                row::<W, V>(proof, |i| word(2 * i + 1)),
            ]);
            turn(proof, &mut rows, [3, 1, 2]);
            mix(&mut rows, [
                row::<W, V>(proof, |i| word(8 + 2 * ((i + 3) % 4))),
                row::<W, V>(proof, |i| word(9 + 2 * ((i + 3) % 4))),
            ]);
            turn(proof, &mut rows, [1, 3, 2]);
        }
    });
    let h = [V::xor3(h[0], rows[0], rows[2]), V::xor3(h[1], rows[1], rows[3])];
    for (state, h) in state[..8].chunks_exact_mut(4).zip(h) {
        let mut words = [W::default(); 16];
        h.store(&mut words);
        state.copy_from_slice(&words[..4]);
    }
}

/// A row, repeated to fill the vector; rotation preserves that.
#[inline(always)]
pub(in super::super) fn row<W: Word, V: Vector<W>>(
    proof: V::Proof,
    word: impl Fn(usize) -> W,
) -> V {
    let words = [word(0), word(1), word(2), word(3)];
    let mut all = [W::default(); 16];
    for i in 0..16 {
        all[i] = words[i % 4];
    }
    V::load(proof, &all)
}

/// Rotates the first, third and fourth row to the left: diagonals become columns, and columns
/// diagonals. The second row is the last result of a round and the first input of the next, so it
/// stays, and the others rotate instead.
#[inline(always)]
pub(in super::super) fn turn<W: Word, V: Vector<W>>(
    proof: V::Proof,
    rows: &mut [V; 4],
    [a, c, d]: [usize; 3],
) {
    rows[0] = V::straddle(proof, rows[0], rows[0], a);
    rows[2] = V::straddle(proof, rows[2], rows[2], c);
    rows[3] = V::straddle(proof, rows[3], rows[3], d);
}

/// The mixing function (RFC 7693, section 3.1) of four columns.
#[inline(always)]
pub(in super::super) fn mix<W: Blake2Word, V: SimdWord<W>>(
    [a, b, c, d]: &mut [V; 4],
    [x, y]: [V; 2],
) {
    let [r1, r2, r3, r4] = W::ROTATIONS;
    *a = a.add(x).fence().add(*b);
    *d = d.xor(*a).rotr(r1);
    *c = c.add(*d);
    *b = b.xor(*c).rotr(r2);
    *a = a.add(y).fence().add(*b);
    *d = d.xor(*a).rotr(r3);
    *c = c.add(*d);
    *b = b.xor(*c).rotr(r4);
}
