//! The last block of a message: a digest and its padding.

use super::StartStates;
use crate::{
    hash::{
        Descriptor, MAX_BLOCK,
        compression::read_words,
        padding::{Padding, finish_state},
    },
    kernel::{LaneStart, SecondHash, Shape},
    simd::lanes::{Array, Word},
};

/// The last block of a message: a digest and its padding.
#[derive(Clone, Copy, Debug)]
pub struct DigestBlock<W: Word> {
    shape: &'static Shape<W>,
    /// The padding; zeros in place of the digest.
    words: W::Schedule,
    /// The number of words with bytes of the digest.
    pub(super) digest: usize,
    /// The mask of the digest in the last of these words, unless it is the whole word.
    pub(super) kept: Option<W>,
    /// Bytes of the digest, if the end of the message changes the state.
    end_bytes: Option<usize>,
}

impl<W: Word> DigestBlock<W> {
    /// The last block of messages that end with a digest of `hash` after `before` bytes, whole
    /// blocks. `None` if the second hash takes more than one compression, or if a digest is not
    /// words of the state.
    #[must_use]
    pub fn after(hash: &'static Descriptor<W>, before: u128) -> Option<Self> {
        let (shape, size) = (&hash.shape, hash.digest);
        if hash.output_transform || hash.blocks(size) != 1 {
            return None;
        }
        let mut bytes = [0; 2 * MAX_BLOCK];
        let mut state = hash.start();
        hash.pad(state.as_mut(), size, before + size as u128, &mut bytes);
        let mut words = W::Schedule::splat(W::default());
        read_words(shape.order, &bytes[..shape.block], &mut words.as_mut()[..shape.words]);
        let kept = size % W::BYTES;
        let mut mask = [0; size_of::<u64>()];
        mask[..kept].fill(0xff);
        Some(Self {
            shape,
            words,
            digest: size.div_ceil(W::BYTES),
            kept: (kept > 0).then(|| W::read(shape.order, &mask)),
            end_bytes: (hash.padding == Padding::Zeros).then_some(size),
        })
    }

    /// Adjusts `start` for this final block.
    #[must_use]
    pub fn starting_at(&self, mut start: StartStates<W>) -> StartStates<W> {
        let Some(size) = self.end_bytes else { return start };
        match &mut start {
            StartStates::Same(state) => finish_state(self.shape, state.as_mut(), size),
            StartStates::Each(states) => {
                for lane in 0..self.shape.lanes {
                    let mut state = W::State::splat(W::default());
                    let state = &mut state.as_mut()[..self.shape.state];
                    states.get_into(lane, state);
                    finish_state(self.shape, state, size);
                    states.states().set(lane, state);
                }
            }
        }
        start
    }

    /// Words of a state.
    pub(crate) fn state(&self) -> usize {
        self.shape.state
    }

    /// The block for digests that are hashed again from `starts`.
    pub(in crate::engine) fn again<'a>(
        &'a self,
        starts: &'a [LaneStart<'a, W>],
        rounds: u64,
    ) -> SecondHash<'a, W> {
        SecondHash { block: self.words(), digest: self.digest, kept: self.kept, starts, rounds }
    }

    /// The words around a digest.
    pub(super) fn words(&self) -> &[W] {
        &self.words.as_ref()[..self.shape.words]
    }

    /// Restores the padding after a state was written over the block.
    pub(super) fn mend(&self, rows: &mut [W], width: usize) {
        let changed = self.shape.state.min(self.shape.words);
        for i in self.digest..changed {
            rows[i * width..][..width].fill(self.words()[i]);
        }
        if let Some(kept) = self.kept {
            let last = self.digest - 1;
            for word in &mut rows[last * width..][..width] {
                *word = word.and(kept).or(self.words()[last]);
            }
        }
    }
}
