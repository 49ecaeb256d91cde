//! Feeds: functions that load the blocks of lanes and transpose them to lanes' order, and that write digests
//! in the order of messages.
//!
//! A feed depends on the instruction set and the word size, not on the hash: the number of words in a block
//! and their byte order are arguments. So a set has one for each word size, with five functions, for any
//! number of hashes.

use crate::{
    compression::LaneRange,
    simd::{
        runs::Runs,
        subslice::{subslice, subslice_mut},
        transpose::{PaddedRows, RowSource, WholeRows, transpose_blocks},
        vector::{Array, ByteOrder, Isa, SimdWord, Vector, VectorCode, Word},
    },
};

#[cfg(test)]
mod tests;

/// The words of one message, distributed round-robin over the lanes (j-lanes): word `i` belongs to
/// lane `i mod lanes`, so one word of every lane is a contiguous row, and no transpose is needed.
///
/// A *super-block* is one block for every lane. With `T` words per block, word `t` of lane `l` in
/// super-block `b` is word `(b * T + t) * lanes + l`. The data starts at the first lane in use and may
/// end with the last one, so adjacent lanes can be advanced by different calls.
#[derive(Clone, Copy, Debug)]
pub struct Interleaved<'a> {
    /// The message, from the first lane's first word.
    pub data: &'a [u8],
    /// Words in a row.
    pub lanes: usize,
}

/// The layout of a block for a feed.
#[derive(Clone, Copy, Debug)]
pub struct BlockLayout {
    /// Words of a block.
    pub words: usize,
    /// The byte order of the words.
    pub order: ByteOrder,
}

/// Writes the block at byte `at` of each run to `out`: row `i`, at `i * stride`, is word `i` of
/// every lane.
pub type WholeBlocksFn<W> =
    fn(block: BlockLayout, runs: &Runs<'_>, at: usize, out: &mut [W], stride: usize);

/// [`WholeBlocksFn`] of runs that may end within the block: `pads[l]` is the byte after run `l`, followed by zeros.
pub type PaddedBlocksFn<W> =
    fn(block: BlockLayout, runs: &Runs<'_>, pads: &[u8], at: usize, out: &mut [W], stride: usize);

/// Writes a block of interleaved words to `out`. The rows of `data` start at its beginning and are
/// `row_stride` bytes apart. With `prefetch`, later rows are prefetched.
pub type InterleavedBlocksFn<W> = fn(
    block: BlockLayout,
    data: &[u8],
    row_stride: usize,
    prefetch: bool,
    out: &mut [W],
    stride: usize,
);

/// Writes the first `size` bytes of every lane's state to `out`, lane after lane, until it is full.
/// `states` are the first words of the states.
pub type DigestsFn<W> =
    fn(order: ByteOrder, states: &[W], stride: usize, size: usize, out: &mut [u8]);

/// The feeds of an instruction set, for one word size.
#[derive(Clone, Copy, Debug)]
pub struct Feed<W: 'static> {
    /// Lanes of a register.
    pub lanes: usize,
    /// Loads blocks that are whole in every run.
    pub blocks: WholeBlocksFn<W>,
    /// Loads blocks in which runs may end.
    pub padded: PaddedBlocksFn<W>,
    /// Loads blocks of interleaved words.
    pub interleaved: InterleavedBlocksFn<W>,
    /// Writes digests from states.
    pub digests: DigestsFn<W>,
    /// Prefetches `len` bytes of each run from byte `at` on.
    pub prefetch: fn(runs: &[&[u8]], at: usize, len: usize),
}

impl<W: Word> Feed<W> {
    /// The feed of the instruction set `I`.
    #[must_use]
    pub const fn of<I: Isa>() -> &'static Self {
        const {
            &Self {
                lanes: <W::Vector<I> as SimdWord<W>>::N,
                blocks: blocks::<W, I>,
                padded: padded::<W, I>,
                interleaved: interleaved::<W, I>,
                digests: digests::<W, I>,
                prefetch: prefetch::<W, I>,
            }
        }
    }
}

fn blocks<W: Word, I: Isa>(
    block: BlockLayout,
    runs: &Runs<'_>,
    at: usize,
    out: &mut [W],
    stride: usize,
) {
    I::token().run(FeedBlocks { block, lanes: WholeRows(*runs), at, out, stride });
}

fn padded<W: Word, I: Isa>(
    block: BlockLayout,
    runs: &Runs<'_>,
    pads: &[u8],
    at: usize,
    out: &mut [W],
    stride: usize,
) {
    let lanes = PaddedRows { runs: runs.runs(), pads };
    I::token().run(FeedBlocks { block, lanes, at, out, stride });
}

fn interleaved<W: Word, I: Isa>(
    block: BlockLayout,
    data: &[u8],
    row_stride: usize,
    prefetch: bool,
    out: &mut [W],
    stride: usize,
) {
    I::token().run(FeedInterleaved { block, data, row_stride, prefetch, out, stride });
}

fn digests<W: Word, I: Isa>(
    order: ByteOrder,
    states: &[W],
    stride: usize,
    size: usize,
    out: &mut [u8],
) {
    I::token().run(FeedDigests { order, states, stride, size, out });
}

/// Bytes of a cache line.
const LINE_BYTES: usize = 64;

fn prefetch<W: Word, I: Isa>(runs: &[&[u8]], at: usize, len: usize) {
    let proof = I::token().proof();
    for run in runs {
        for line in (0..len).step_by(LINE_BYTES) {
            W::Vector::<I>::prefetch(proof, run, at.wrapping_add(line));
        }
    }
}

/// [`WholeBlocksFn`] and [`PaddedBlocksFn`] as [`VectorCode`].
struct FeedBlocks<'a, W, R> {
    block: BlockLayout,
    lanes: R,
    at: usize,
    out: &'a mut [W],
    stride: usize,
}

impl<W: Word, R: RowSource, I: Isa> VectorCode<I> for FeedBlocks<'_, W, R> {
    type Out = ();

    #[inline(always)]
    fn call(self, isa: I) {
        let Self { block: BlockLayout { words, order }, lanes, at, out, stride } = self;
        let (proof, block) = (isa.proof(), (words, at));
        // the order is a constant in each branch, so rows do not check it
        match order {
            ByteOrder::Big => {
                transpose_blocks::<W, W::Vector<I>, _>(
                    proof,
                    ByteOrder::Big,
                    &lanes,
                    block,
                    out,
                    stride,
                );
            }
            ByteOrder::Little => {
                let order = ByteOrder::Little;
                transpose_blocks::<W, W::Vector<I>, _>(proof, order, &lanes, block, out, stride);
            }
        }
    }
}

/// The prefetch distance in bytes: the hardware prefetcher stops at the end of a page.
const PREFETCH_DISTANCE_BYTES: usize = 4096;

/// [`InterleavedBlocksFn`] as [`VectorCode`].
struct FeedInterleaved<'a, W> {
    block: BlockLayout,
    data: &'a [u8],
    row_stride: usize,
    prefetch: bool,
    out: &'a mut [W],
    stride: usize,
}

impl<W: Word, I: Isa> VectorCode<I> for FeedInterleaved<'_, W> {
    type Out = ();

    #[inline(always)]
    fn call(self, isa: I) {
        let proof = isa.proof();
        let Self { block, data, row_stride, prefetch, out, stride } = self;
        let width = <W::Vector<I> as SimdWord<W>>::N;
        if prefetch {
            prefetch_rows::<W, W::Vector<I>>(proof, data, row_stride, block.words);
        }
        for i in 0..block.words {
            let row = subslice(data, i * row_stride, width * W::BYTES);
            W::Vector::<I>::load_bytes(proof, block.order, row).store(subslice_mut(
                out,
                i * stride,
                width,
            ));
        }
    }
}

/// Prefetches the words of the block [`PREFETCH_DISTANCE_BYTES`] further on, unless they are beyond the end. There,
/// memory may be unmapped, and a prefetch walks the page tables in vain: 10 % and more of the time of 16 KiB.
#[inline(always)]
fn prefetch_rows<W: Word, V: Vector<W>>(
    proof: V::Proof,
    data: &[u8],
    row_stride: usize,
    words: usize,
) {
    if PREFETCH_DISTANCE_BYTES + words * row_stride <= data.len() {
        for i in 0..words {
            V::prefetch(proof, data, PREFETCH_DISTANCE_BYTES + i * row_stride);
        }
    }
}

/// A block of interleaved words, in registers. The rows of `data` are `row_stride` bytes apart.
#[inline(always)]
pub(crate) fn load_interleaved<W: Word, V: Vector<W>, B: Array<V>>(
    proof: V::Proof,
    order: ByteOrder,
    data: &[u8],
    row_stride: usize,
    prefetch: bool,
) -> B {
    if prefetch {
        prefetch_rows::<W, V>(proof, data, row_stride, B::LEN);
    }
    let mut block = B::splat(V::splat(proof, W::default()));
    for i in 0..B::LEN {
        let row = subslice(data, i * row_stride, V::N * W::BYTES);
        block.as_mut()[i] = V::load_bytes(proof, order, row);
    }
    block
}

/// [`DigestsFn`] as [`VectorCode`].
struct FeedDigests<'a, W> {
    order: ByteOrder,
    states: &'a [W],
    stride: usize,
    size: usize,
    out: &'a mut [u8],
}

impl<W: Word, I: Isa> VectorCode<I> for FeedDigests<'_, W> {
    type Out = ();

    /// Transposes squares of as many words as there are lanes, columns to rows.
    #[inline(always)]
    fn call(self, isa: I) {
        let proof = isa.proof();
        let Self { order, states, stride, size, out } = self;
        let width = <W::Vector<I> as SimdWord<W>>::N;
        let words = size.div_ceil(W::BYTES);
        // most digests have at most eight words, and a vector may have a special case for eight
        let mut first = 0;
        while first < words {
            let mut columns = <W::Vector<I> as Vector<W>>::Per::<W::Vector<I>>::splat(
                SimdWord::splat(proof, W::default()),
            );
            let count = width.min(words - first);
            for i in 0..width {
                if i < count {
                    let row = subslice(states, (first + i) * stride, width);
                    columns.as_mut()[i] = SimdWord::load(proof, row);
                }
            }
            let columns =
                if count <= 8 && width > 8 { &columns.as_ref()[..8] } else { columns.as_ref() };
            Vector::store_columns(proof, columns, order, (first * W::BYTES, size), out);
            first += width;
        }
    }
}

impl Interleaved<'_> {
    /// Super-blocks of `words` words per lane, from the first, with every row readable from the
    /// first lane up to lane `end`, possibly past the row's own end.
    #[inline]
    pub(crate) fn readable<W: Word>(&self, words: usize, end: usize) -> usize {
        let rows_after_first = self.data.len().checked_sub(end * W::BYTES);
        let rows = rows_after_first.map_or(0, |bytes| bytes / (self.lanes * W::BYTES) + 1);
        rows / words
    }

    /// The existing bytes of `lanes` in row `row`.
    fn existing<W: Word>(&self, row: usize, lanes: LaneRange) -> &[u8] {
        let row = &self.data[row * self.lanes * W::BYTES..];
        let row = &row[..row.len().min(lanes.end.min(self.lanes) * W::BYTES)];
        &row[row.len().min(lanes.first * W::BYTES)..]
    }

    /// Copies the existing words of `lanes` of super-block `b` into rows of `stride` words.
    pub(crate) fn copy<W: Word>(
        &self,
        block: BlockLayout,
        b: usize,
        lanes: LaneRange,
        out: &mut [W],
        stride: usize,
    ) {
        for t in 0..block.words {
            let own = self.existing::<W>(b * block.words + t, lanes);
            for (out, word) in out[t * stride..].iter_mut().zip(own.chunks_exact(W::BYTES)) {
                *out = W::read(block.order, word);
            }
        }
    }

    /// Copies the existing bytes of `lanes` of super-block `b`, row by row.
    pub(crate) fn copy_rows<W: Word>(
        &self,
        words: usize,
        b: usize,
        lanes: LaneRange,
        out: &mut [u8],
    ) {
        for (t, out) in out.chunks_exact_mut(lanes.len() * W::BYTES).take(words).enumerate() {
            let own = self.existing::<W>(b * words + t, lanes);
            out[..own.len()].copy_from_slice(own);
        }
    }

    /// Copies the bytes of lane `lane` from super-block `b` on, as many whole blocks as `out`
    /// holds.
    pub(crate) fn copy_lane<W: Word>(&self, words: usize, b: usize, lane: usize, out: &mut [u8]) {
        for (t, out) in out.chunks_exact_mut(W::BYTES).enumerate() {
            let at = ((b * words + t) * self.lanes + lane) * W::BYTES;
            out.copy_from_slice(&self.data[at..][..W::BYTES]);
        }
    }
}
