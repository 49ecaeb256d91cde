//! Where the lanes' blocks are: the one difference between hashing many messages and hashing the
//! slices of one.

use crate::{
    hash::compression::Compression,
    simd::lanes::{Array, ByteOrder, Vector, Word},
};

/// A way in which the lanes' blocks lie in memory.
pub trait Layout: Copy {
    /// Block `b` of the lanes from `first` on: vector `i` holds word `i` of each.
    ///
    /// # Panics
    /// If the memory does not hold that block.
    fn load<C: Compression, V: Vector<C::Word>>(
        &self,
        proof: V::Proof,
        first: usize,
        b: usize,
    ) -> C::Block<V>;

    /// Whether the blocks are so many that they come from beyond the second-level cache.
    #[inline(always)]
    fn is_far(&self) -> bool {
        false
    }

    /// Asks the cache for what is loaded some time after block `b`.
    #[inline(always)]
    fn prefetch<C: Compression, V: Vector<C::Word>>(
        &self,
        _proof: V::Proof,
        _first: usize,
        _b: usize,
    ) {
    }
}

/// A run of bytes per lane (S-HASH, j-pointers).
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    runs: &'a [&'a [u8]],
    /// Bytes of the shortest.
    shortest: usize,
    equal: bool,
}

impl<'a> Runs<'a> {
    /// The runs of the lanes from lane 0 on.
    #[inline(always)]
    #[must_use]
    pub fn new(runs: &'a [&'a [u8]]) -> Self {
        let len = runs.first().map_or(0, |run| run.len());
        let equal = runs.iter().fold(0, |differ, run| differ | (run.len() ^ len)) == 0;
        let shortest =
            if equal { len } else { runs.iter().fold(len, |least, run| least.min(run.len())) };
        Self { runs, shortest, equal }
    }

    /// The runs, none of which is shorter than [`shortest`](Self::shortest).
    #[inline(always)]
    #[must_use]
    pub fn runs(&self) -> &'a [&'a [u8]] {
        self.runs
    }

    /// Bytes that each run has.
    #[inline(always)]
    #[must_use]
    pub fn shortest(&self) -> usize {
        self.shortest
    }

    /// Whether no run has more than that.
    #[inline(always)]
    #[must_use]
    pub fn are_equal(&self) -> bool {
        self.equal
    }
}

/// A run of bytes per lane that may end within a block, and is then padded: with the byte
/// `pads[l]`, which is 0 where the message ended in an earlier run, and with zeros.
#[derive(Clone, Copy, Debug)]
pub struct Padded<'a> {
    /// The runs.
    pub runs: Runs<'a>,
    /// The first byte after each.
    pub pads: &'a [u8],
    /// Whether all runs are of one length and have one byte after them.
    pub alike: bool,
}

impl Layout for Runs<'_> {
    #[inline(always)]
    fn load<C: Compression, V: Vector<C::Word>>(
        &self,
        proof: V::Proof,
        first: usize,
        b: usize,
    ) -> C::Block<V> {
        transposed::<C, V, _>(proof, self, first, b)
    }
}

impl Layout for Padded<'_> {
    #[inline(always)]
    fn load<C: Compression, V: Vector<C::Word>>(
        &self,
        proof: V::Proof,
        first: usize,
        b: usize,
    ) -> C::Block<V> {
        if self.alike {
            transposed::<C, V, _>(proof, &Alike(*self), first, b)
        } else {
            transposed::<C, V, _>(proof, self, first, b)
        }
    }
}

/// Lanes whose blocks lie in one piece each.
trait Rows {
    /// The words of lane `lane` from byte `at` of its run on. What is read behind the end of the
    /// block is not looked at.
    fn row<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        lane: usize,
        at: usize,
    ) -> V;

    /// A square of words as columns, of the lanes from `first` on and from byte `at` of each run on.
    /// `whole` says whether it lies within the block.
    #[inline(always)]
    fn square<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        at: (usize, usize),
        _whole: bool,
    ) -> V::Per<V> {
        turned::<W, V, _>(proof, order, self, at)
    }
}

/// [`Rows::square`], row by row.
#[inline(always)]
fn turned<W: Word, V: Vector<W>, R: Rows + ?Sized>(
    proof: V::Proof,
    order: ByteOrder,
    lanes: &R,
    (first, at): (usize, usize),
) -> V::Per<V> {
    let mut rows = V::Per::<V>::splat(V::splat(proof, W::default()));
    // nested so that it is unrolled, as below
    for l in (0..V::N).step_by(4) {
        for l in l..(l + 4).min(V::N) {
            rows.as_mut()[l] = lanes.row(proof, order, first + l, at);
        }
    }
    V::transpose(rows)
}

/// [`Vector::load_square`] by a transpose of whole rows.
#[inline(always)]
pub(crate) fn load_square<W: Word, V: Vector<W>>(
    proof: V::Proof,
    order: ByteOrder,
    runs: &Runs<'_>,
    at: (usize, usize),
) -> V::Per<V> {
    turned::<W, V, _>(proof, order, &Whole(*runs), at)
}

impl Rows for Runs<'_> {
    #[inline(always)]
    fn row<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        lane: usize,
        at: usize,
    ) -> V {
        V::load_padded(proof, order, self.runs[lane], at, 0)
    }

    #[inline(always)]
    fn square<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        (first, at): (usize, usize),
        whole: bool,
    ) -> V::Per<V> {
        if whole {
            V::load_square(proof, order, self, first, at)
        } else {
            turned::<W, V, _>(proof, order, self, (first, at))
        }
    }
}

/// Runs that have all that is asked for.
struct Whole<'a>(Runs<'a>);

impl Rows for Whole<'_> {
    #[inline(always)]
    fn row<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        lane: usize,
        at: usize,
    ) -> V {
        V::load_bytes(proof, order, &self.0.runs[lane][at..][..V::N * W::BYTES])
    }
}

impl Rows for Padded<'_> {
    #[inline(always)]
    fn row<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        lane: usize,
        at: usize,
    ) -> V {
        V::load_padded(proof, order, self.runs.runs[lane], at, self.pads[lane])
    }
}

/// Padded runs of one length and with one byte behind them: what follows from these is computed once.
#[derive(Clone, Copy)]
struct Alike<'a>(Padded<'a>);

impl Rows for Alike<'_> {
    #[inline(always)]
    fn row<W: Word, V: Vector<W>>(
        &self,
        proof: V::Proof,
        order: ByteOrder,
        lane: usize,
        at: usize,
    ) -> V {
        let Padded { runs, pads, .. } = self.0;
        V::load_padded(proof, order, &runs.runs[lane][..runs.shortest], at, pads[0])
    }
}

/// Loads blocks that lie in one piece per lane: squares of as many words as there are lanes, rows
/// to columns. A block need not be a multiple of a vector: of the last square, less is taken then.
#[inline(always)]
fn transposed<C: Compression, V: Vector<C::Word>, R: Rows>(
    proof: V::Proof,
    lanes: &R,
    first: usize,
    b: usize,
) -> C::Block<V> {
    let mut block = C::Block::<V>::splat(V::splat(proof, C::Word::default()));
    let words = C::BLOCK / C::Word::BYTES;
    for word in (0..words).step_by(V::N) {
        let at = b * C::BLOCK + word * C::Word::BYTES;
        let columns = lanes.square::<_, V>(proof, C::ORDER, (first, at), word + V::N <= words);
        for i in 0..V::N.min(words - word) {
            block.as_mut()[word + i] = columns.as_ref()[i];
        }
    }
    block
}

/// [`Lanes::store_digests`](crate::simd::lanes::Lanes::store_digests) of one register: squares of as
/// many words as there are lanes, columns to rows.
#[inline(always)]
pub fn store_digests<C: Compression, V: Vector<C::Word>>(
    proof: V::Proof,
    state: &C::State<V>,
    size: usize,
    out: &mut [u8],
) {
    for first in (0..C::State::<V>::LEN).step_by(V::N) {
        let row = first * C::Word::BYTES;
        if row >= size {
            break;
        }
        let words = &state.as_ref()[first..];
        V::store_columns(proof, &words[..words.len().min(V::N)], C::ORDER, (row, size), out);
    }
}

/// [`Vector::store_columns`] by a transpose of as many words as there are lanes.
#[inline(always)]
pub fn store_square<W: Word, V: Vector<W>>(
    proof: V::Proof,
    words: &[V],
    order: ByteOrder,
    (first, size): (usize, usize),
    out: &mut [u8],
) {
    let mut columns = V::Per::<V>::splat(V::splat(proof, W::default()));
    for (column, word) in columns.as_mut().iter_mut().zip(words) {
        *column = *word;
    }
    let rows = V::transpose(columns);
    for l in 0..V::N {
        let Some(lane) = out.get_mut(l * size..(l + 1) * size) else { break };
        let part = &mut lane[first..];
        if V::N * W::BYTES <= part.len() {
            rows.as_ref()[l].store_bytes(order, part);
        } else {
            rows.as_ref()[l].store_part(order, part);
        }
    }
}

/// The words of one message dealt out to the lanes in turn (j-lanes): word `i` belongs to lane
/// `i mod lanes`, so one word of every lane is a row of contiguous words and no transpose is needed.
///
/// A *super-block* is one block for every lane: word `t` of lane `l` in super-block `b` stands at
/// word `(b * T + t) * lanes + l`, where a block has `T` words. The data begins at the first lane
/// that the engine is handed and may end with the last one, so that neighbouring lanes can be
/// advanced by different calls.
#[derive(Clone, Copy, Debug)]
pub struct Interleaved<'a> {
    /// The message, from the first lane's first word.
    pub data: &'a [u8],
    /// Words in a row.
    pub lanes: usize,
}

/// How far ahead of the kernel cache lines are asked for, in bytes: the hardware's own prefetcher
/// stops at the end of a page.
const AHEAD: usize = 4096;
/// More bytes than a second-level cache has room for.
const FAR: usize = 1 << 20;

impl Interleaved<'_> {
    /// Bytes from a row to the next.
    #[inline(always)]
    fn stride<C: Compression>(&self) -> usize {
        self.lanes * C::Word::BYTES
    }

    /// Super-blocks, from the first, in which every row can be read from the first lane up to lane
    /// `end`, past the row's own end if need be.
    #[inline]
    pub(crate) fn readable<C: Compression>(&self, end: usize) -> usize {
        let rows_after_first = self.data.len().checked_sub(end * C::Word::BYTES);
        let rows = rows_after_first.map_or(0, |bytes| bytes / self.stride::<C>() + 1);
        rows / (C::BLOCK / C::Word::BYTES)
    }

    /// Copies the lanes `first..end` of super-block `b`, those that exist, to the same columns of
    /// rows of as many words as any engine fills.
    pub(crate) fn copy<C: Compression>(
        &self,
        b: usize,
        first: usize,
        end: usize,
    ) -> C::PerLane<CopiedLane> {
        let mut copied = C::PerLane::<CopiedLane>::splat([0; crate::hash::MAX_BLOCK]);
        let row_bytes = C::PerLane::<CopiedLane>::LEN * C::Word::BYTES;
        let columns = first * C::Word::BYTES..end.min(self.lanes) * C::Word::BYTES;
        let rows = &self.data[b * C::BLOCK * self.lanes..];
        let copies = copied.as_mut().as_flattened_mut().chunks_mut(row_bytes);
        for (t, copy) in copies.take(C::BLOCK / C::Word::BYTES).enumerate() {
            let row = &rows[t * self.stride::<C>()..];
            // the last row may end with the last lane in use
            let columns = columns.start..columns.end.min(row.len());
            copy[columns.clone()].copy_from_slice(&row[columns]);
        }
        copied
    }
}

/// Room for one lane's share of a copied super-block.
pub(crate) type CopiedLane = [u8; crate::hash::MAX_BLOCK];

impl Layout for Interleaved<'_> {
    #[inline(always)]
    fn load<C: Compression, V: Vector<C::Word>>(
        &self,
        proof: V::Proof,
        first: usize,
        b: usize,
    ) -> C::Block<V> {
        let mut block = C::Block::<V>::splat(V::splat(proof, C::Word::default()));
        let start = b * C::BLOCK * self.lanes + first * C::Word::BYTES;
        let stride = self.stride::<C>();
        let rows = &self.data[start..];
        // Nested so that it is unrolled. One loop stays a loop, and then the block goes through
        // memory: 3 % of SHA-256 on 16 lanes of an AMD EPYC (Zen 4).
        let words = C::BLOCK / C::Word::BYTES;
        for t in (0..words).step_by(4) {
            for i in t..(t + 4).min(words) {
                block.as_mut()[i] = V::load_bytes(proof, C::ORDER, &rows[i * stride..]);
            }
        }
        block
    }

    #[inline(always)]
    fn is_far(&self) -> bool {
        self.data.len() > FAR
    }

    /// Not beyond the end: what is there may not be mapped, and then a prefetch walks the page
    /// tables in vain (10 % and more of 16 KiB on one stream of an AMD EPYC, Zen 4).
    #[inline(always)]
    fn prefetch<C: Compression, V: Vector<C::Word>>(
        &self,
        proof: V::Proof,
        first: usize,
        b: usize,
    ) {
        let start = b * C::BLOCK * self.lanes + first * C::Word::BYTES + AHEAD;
        if start + C::BLOCK * self.lanes <= self.data.len() {
            for t in 0..C::BLOCK / C::Word::BYTES {
                V::prefetch(proof, self.data, start + t * self.stride::<C>());
            }
        }
    }
}
