//! [`DigestBlock`], the block of a digest that is hashed again, with constant padding around it. With the start
//! of that hash it is an [`OuterHash`].

use core::slice;

use crate::{
    compression::{
        LaneBuffer, LaneStart, MAX_BLOCK_BYTES, Shape,
        padding::{Padding, prepare_last},
    },
    hash::Descriptor,
    kernel::RehashRounds,
    simd::{
        vector::{Array, ByteOrder, Word},
        words::{read_words, write_native, write_words},
    },
    wipe,
};

/// The last block of a message: a digest and its padding.
#[derive(Clone, Copy, Debug)]
pub struct DigestBlock<W: Word> {
    shape: &'static Shape<W>,
    /// The words of the block: the padding, and zeros in place of the digest. A state has room for any block.
    words: W::State,
    /// The same block as the bytes of a message.
    bytes: [u8; MAX_BLOCK_BYTES],
    /// The number of words with bytes of the digest.
    pub(in crate::lanes) digest_words: usize,
    /// The mask of the digest in the last of these words, unless it is the whole word.
    last_mask: Option<W>,
    /// Bytes of the digest, if the end of the message changes the state.
    end_bytes: Option<usize>,
}

/// The outer one of two hashes, of HMAC or of a double digest: it takes digests, from one start for all.
#[derive(Debug)]
pub struct OuterHash<W: Word> {
    /// The block around a digest.
    pub(crate) block: DigestBlock<W>,
    start: W::State,
}

impl<W: Word> OuterHash<W> {
    /// The hash of digests in `block` after the state `start`.
    pub(crate) fn new(mut start: W::State, block: DigestBlock<W>) -> Self {
        block.prepare_start(&mut start.as_mut()[..block.shape.state_words]);
        Self { block, start }
    }

    /// The start, adjusted by [`DigestBlock::prepare_start`].
    pub(crate) fn start(&self) -> &[W] {
        &self.start.as_ref()[..self.block.shape.state_words]
    }

    /// Wipes the start, which may come from a key.
    pub(crate) fn wipe(&mut self) {
        wipe::words(self.start.as_mut());
    }
}

impl<W: Word> DigestBlock<W> {
    /// The last block of messages that end with a digest of `size` bytes of `hash` after `before` bytes,
    /// whole blocks. `None` if the outer hash takes more than one compression, or if a digest is not
    /// words of the state.
    #[must_use]
    pub fn after(hash: &'static Descriptor<W>, size: usize, before: u128) -> Option<Self> {
        let shape = &hash.shape;
        if hash.has_output_transform || hash.blocks(size) != 1 {
            return None;
        }
        let mut bytes = [0; MAX_BLOCK_BYTES];
        let block = &mut bytes[..shape.block_bytes];
        let mut state = hash.start();
        hash.pad(state.as_mut(), size, before + size as u128, block);
        let mut words = W::State::splat(W::default());
        read_words(shape.order, block, &mut words.as_mut()[..shape.block_words]);
        let last_bytes = size % W::BYTES;
        let mut mask = [0; size_of::<u64>()];
        mask[..last_bytes].fill(0xff);
        Some(Self {
            shape,
            words,
            bytes,
            digest_words: size.div_ceil(W::BYTES),
            last_mask: (last_bytes > 0).then(|| W::read(shape.order, &mask)),
            end_bytes: (hash.padding == Padding::Zeros).then_some(size),
        })
    }

    /// Adjusts the start of the hash for this final block.
    pub fn prepare_start(&self, state: &mut [W]) {
        if let Some(size) = self.end_bytes {
            prepare_last(self.shape, state, size);
        }
    }

    /// [`prepare_start`](Self::prepare_start) in all lanes.
    pub fn prepare_starts(&self, states: &mut LaneBuffer<W>) {
        if self.end_bytes.is_some() {
            for lane in 0..self.shape.max_lanes {
                let mut state = W::State::splat(W::default());
                let state = &mut state.as_mut()[..self.shape.state_words];
                states.get_into(lane, state);
                self.prepare_start(state);
                states.states().set(lane, state);
            }
        }
    }

    /// The block for digests that are hashed again from `starts`.
    pub(in crate::lanes) fn rehash_rounds<'a>(
        &'a self,
        starts: &'a [LaneStart<'a, W>],
        rounds: u64,
    ) -> RehashRounds<'a, W> {
        RehashRounds {
            block: self.words(),
            digest_words: self.digest_words,
            last_mask: self.last_mask,
            starts,
            rounds,
        }
    }

    /// The words around a digest.
    pub(in crate::lanes) fn words(&self) -> &[W] {
        &self.words.as_ref()[..self.shape.block_words]
    }

    /// The bytes around a digest, with words in `order`.
    pub(super) fn bytes(&self, order: ByteOrder) -> [u8; MAX_BLOCK_BYTES] {
        let mut bytes = self.bytes;
        if order != self.shape.order {
            write_words(order, self.words(), &mut bytes);
        }
        bytes
    }

    /// Writes a digest, in the CPU's byte order, into a block with the padding around it.
    #[inline]
    pub(super) fn write(&self, digest: &mut [W], bytes: &mut [u8]) {
        if let [.., last] = &mut *digest {
            self.pad_last_words(slice::from_mut(last));
        }
        write_native(digest, bytes);
    }

    /// Restores the padding after a state was written over the block.
    pub(super) fn restore_padding(&self, rows: &mut [W], width: usize) {
        let changed = self.shape.state_words.min(self.shape.block_words);
        for i in self.digest_words..changed {
            rows[i * width..][..width].fill(self.words()[i]);
        }
        self.pad_last_words(&mut rows[(self.digest_words - 1) * width..][..width]);
    }

    /// Pads the last words of digests, which may end within them.
    #[inline]
    pub(in crate::lanes) fn pad_last_words(&self, words: &mut [W]) {
        if let Some(mask) = self.last_mask {
            let padding = self.words()[self.digest_words - 1];
            words.iter_mut().for_each(|word| *word = word.and(mask).or(padding));
        }
    }
}
