//! Where the lanes' blocks are: the one difference between hashing many messages and hashing the
//! slices of one.

use crate::{
    compression::Compression,
    lanes::{Array, Lanes, Word},
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
            for l in 0..V::N {
                let bytes = &self.0[l][b * C::BLOCK..][..C::BLOCK];
                rows.as_mut()[l] = C::load_row(proof, &bytes[square * row_bytes..][..row_bytes]);
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
