//! Transposes of *squares*, as many words of each lane as a vector has lanes: rows of bytes to columns, and back.

use super::{
    runs::Runs,
    subslice::{subslice, subslice_mut},
    vector::{Array, ByteOrder, Vector, Word},
};

/// [`load_block`] of runs with equal lengths and the same byte after them: computes the common
/// values once.
#[inline(always)]
pub(crate) fn load_alike<W: Word, V: Vector<W>, B: Array<V>>(
    proof: V::Proof,
    order: ByteOrder,
    (runs, pad): (&Runs<'_>, u8),
    at: usize,
) -> B {
    let mut block = B::splat(V::splat(proof, W::default()));
    let alike = AlikeRows { runs: subslice(runs.runs(), 0, V::N), len: runs.shortest(), pad };
    for word in (0..B::LEN).step_by(V::N) {
        let columns = load_rows::<W, V, _>(proof, order, &alike, at + word * W::BYTES);
        for i in 0..V::N {
            block.as_mut()[word + i] = columns.as_ref()[i];
        }
    }
    block
}

/// Runs of equal lengths that may end within the block.
struct AlikeRows<'a> {
    runs: &'a [&'a [u8]],
    len: usize,
    pad: u8,
}

impl RowSource for AlikeRows<'_> {
    #[inline(always)]
    fn row<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        lane: usize,
        at: usize,
    ) -> V {
        V::load_padded(proof, order, subslice(self.runs[lane], 0, self.len), at, self.pad)
    }
}

/// Writes the first `size` bytes of each lane's state to `out`, lane after lane.
#[inline(always)]
pub(crate) fn store_digests<W: Word, V: Vector<W>, S: Array<V>>(
    proof: V::Proof,
    order: ByteOrder,
    state: &S,
    size: usize,
    out: &mut [u8],
) {
    for first in (0..S::LEN).step_by(V::N) {
        let row = first * W::BYTES;
        if row >= size {
            break;
        }
        let words = &state.as_ref()[first..];
        V::store_columns(proof, &words[..words.len().min(V::N)], order, (row, size), out);
    }
}

/// A source of the rows of squares: lanes with contiguous blocks.
pub(crate) trait RowSource {
    /// The words of lane `lane` from byte `at` of its run on. Bytes beyond the end of the block are
    /// ignored.
    fn row<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        lane: usize,
        at: usize,
    ) -> V;

    /// A square of words as columns, from byte `at` of each run on. `whole` means that it lies
    /// within the block.
    #[inline(always)]
    fn square<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        at: usize,
        _whole: bool,
    ) -> V::Per<V> {
        load_rows::<W, V, _>(proof, order, self, at)
    }
}

/// [`RowSource::square`], row by row.
#[inline(always)]
fn load_rows<W: Word, V: Vector<W>, R: RowSource + ?Sized>(
    proof: V::Proof,
    order: ByteOrder,
    lanes: &R,
    at: usize,
) -> V::Per<V> {
    let mut rows = V::Per::<V>::splat(V::splat(proof, W::default()));
    // nested, so that it is unrolled
    for l in (0..V::N).step_by(4) {
        for l in l..(l + 4).min(V::N) {
            rows.as_mut()[l] = lanes.row(proof, order, l, at);
        }
    }
    V::transpose(rows)
}

/// Runs that contain the whole block.
pub(crate) struct WholeRows<'a>(pub(crate) Runs<'a>);

impl RowSource for WholeRows<'_> {
    #[inline(always)]
    fn row<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        lane: usize,
        at: usize,
    ) -> V {
        V::load_padded(proof, order, self.0.runs()[lane], at, 0)
    }

    #[inline(always)]
    fn square<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        at: usize,
        whole: bool,
    ) -> V::Per<V> {
        // most runs go on after the block, and their bytes need no masks
        if whole || at + V::N * W::BYTES <= self.0.shortest() {
            V::load_square(proof, order, &self.0, 0, at)
        } else {
            load_rows::<W, V, _>(proof, order, self, at)
        }
    }
}

/// Runs that may end within the block.
pub(crate) struct PaddedRows<'a> {
    pub(crate) runs: &'a [&'a [u8]],
    pub(crate) pads: &'a [u8],
}

impl RowSource for PaddedRows<'_> {
    #[inline(always)]
    fn row<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        lane: usize,
        at: usize,
    ) -> V {
        V::load_padded(proof, order, self.runs[lane], at, self.pads[lane])
    }
}

/// The blocks at byte `at` of the runs, in registers. With `pads`, a run that ends is followed by its byte and zeros.
#[inline(always)]
pub(crate) fn load_block<W: Word, V: Vector<W>, B: Array<V>>(
    proof: V::Proof,
    order: ByteOrder,
    (runs, pads): (&Runs<'_>, Option<&[u8]>),
    at: usize,
) -> B {
    let mut block = B::splat(V::splat(proof, W::default()));
    for word in (0..B::LEN).step_by(V::N) {
        let from = at + word * W::BYTES;
        let columns = match pads {
            None => V::load_square(proof, order, runs, 0, from),
            Some(pads) => {
                let rows = PaddedRows {
                    runs: subslice(runs.runs(), 0, V::N),
                    pads: subslice(pads, 0, V::N),
                };
                load_rows::<W, V, _>(proof, order, &rows, from)
            }
        };
        for i in 0..V::N {
            block.as_mut()[word + i] = columns.as_ref()[i];
        }
    }
    block
}

/// Loads blocks that are contiguous per lane: squares of as many words as there are lanes, rows to
/// columns. For blocks that are not a multiple of a vector, the last square is partial.
#[inline(always)]
pub(crate) fn transpose_blocks<W: Word, V: Vector<W>, R: RowSource>(
    proof: V::Proof,
    order: ByteOrder,
    lanes: &R,
    (words, at): (usize, usize),
    out: &mut [W],
    stride: usize,
) {
    for word in (0..words).step_by(V::N) {
        let from = at + word * W::BYTES;
        let whole = word + V::N <= words;
        let columns = lanes.square::<_, V>(proof, order, from, whole);
        if whole {
            for i in 0..V::N {
                columns.as_ref()[i].store(subslice_mut(out, (word + i) * stride, V::N));
            }
        } else {
            for i in 0..words - word {
                columns.as_ref()[i].store(subslice_mut(out, (word + i) * stride, V::N));
            }
        }
    }
}
