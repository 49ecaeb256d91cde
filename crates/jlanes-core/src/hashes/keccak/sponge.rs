//! [`SpongeState`], which absorbs one message, and [`Reader`], which squeezes its output: bytes at any position
//! of a block.

use core::{fmt, marker::PhantomData};

use digest::XofReader;

#[cfg(feature = "alloc")]
use super::outputs::Outputs;
use super::{RatedPermutation, STATE_WORDS, sponge_lanes::read};
#[cfg(feature = "alloc")]
use crate::compression::Shape;
use crate::{
    compression::{MAX_BLOCK_BYTES, Rows, padding::Padding},
    kernel::HasKernels,
    wipe,
};

/// The state of a sponge, and the position of the next byte in its first words.
pub struct SpongeState<C, B> {
    pub(super) state: [u64; STATE_WORDS],
    pub(super) at: u8,
    pub(super) backend: B,
    permutation: PhantomData<C>,
}

impl<C, B> SpongeState<C, B> {
    /// The initial state.
    #[inline]
    #[must_use]
    pub fn new(backend: B) -> Self {
        Self { state: [0; STATE_WORDS], at: 0, backend, permutation: PhantomData }
    }
}

impl<C, B: Default> Default for SpongeState<C, B> {
    #[inline]
    fn default() -> Self {
        Self::new(B::default())
    }
}

impl<C, B: Clone> Clone for SpongeState<C, B> {
    #[inline]
    fn clone(&self) -> Self {
        Self { backend: self.backend.clone(), ..*self }
    }
}

impl<C, B> Drop for SpongeState<C, B> {
    #[inline]
    fn drop(&mut self) {
        wipe::words(&mut self.state);
        #[cfg(feature = "zeroize")]
        digest::zeroize::Zeroize::zeroize(&mut self.at);
    }
}

impl<C: RatedPermutation, B: HasKernels<C>> SpongeState<C, B> {
    /// Absorbs `data`.
    #[inline]
    pub fn absorb(&mut self, mut data: &[u8]) {
        if self.at > 0 {
            let room = C::BLOCK_BYTES - usize::from(self.at);
            let (head, rest) = data.split_at(data.len().min(room));
            self.xor_bytes(head);
            if head.len() < room {
                return;
            }
            self.permute();
            data = rest;
        }
        let (blocks, tail) = data.split_at(data.len() / C::BLOCK_BYTES * C::BLOCK_BYTES);
        if !blocks.is_empty() {
            self.backend.advance_one(&mut self.state, blocks);
        }
        self.xor_bytes(tail);
    }

    /// Completes a partial block with zeros.
    pub(super) fn complete_block(&mut self) {
        if self.at > 0 {
            self.permute();
        }
    }

    /// Xors bytes that stay within the block.
    #[inline]
    fn xor_bytes(&mut self, data: &[u8]) {
        let mut at = usize::from(self.at);
        self.at += data.len() as u8;
        let mut rest = data;
        while at % 8 > 0 {
            let [byte, after @ ..] = rest else { return };
            self.state[at / 8] ^= u64::from(*byte) << (8 * (at % 8));
            (rest, at) = (after, at + 1);
        }
        let (words, rest) = rest.as_chunks();
        let (whole, last) = self.state[at / 8..].split_at_mut(words.len());
        for (word, bytes) in whole.iter_mut().zip(words) {
            *word ^= u64::from_le_bytes(*bytes);
        }
        for (i, byte) in rest.iter().enumerate() {
            last[0] ^= u64::from(*byte) << (8 * i);
        }
    }

    fn permute(&mut self) {
        self.backend.advance_one(&mut self.state, &[0; MAX_BLOCK_BYTES][..C::BLOCK_BYTES]);
        self.at = 0;
    }

    /// Finishes the message; `padding` determines the byte after it.
    #[inline]
    pub fn end(&mut self, padding: Padding) {
        self.xor_bytes(&[padding.byte()]);
        self.state[C::BLOCK_BYTES / 8 - 1] ^= 1 << 63;
        self.permute();
    }

    fn squeeze(&mut self, mut out: &mut [u8]) {
        while !out.is_empty() {
            if usize::from(self.at) == C::BLOCK_BYTES {
                self.permute();
            }
            let at = usize::from(self.at);
            let (now, later) = out.split_at_mut(out.len().min(C::BLOCK_BYTES - at));
            self.read(at, now);
            self.at += now.len() as u8;
            out = later;
        }
    }

    /// Bytes of the state from byte `at` on.
    #[inline]
    pub(super) fn read(&self, at: usize, out: &mut [u8]) {
        read(Rows { words: &self.state, stride: 1 }, at, out);
    }
}

/// The output of an extendable function.
pub struct Reader<C: RatedPermutation, B> {
    sponge: SpongeState<C, B>,
}

impl<C: RatedPermutation, B: Clone> Clone for Reader<C, B> {
    fn clone(&self) -> Self {
        Self { sponge: self.sponge.clone() }
    }
}

impl<C: RatedPermutation, B> fmt::Debug for Reader<C, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader { ... }")
    }
}

impl<C: RatedPermutation, B: HasKernels<C>> XofReader for Reader<C, B> {
    #[inline]
    fn read(&mut self, out: &mut [u8]) {
        self.sponge.squeeze(out);
    }
}

#[cfg(feature = "zeroize")]
impl<C: RatedPermutation, B> digest::zeroize::ZeroizeOnDrop for Reader<C, B> {}

impl<C: RatedPermutation, B> Reader<C, B> {
    /// The output of `sponge`, after its message has [ended](SpongeState::end).
    #[must_use]
    pub fn of(sponge: SpongeState<C, B>) -> Self {
        Self { sponge }
    }

    /// Appends the rest of this output to others.
    #[cfg(feature = "alloc")]
    pub fn append_to(&self, outputs: &mut Outputs) {
        outputs.push(&Shape::of::<C>(), &self.sponge.state, self.sponge.at);
    }
}
