//! One block a lane that holds a digest and its padding: what is hashed when digests are hashed.
//!
//! The blocks are interleaved ([`Interleaved`]): word `i` of all lanes is a row, as it is in
//! [`Columns`]. A digest is the chaining value's words, so handing the result of one compression to
//! the next is a copy of rows, without the transpose that messages need; the padding (\[SMS\]
//! section 5) is written once.

use core::marker::PhantomData;

use digest::typenum::Unsigned;

use crate::{
    engine::{Input, MAX_LANES},
    hash::{
        HashFunction, MAX_BLOCK, Output, State, WordOf,
        compression::{Columns, Compression},
    },
    simd::{
        lanes::{Array, Word},
        layout::Interleaved,
    },
};

/// Chaining values of [`MAX_LANES`] lanes.
pub(crate) type States<H> =
    <<H as HashFunction>::Compression as Compression>::State<[WordOf<H>; MAX_LANES]>;

/// `states` as an engine takes them.
pub(crate) fn columns<H: HashFunction>(states: &mut States<H>) -> Columns<'_, WordOf<H>> {
    Columns::new(states.as_mut().as_flattened_mut(), MAX_LANES)
}

/// The state `words` in every lane.
pub(crate) fn broadcast<H: HashFunction>(words: &State<H>) -> States<H> {
    let mut states = States::<H>::splat([WordOf::<H>::default(); MAX_LANES]);
    for (row, word) in states.as_mut().iter_mut().zip(words.as_ref()) {
        *row = [*word; MAX_LANES];
    }
    states
}

/// A digest and its padding in each of [`MAX_LANES`] lanes.
#[derive(Clone)]
pub(crate) struct Rows<H> {
    bytes: [u8; MAX_LANES * MAX_BLOCK],
    hash: PhantomData<H>,
}

impl<H: HashFunction> Rows<H> {
    const DIGEST: usize = H::OutputSize::USIZE;
    const WORD: usize = WordOf::<H>::BYTES;
    /// Bytes of a row.
    const ROW: usize = MAX_LANES * Self::WORD;

    /// Blocks that end messages of `before` bytes and a digest. `None` for functions whose digest
    /// and padding do not make one block in the words of the state, as Merkle-Damgård's do.
    pub(crate) fn after(before: u128) -> Option<Self> {
        if H::HOLD_BACK > 0 || Self::DIGEST >= H::Compression::BLOCK {
            return None;
        }
        let mut block = [0; 2 * MAX_BLOCK];
        let total = before + Self::DIGEST as u128;
        if H::end(0, &mut H::start(), Self::DIGEST, total, &mut block) > 1 {
            return None;
        }
        let mut rows = Self { bytes: [0; MAX_LANES * MAX_BLOCK], hash: PhantomData };
        for lane in 0..MAX_LANES {
            rows.write(lane, &block[..H::Compression::BLOCK]);
        }
        Some(rows)
    }

    /// Puts a digest into a lane.
    pub(crate) fn put(&mut self, lane: usize, digest: &Output<H>) {
        self.write(lane, digest);
    }

    /// The digest in a lane.
    pub(crate) fn get(&self, lane: usize) -> Output<H> {
        let mut digest = Output::<H>::default();
        for (i, word) in digest.chunks_mut(Self::WORD).enumerate() {
            word.copy_from_slice(&self.bytes[i * Self::ROW + lane * Self::WORD..][..word.len()]);
        }
        digest
    }

    /// Puts into every lane the digest that its chaining value is.
    #[inline]
    pub(crate) fn take(&mut self, states: &States<H>) {
        let rows = self.bytes.chunks_exact_mut(Self::ROW).zip(states.as_ref());
        for (i, (row, words)) in rows.take(Self::DIGEST.div_ceil(Self::WORD)).enumerate() {
            let places = row.chunks_exact_mut(Self::WORD).zip(words);
            if (i + 1) * Self::WORD <= Self::DIGEST {
                places.for_each(|(bytes, word)| word.write_be(bytes));
            } else {
                // a digest that ends within a word, as SHA-512/224's, shares it with the padding
                let kept = Self::DIGEST % Self::WORD;
                for (bytes, word) in places {
                    let mut whole = [0; size_of::<u64>()];
                    word.write_be(&mut whole);
                    bytes[..kept].copy_from_slice(&whole[..kept]);
                }
            }
        }
    }

    /// Adds the digests of `other` modulo 2; what is no digest is lost.
    #[inline]
    pub(crate) fn xor(&mut self, other: &Self) {
        let digests = Self::DIGEST.div_ceil(Self::WORD) * Self::ROW;
        for (sum, byte) in self.bytes[..digests].iter_mut().zip(&other.bytes) {
            *sum ^= byte;
        }
    }

    /// The blocks, for an engine.
    #[inline]
    pub(crate) fn input(&self) -> Input<'_> {
        let data = &self.bytes[..MAX_LANES * H::Compression::BLOCK];
        Input::Interleaved(Interleaved { data, lanes: MAX_LANES })
    }

    /// Overwrites the first words of a lane's block.
    fn write(&mut self, lane: usize, bytes: &[u8]) {
        for (i, word) in bytes.chunks(Self::WORD).enumerate() {
            self.bytes[i * Self::ROW + lane * Self::WORD..][..word.len()].copy_from_slice(word);
        }
    }
}

#[cfg(feature = "zeroize")]
impl<H> Drop for Rows<H> {
    fn drop(&mut self) {
        crate::wipe::bytes(&mut self.bytes);
    }
}
