//! Where the lanes' blocks are: the one difference between hashing many messages and hashing the
//! slices of one.

use crate::{
    engine::MAX_LANES,
    hash::{MAX_BLOCK, compression::Compression},
    simd::lanes::{Array, Lanes, Word},
};

/// Bytes of the longest vector.
const MAX_VECTOR: usize = 64;

/// A way in which the lanes' blocks lie in memory.
pub trait Layout: Copy {
    /// The same layout from lane `first` on. Panics unless it holds `blocks` blocks a lane.
    fn narrow<C: Compression>(self, first: usize, blocks: usize) -> Self;

    /// Block `b` of every lane: vector `i` holds word `i` of each.
    fn load<C: Compression, V: Lanes<C::Word>>(&self, proof: V::Proof, b: usize) -> C::Block<V>;
}

/// A run of bytes a lane (S-HASH, j-pointers): the words must be transposed.
#[derive(Clone, Copy, Debug)]
pub struct Pointers<'a>(pub &'a [&'a [u8]]);

impl Layout for Pointers<'_> {
    #[inline(always)]
    fn narrow<C: Compression>(self, first: usize, _blocks: usize) -> Self {
        Self(&self.0[first..])
    }

    #[inline(always)]
    fn load<C: Compression, V: Lanes<C::Word>>(&self, proof: V::Proof, b: usize) -> C::Block<V> {
        let mut block = C::Block::<V>::splat(V::splat(proof, C::Word::default()));
        let words = block.as_mut();
        let row_bytes = V::N * C::Word::BYTES;
        if C::BLOCK < row_bytes {
            return self.load_short::<C, V>(proof, b);
        }
        for square in 0..C::BLOCK / row_bytes {
            let mut rows = V::Per::<V>::splat(V::splat(proof, C::Word::default()));
            // nested so that it is unrolled, as below
            for l in (0..V::N).step_by(4) {
                for l in l..(l + 4).min(V::N) {
                    let bytes = &self.0[l][b * C::BLOCK..][..C::BLOCK];
                    let row = &bytes[square * row_bytes..][..row_bytes];
                    rows.as_mut()[l] = C::load_row(proof, row);
                }
            }
            let columns = V::transpose(rows);
            for i in 0..V::N {
                words[square * V::N + i] = columns.as_ref()[i];
            }
        }
        block
    }
}

impl Pointers<'_> {
    /// [`Layout::load`] of blocks that are shorter than a vector: rows are filled up with zeros,
    /// which end in the columns that no word has.
    #[inline(always)]
    fn load_short<C: Compression, V: Lanes<C::Word>>(
        &self,
        proof: V::Proof,
        b: usize,
    ) -> C::Block<V> {
        let mut rows = V::Per::<V>::splat(V::splat(proof, C::Word::default()));
        for l in 0..V::N {
            let mut row = [0; MAX_VECTOR];
            row[..C::BLOCK].copy_from_slice(&self.0[l][b * C::BLOCK..][..C::BLOCK]);
            rows.as_mut()[l] = C::load_row(proof, &row);
        }
        let columns = V::transpose(rows);
        let mut block = C::Block::<V>::splat(V::splat(proof, C::Word::default()));
        for i in 0..C::Block::<V>::LEN {
            block.as_mut()[i] = columns.as_ref()[i];
        }
        block
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

/// Super-blocks of some lanes, copied into rows that are as wide as any vector.
pub(crate) type Copied = [u8; MAX_LANES * MAX_BLOCK];

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
    /// rows of [`MAX_LANES`] words.
    pub(crate) fn copy<C: Compression>(&self, b: usize, first: usize, end: usize) -> Copied {
        let mut copied = [0; MAX_LANES * MAX_BLOCK];
        let columns = first * C::Word::BYTES..end.min(self.lanes) * C::Word::BYTES;
        let rows = &self.data[b * C::BLOCK * self.lanes..];
        let copies = copied.chunks_mut(MAX_LANES * C::Word::BYTES).take(C::BLOCK / C::Word::BYTES);
        for (t, copy) in copies.enumerate() {
            let row = &rows[t * self.stride::<C>()..];
            // the last row may end with the last lane in use
            let columns = columns.start..columns.end.min(row.len());
            copy[columns.clone()].copy_from_slice(&row[columns]);
        }
        copied
    }
}

impl Layout for Interleaved<'_> {
    #[inline(always)]
    fn narrow<C: Compression>(self, first: usize, _blocks: usize) -> Self {
        Self { data: &self.data[first * C::Word::BYTES..], ..self }
    }

    #[inline(always)]
    fn load<C: Compression, V: Lanes<C::Word>>(&self, proof: V::Proof, b: usize) -> C::Block<V> {
        let mut block = C::Block::<V>::splat(V::splat(proof, C::Word::default()));
        let start = b * C::BLOCK * self.lanes;
        let stride = self.stride::<C>();
        // Not beyond the end: what is there may not be mapped, and then a prefetch walks the page
        // tables in vain (10 % and more of 16 KiB on one stream of an AMD EPYC, Zen 4).
        if start + C::BLOCK * self.lanes + AHEAD <= self.data.len() {
            for t in 0..C::BLOCK / C::Word::BYTES {
                V::prefetch(proof, self.data, start + t * stride + AHEAD);
            }
        }
        let mut rows = &self.data[start..];
        // Nested so that it is unrolled. One loop stays a loop, and then the block goes through
        // memory: 3 % of SHA-256 on 16 lanes of an AMD EPYC (Zen 4).
        for t in (0..C::BLOCK / C::Word::BYTES).step_by(4) {
            for i in 0..4 {
                block.as_mut()[t + i] = C::load_row(proof, rows);
                rows = rows.get(stride..).unwrap_or_default();
            }
        }
        block
    }
}
