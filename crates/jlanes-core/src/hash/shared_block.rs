//! Last blocks that depend only on the message's length (\[SMS\] section 5).
//!
//! If a message ends with a block, or so close to its end that the length field spills over, the
//! last block is all padding. Messages of one length share it, so its schedule is computed once,
//! and the lanes only run its rounds.

use super::Descriptor;
use crate::{
    compression::{MAX_BLOCK_BYTES, padding::Padding},
    simd::{
        vector::{Array, Word},
        words::read_words,
    },
};

/// A block that all lanes share, prepared by [`Shape::share`](crate::compression::Shape::share).
#[derive(Clone, Copy, Debug)]
pub struct SharedBlock<W: Word> {
    words: W::Schedule,
    len: usize,
}

impl<W: Word> SharedBlock<W> {
    /// Prepares the block in `bytes`.
    #[must_use]
    pub fn of(hash: &Descriptor<W>, bytes: &[u8]) -> Self {
        let (share, len) = hash.shape.share;
        let mut block = W::Schedule::splat(W::default());
        let block = &mut block.as_mut()[..hash.shape.block_words];
        read_words(hash.shape.order, bytes, block);
        let mut words = W::Schedule::splat(W::default());
        share(block, &mut words.as_mut()[..len]);
        Self { words, len }
    }

    /// The words of the prepared block.
    #[inline]
    #[must_use]
    pub fn words(&self) -> &[W] {
        &self.words.as_ref()[..self.len]
    }
}

/// The last block of all messages of `total` bytes, if it contains only padding.
#[must_use]
pub fn of_length<W: Word>(hash: &Descriptor<W>, total: u128) -> Option<SharedBlock<W>> {
    let block = hash.shape.block_bytes;
    let tail = (total % block as u128) as usize;
    let alone = tail == 0 || hash.blocks(tail) == 2;
    if hash.padding != Padding::Length || !alone {
        return None;
    }
    if let Some(known) = precomputed(hash, total) {
        let mut words = W::Schedule::splat(W::default());
        words.as_mut()[..known.len()].copy_from_slice(known);
        return Some(SharedBlock { words, len: known.len() });
    }
    let mut blocks = [0; 2 * MAX_BLOCK_BYTES];
    let mut state = W::State::splat(W::default());
    let n = hash.pad(state.as_mut(), tail, total, &mut blocks);
    Some(SharedBlock::of(hash, &blocks[(n - 1) * block..]))
}

/// The block of [`of_length`], if it is a constant of the hash function.
#[inline]
#[must_use]
pub fn precomputed<W: Word>(hash: &Descriptor<W>, total: u128) -> Option<&'static [W]> {
    hash.one_block_padding.filter(|_| total == hash.shape.block_bytes as u128)
}
