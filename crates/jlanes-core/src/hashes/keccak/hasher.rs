//! Hashers with the traits of RustCrypto's crates `sha3`, `shake`, `turboshake` and `cshake`.
//!
//! There is no buffer: bytes are xored into the state as they arrive. The serialized states of
//! those crates have the same layout.

use core::{fmt, marker::PhantomData};

use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset,
    HashMarker, Output, OutputSizeUser, Reset, Update, XofReader,
    block_api::{AlgorithmName, BlockSizeUser},
    common::hazmat::{DeserializeStateError, SerializableState, SerializedState},
    consts::{U16, U32, U201},
};

use super::{Extendable, Fixed, Permutation, STATE, Sponge, functions, xof};
use crate::{
    engine::{Engine, MultiDigest, MultiXof},
    hash::{MAX_BLOCK, compression::Compression, padding::Padding},
    simd::lanes::Word,
};

/// A sponge: a state, and the position of the next byte in its first words.
pub struct Cursor<C, E> {
    state: [u64; STATE],
    at: u8,
    engine: E,
    permutation: PhantomData<C>,
}

impl<C, E> Cursor<C, E> {
    /// A sponge in its initial state.
    #[inline]
    #[must_use]
    pub fn new(engine: E) -> Self {
        Self { state: [0; STATE], at: 0, engine, permutation: PhantomData }
    }
}

impl<C, E: Default> Default for Cursor<C, E> {
    #[inline]
    fn default() -> Self {
        Self::new(E::default())
    }
}

impl<C, E: Clone> Clone for Cursor<C, E> {
    #[inline]
    fn clone(&self) -> Self {
        Self { engine: self.engine.clone(), ..*self }
    }
}

impl<C, E> Drop for Cursor<C, E> {
    #[inline]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        {
            u64::wipe(&mut self.state);
            digest::zeroize::Zeroize::zeroize(&mut self.at);
        }
    }
}

impl<C: Permutation, E: Engine<C>> Cursor<C, E> {
    /// Absorbs `data`.
    #[inline]
    pub fn absorb(&mut self, mut data: &[u8]) {
        if self.at > 0 {
            let room = C::BLOCK - usize::from(self.at);
            let (head, rest) = data.split_at(data.len().min(room));
            self.add(head);
            if head.len() < room {
                return;
            }
            self.permute();
            data = rest;
        }
        let (blocks, tail) = data.split_at(data.len() / C::BLOCK * C::BLOCK);
        if !blocks.is_empty() {
            self.engine.advance_one(&mut self.state, blocks);
        }
        self.add(tail);
    }

    /// Completes a partial block.
    pub(super) fn fill_up(&mut self) {
        if self.at > 0 {
            self.permute();
        }
    }

    /// Xors bytes that stay within the block.
    #[inline]
    fn add(&mut self, data: &[u8]) {
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
        self.engine.advance_one(&mut self.state, &[0; MAX_BLOCK][..C::BLOCK]);
        self.at = 0;
    }

    /// Finishes the message; `padding` determines the byte after it.
    #[inline]
    pub fn end(&mut self, padding: Padding) {
        self.add(&[padding.byte()]);
        self.state[C::BLOCK / 8 - 1] ^= 1 << 63;
        self.permute();
    }

    fn squeeze(&mut self, mut out: &mut [u8]) {
        while !out.is_empty() {
            if usize::from(self.at) == C::BLOCK {
                self.permute();
            }
            let at = usize::from(self.at);
            let (now, later) = out.split_at_mut(out.len().min(C::BLOCK - at));
            self.read(at, now);
            self.at += now.len() as u8;
            out = later;
        }
    }

    /// Bytes of the state from byte `at` on.
    fn read(&self, mut at: usize, mut out: &mut [u8]) {
        while !at.is_multiple_of(8) {
            let [byte, after @ ..] = out else { return };
            *byte = (self.state[at / 8] >> (8 * (at % 8))) as u8;
            (out, at) = (after, at + 1);
        }
        let (words, rest) = out.as_chunks_mut();
        let (whole, last) = self.state[at / 8..].split_at(words.len());
        for (word, bytes) in whole.iter().zip(words) {
            *bytes = word.to_le_bytes();
        }
        for (i, byte) in rest.iter_mut().enumerate() {
            *byte = (last[0] >> (8 * i)) as u8;
        }
    }
}

/// Hash function `H` computed by engine `E`.
pub struct Hasher<H: Sponge, E> {
    cursor: Cursor<H::Compression, E>,
}

impl<H: Sponge, E> Hasher<H, E> {
    /// A hasher on a given engine.
    #[inline]
    #[must_use]
    pub fn with_engine(engine: E) -> Self {
        Self { cursor: Cursor::new(engine) }
    }
}

impl<H: Sponge, E: Default> Default for Hasher<H, E> {
    #[inline]
    fn default() -> Self {
        Self { cursor: Cursor::default() }
    }
}

impl<H: Sponge, E: Clone> Clone for Hasher<H, E> {
    #[inline]
    fn clone(&self) -> Self {
        Self { cursor: self.cursor.clone() }
    }
}

impl<H: Sponge, E> fmt::Debug for Hasher<H, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {{ ... }}", H::NAME)
    }
}

impl<H: Sponge, E> AlgorithmName for Hasher<H, E> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(H::ALGORITHM)
    }
}

impl<H: Sponge, E> HashMarker for Hasher<H, E> {}

impl<H: Sponge, E> BlockSizeUser for Hasher<H, E> {
    type BlockSize = <H::Compression as Permutation>::Rate;
}

impl<H: Sponge, E> Reset for Hasher<H, E> {
    #[inline]
    fn reset(&mut self) {
        (self.cursor.state, self.cursor.at) = ([0; STATE], 0);
    }
}

impl<H: Sponge, E: Engine<H::Compression>> Update for Hasher<H, E> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.cursor.absorb(data);
    }
}

impl<H: Fixed, E> OutputSizeUser for Hasher<H, E> {
    type OutputSize = H::OutputSize;
}

impl<H: Fixed, E: Engine<H::Compression>> FixedOutput for Hasher<H, E> {
    #[inline]
    fn finalize_into(mut self, out: &mut Output<Self>) {
        self.cursor.end(H::PADDING);
        self.cursor.read(0, out);
    }
}

impl<H: Fixed, E: Engine<H::Compression>> FixedOutputReset for Hasher<H, E> {
    #[inline]
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        self.cursor.end(H::PADDING);
        self.cursor.read(0, out);
        self.reset();
    }
}

impl<H: Extendable, E: Engine<H::Compression>> ExtendableOutput for Hasher<H, E> {
    type Reader = Reader<H::Compression, E>;

    #[inline]
    fn finalize_xof(mut self) -> Self::Reader {
        self.cursor.end(H::PADDING);
        Reader { cursor: self.cursor }
    }
}

impl<H: Extendable, E: Engine<H::Compression>> ExtendableOutputReset for Hasher<H, E> {
    #[inline]
    fn finalize_xof_reset(&mut self) -> Self::Reader {
        self.cursor.end(H::PADDING);
        let cursor = self.cursor.clone();
        self.reset();
        Reader { cursor }
    }
}

/// The state, little-endian, and the number of bytes absorbed since the last permutation.
impl<H: Sponge, E: Default> SerializableState for Hasher<H, E> {
    type SerializedStateSize = U201;

    fn serialize(&self) -> SerializedState<Self> {
        let mut bytes = SerializedState::<Self>::default();
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(&self.cursor.state) {
            word.write_le(bytes);
        }
        bytes[8 * STATE] = self.cursor.at;
        bytes
    }

    fn deserialize(bytes: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
        let mut hasher = Self::default();
        for (bytes, word) in bytes.chunks_exact(8).zip(&mut hasher.cursor.state) {
            *word = Word::from_le(bytes);
        }
        hasher.cursor.at = bytes[8 * STATE];
        if usize::from(hasher.cursor.at) < block::<H>() {
            Ok(hasher)
        } else {
            Err(DeserializeStateError)
        }
    }
}

/// Bytes of a block.
const fn block<H: Sponge>() -> usize {
    H::Compression::BLOCK
}

#[cfg(feature = "zeroize")]
impl<H: Sponge, E> digest::zeroize::ZeroizeOnDrop for Hasher<H, E> {}

impl<H: Fixed, E: Engine<H::Compression> + Default> MultiDigest for Hasher<H, E> {
    type Function = H;
    type Engine = E;

    #[inline]
    fn engine() -> E {
        E::default()
    }
}

impl<H: Extendable, E: Engine<H::Compression> + Default> MultiXof for Hasher<H, E> {
    type Compression = H::Compression;
    type Engine = E;

    #[inline]
    fn engine() -> E {
        E::default()
    }

    fn blocks(message: usize, output: usize) -> u64 {
        (H::DESCRIPTOR.blocks(message) + output / H::Compression::BLOCK) as u64
    }

    fn fill<'a>(engine: E, message: impl Fn(usize) -> &'a [u8], outs: &mut [&mut [u8]]) {
        xof::fill::<H, E>(engine, message, outs);
    }
}

/// The output of an extendable function.
pub struct Reader<C: Permutation, E> {
    cursor: Cursor<C, E>,
}

impl<C: Permutation, E: Clone> Clone for Reader<C, E> {
    fn clone(&self) -> Self {
        Self { cursor: self.cursor.clone() }
    }
}

impl<C: Permutation, E> fmt::Debug for Reader<C, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader { ... }")
    }
}

impl<C: Permutation, E: Engine<C>> XofReader for Reader<C, E> {
    #[inline]
    fn read(&mut self, out: &mut [u8]) {
        self.cursor.squeeze(out);
    }
}

#[cfg(feature = "zeroize")]
impl<C: Permutation, E> digest::zeroize::ZeroizeOnDrop for Reader<C, E> {}

impl<C: Permutation, E> Reader<C, E> {
    /// The output of `cursor`, after its message has [ended](Cursor::end).
    #[must_use]
    pub fn of(cursor: Cursor<C, E>) -> Self {
        Self { cursor }
    }
}

// SP 800-185, section 8.3; RFC 9861, section 7
impl<E> CollisionResistance for Hasher<functions::Shake128, E> {
    type CollisionResistance = U16;
}
impl<E> CollisionResistance for Hasher<functions::Shake256, E> {
    type CollisionResistance = U32;
}
impl<E, const DOMAIN: u8> CollisionResistance for Hasher<functions::TurboShake128<DOMAIN>, E> {
    type CollisionResistance = U16;
}
impl<E, const DOMAIN: u8> CollisionResistance for Hasher<functions::TurboShake256<DOMAIN>, E> {
    type CollisionResistance = U32;
}

#[cfg(feature = "oid")]
mod oid {
    use digest::const_oid::{AssociatedOid, ObjectIdentifier};

    use super::{Hasher, functions};

    macro_rules! oids {
        ($($function:ident: $oid:literal;)*) => {$(
            impl<E> AssociatedOid for Hasher<functions::$function, E> {
                const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
            }
        )*};
    }
    oids! {
        Sha3_224: "2.16.840.1.101.3.4.2.7";
        Sha3_256: "2.16.840.1.101.3.4.2.8";
        Sha3_384: "2.16.840.1.101.3.4.2.9";
        Sha3_512: "2.16.840.1.101.3.4.2.10";
        Shake128: "2.16.840.1.101.3.4.2.11";
        Shake256: "2.16.840.1.101.3.4.2.12";
    }
}
