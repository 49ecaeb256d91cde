//! Where the blocks of interleaved streams come from.
//!
//! A kernel is compiled for each kind of feed: a look at the kind before every block would make it
//! keep its streams' variables in memory (7 % of SHA-1 on one stream, EPYC, Zen 4, 2026-11-21).

use jlanes_core::simd::{
    lanes::{Array, ByteOrder, Vector, Word},
    layout::Interleaved,
};

use super::vector::prefetch;

/// How far ahead of a stream its cache lines are asked for, in bytes: the hardware's own prefetcher
/// stops at the end of a page.
const AHEAD: usize = 4096;
/// Bytes that are asked for at once.
const BATCH: usize = 1024;

/// The blocks of `S` streams, sixteen words each.
pub(crate) trait Feed<const S: usize>: Copy {
    /// Asks for what is read later, before block `b` of `blocks` blocks of words `W`; not for what is
    /// beyond the data, which may not be mapped: a prefetch would walk the page tables in vain.
    fn look_ahead<W: Word>(&self, b: usize, blocks: usize);

    /// Words `4 * i` to `4 * i + 3` of block `b` of each stream.
    fn quads<W: Word, V: Vector<W>>(&self, proof: V::Proof, b: usize, i: usize) -> [V; S];
}

/// Block `b` of `blocks` of every stream in vectors of four words.
#[inline(always)]
pub(super) fn load<W: Word, V: Vector<W>, F: Feed<S>, const S: usize>(
    proof: V::Proof,
    feed: &F,
    b: usize,
    blocks: usize,
) -> [[V; 4]; S] {
    feed.look_ahead::<W>(b, blocks);
    let mut w = [[V::splat(proof, W::default()); 4]; S];
    for i in 0..4 {
        let quads = feed.quads::<W, V>(proof, b, i);
        for s in 0..S {
            w[s][i] = quads[s];
        }
    }
    w
}

/// A run of blocks a stream.
#[derive(Clone, Copy)]
pub(super) struct Runs<'a, const S: usize>(pub(super) [&'a [u8]; S]);

impl<const S: usize> Feed<S> for Runs<'_, S> {
    /// For a single stream that is long: the others come from the cache, most likely.
    #[inline(always)]
    fn look_ahead<W: Word>(&self, b: usize, blocks: usize) {
        let block = 16 * W::BYTES;
        let at = b * block;
        if S == 1 && at.is_multiple_of(BATCH) && (blocks - b) * block >= AHEAD + BATCH {
            for line in (0..BATCH).step_by(64) {
                prefetch(self.0[0], at + AHEAD + line);
            }
        }
    }

    #[inline(always)]
    fn quads<W: Word, V: Vector<W>>(&self, proof: V::Proof, b: usize, i: usize) -> [V; S] {
        let mut quads = [V::splat(proof, W::default()); S];
        for s in 0..S {
            let block = &self.0[s][b * 16 * W::BYTES..][..16 * W::BYTES];
            quads[s] = V::load_bytes(proof, ByteOrder::Big, &block[4 * i * W::BYTES..]);
        }
        quads
    }
}

/// The words of one message, dealt out in turn. Four rows are transposed in registers, which makes
/// of them just the four words of each stream that a vector holds.
impl<const S: usize> Feed<S> for Interleaved<'_> {
    #[inline(always)]
    fn look_ahead<W: Word>(&self, b: usize, _blocks: usize) {
        let row = self.lanes * W::BYTES;
        let start = 16 * b * row + AHEAD;
        if start + 16 * row <= self.data.len() {
            for at in (start..start + 16 * row).step_by(row.max(64)) {
                prefetch(self.data, at);
            }
        }
    }

    #[inline(always)]
    fn quads<W: Word, V: Vector<W>>(&self, proof: V::Proof, b: usize, i: usize) -> [V; S] {
        let mut rows = V::Per::<V>::splat(V::splat(proof, W::default()));
        for t in 0..4 {
            // the last row may end with the last stream's word
            let mut row = [0; 4 * size_of::<u64>()];
            let at = (16 * b + 4 * i + t) * self.lanes * W::BYTES;
            row[..S * W::BYTES].copy_from_slice(&self.data[at..][..S * W::BYTES]);
            rows.as_mut()[t] = V::load_bytes(proof, ByteOrder::Big, &row);
        }
        let columns = V::transpose(rows);
        let mut quads = [V::splat(proof, W::default()); S];
        quads.copy_from_slice(&columns.as_ref()[..S]);
        quads
    }
}
