//! Where the blocks of interleaved streams come from.
//!
//! A kernel is compiled for each kind of feed: a look at the kind before every block would make it
//! keep its streams' variables in memory (7 % of SHA-1 on one stream, EPYC, Zen 4, 2026-11-21).

use jlanes_core::simd::{
    lanes::{Array, ByteOrder, Vector, Word},
    layout::Interleaved,
};

use crate::target::prefetch;

/// How far ahead of a stream its cache lines are asked for, in bytes: the hardware's own prefetcher
/// stops at the end of a page.
const AHEAD: usize = 4096;
/// Bytes that are asked for at once.
const BATCH: usize = 1024;

/// The blocks of `S` streams, sixteen words each.
pub(crate) trait Feed<W: Word, const S: usize>: Copy {
    /// Asks for what is read later, before block `b` of `blocks` blocks; not for what is beyond the
    /// data, which may not be mapped: a prefetch would walk the page tables in vain.
    fn look_ahead(&self, b: usize, blocks: usize);

    /// The `i`th vector of words of block `b` of each stream.
    fn vectors<V: Vector<W>>(&self, proof: V::Proof, b: usize, i: usize) -> [V; S];

    /// Each stream's bytes, if they lie in a row.
    #[allow(dead_code)] // by targets whose units take vectors
    fn runs(&self) -> Option<[&[u8]; S]> {
        None
    }
}

/// Block `b` of `blocks` of every stream in `N` vectors.
#[inline(always)]
pub(crate) fn load<W: Word, V: Vector<W>, F: Feed<W, S>, const S: usize, const N: usize>(
    proof: V::Proof,
    feed: &F,
    b: usize,
    blocks: usize,
) -> [[V; N]; S] {
    const { assert!(N * V::N == 16, "a block has sixteen words") };
    feed.look_ahead(b, blocks);
    let mut w = [[V::splat(proof, W::default()); N]; S];
    for i in 0..N {
        let vectors = feed.vectors::<V>(proof, b, i);
        for s in 0..S {
            w[s][i] = vectors[s];
        }
    }
    w
}

/// A run of blocks a stream.
#[derive(Clone, Copy)]
pub(crate) struct Runs<'a, const S: usize>(pub(crate) [&'a [u8]; S]);

impl<W: Word, const S: usize> Feed<W, S> for Runs<'_, S> {
    /// For a single stream that is long: the others come from the cache, most likely.
    #[inline(always)]
    fn look_ahead(&self, b: usize, blocks: usize) {
        let block = 16 * W::BYTES;
        let at = b * block;
        if S == 1 && at.is_multiple_of(BATCH) && (blocks - b) * block >= AHEAD + BATCH {
            for line in (0..BATCH).step_by(64) {
                prefetch(self.0[0], at + AHEAD + line);
            }
        }
    }

    #[inline(always)]
    fn vectors<V: Vector<W>>(&self, proof: V::Proof, b: usize, i: usize) -> [V; S] {
        let mut vectors = [V::splat(proof, W::default()); S];
        for s in 0..S {
            let block = &self.0[s][b * 16 * W::BYTES..][..16 * W::BYTES];
            vectors[s] = V::load_bytes(proof, ByteOrder::Big, &block[V::N * i * W::BYTES..]);
        }
        vectors
    }

    #[inline(always)]
    fn runs(&self) -> Option<[&[u8]; S]> {
        Some(self.0)
    }
}

/// One block a stream, in words: what one compression leaves, the next one takes.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a, W, const S: usize>(pub(crate) [&'a [W]; S]);

impl<W: Word, const S: usize> Feed<W, S> for Words<'_, W, S> {
    #[inline(always)]
    fn look_ahead(&self, _b: usize, _blocks: usize) {}

    #[inline(always)]
    fn vectors<V: Vector<W>>(&self, proof: V::Proof, b: usize, i: usize) -> [V; S] {
        self.0.map(|words| V::load(proof, &words[16 * b + V::N * i..]))
    }
}

/// The words of one message, dealt out in turn. As many rows as a vector has words are transposed in
/// registers, which makes of them just the words of as many streams that a vector holds.
impl<W: Word, const S: usize> Feed<W, S> for Interleaved<'_> {
    #[inline(always)]
    fn look_ahead(&self, b: usize, _blocks: usize) {
        let row = self.lanes * W::BYTES;
        let start = 16 * b * row + AHEAD;
        if start + 16 * row <= self.data.len() {
            for at in (start..start + 16 * row).step_by(row.max(64)) {
                prefetch(self.data, at);
            }
        }
    }

    #[inline(always)]
    fn vectors<V: Vector<W>>(&self, proof: V::Proof, b: usize, i: usize) -> [V; S] {
        let mut vectors = [V::splat(proof, W::default()); S];
        let mut first = 0;
        while first < S {
            let width = V::N.min(S - first);
            let mut rows = V::Per::<V>::splat(V::splat(proof, W::default()));
            for t in 0..V::N {
                // the last row may end with the last stream's word
                let mut row = [0; 4 * size_of::<u64>()];
                let at = ((16 * b + V::N * i + t) * self.lanes + first) * W::BYTES;
                row[..width * W::BYTES].copy_from_slice(&self.data[at..][..width * W::BYTES]);
                rows.as_mut()[t] = V::load_bytes(proof, ByteOrder::Big, &row);
            }
            let columns = V::transpose(rows);
            vectors[first..first + width].copy_from_slice(&columns.as_ref()[..width]);
            first += width;
        }
        vectors
    }
}
