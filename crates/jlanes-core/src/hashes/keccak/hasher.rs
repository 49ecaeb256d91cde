//! Keccak's hashers, with the traits of RustCrypto's crates `sha3`, `shake`, `turboshake` and `cshake`.
//!
//! They have no buffer: bytes are xored into the state as they arrive. The serialized states of those crates
//! have the same layout.

use core::fmt;

use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset,
    HashMarker, Output, OutputSizeUser, Reset, Update, XofReader,
    block_api::{AlgorithmName, BlockSizeUser},
    common::hazmat::{DeserializeStateError, SerializableState, SerializedState},
    consts::{U16, U32, U201},
};

#[cfg(feature = "alloc")]
use super::outputs::Outputs;
use super::{
    Extendable, Fixed, RatedPermutation, STATE_WORDS, SpongeFunction, functions,
    sponge::{Reader, SpongeState},
    xof,
};
use crate::{
    compression::Compression,
    function::{DigestOnKernels, XofOnKernels},
    kernel::HasKernels,
    simd::vector::Word,
};

/// Hash function `H` computed by backend `B`.
pub struct Hasher<H: SpongeFunction, B> {
    sponge: SpongeState<H::Compression, B>,
}

impl<H: SpongeFunction, B> Hasher<H, B> {
    /// A hasher on a given backend.
    #[inline]
    #[must_use]
    pub fn with_backend(backend: B) -> Self {
        Self { sponge: SpongeState::new(backend) }
    }
}

impl<H: SpongeFunction, B: Default> Default for Hasher<H, B> {
    #[inline]
    fn default() -> Self {
        Self { sponge: SpongeState::default() }
    }
}

impl<H: SpongeFunction, B: Clone> Clone for Hasher<H, B> {
    #[inline]
    fn clone(&self) -> Self {
        Self { sponge: self.sponge.clone() }
    }
}

impl<H: SpongeFunction, B> fmt::Debug for Hasher<H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {{ ... }}", H::NAME)
    }
}

impl<H: SpongeFunction, B> AlgorithmName for Hasher<H, B> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(H::ALGORITHM)
    }
}

impl<H: SpongeFunction, B> HashMarker for Hasher<H, B> {}

impl<H: SpongeFunction, B> BlockSizeUser for Hasher<H, B> {
    type BlockSize = <H::Compression as RatedPermutation>::Rate;
}

impl<H: SpongeFunction, B> Reset for Hasher<H, B> {
    #[inline]
    fn reset(&mut self) {
        (self.sponge.state, self.sponge.at) = ([0; STATE_WORDS], 0);
    }
}

impl<H: SpongeFunction, B: HasKernels<H::Compression>> Update for Hasher<H, B> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.sponge.absorb(data);
    }
}

impl<H: Fixed, B> OutputSizeUser for Hasher<H, B> {
    type OutputSize = H::OutputSize;
}

impl<H: Fixed, B: HasKernels<H::Compression>> FixedOutput for Hasher<H, B> {
    #[inline]
    fn finalize_into(mut self, out: &mut Output<Self>) {
        self.sponge.end(H::PADDING);
        self.sponge.read(0, out);
    }
}

impl<H: Fixed, B: HasKernels<H::Compression>> FixedOutputReset for Hasher<H, B> {
    #[inline]
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        self.sponge.end(H::PADDING);
        self.sponge.read(0, out);
        self.reset();
    }
}

impl<H: Extendable, B: HasKernels<H::Compression>> ExtendableOutput for Hasher<H, B> {
    type Reader = Reader<H::Compression, B>;

    #[inline]
    fn finalize_xof(mut self) -> Self::Reader {
        self.sponge.end(H::PADDING);
        Reader::of(self.sponge)
    }
}

impl<H: Extendable, B: HasKernels<H::Compression>> ExtendableOutputReset for Hasher<H, B> {
    #[inline]
    fn finalize_xof_reset(&mut self) -> Self::Reader {
        self.sponge.end(H::PADDING);
        let sponge = self.sponge.clone();
        self.reset();
        Reader::of(sponge)
    }
}

/// The state, little-endian, and the number of bytes absorbed since the last permutation.
impl<H: SpongeFunction, B: Default> SerializableState for Hasher<H, B> {
    type SerializedStateSize = U201;

    fn serialize(&self) -> SerializedState<Self> {
        let mut bytes = SerializedState::<Self>::default();
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(&self.sponge.state) {
            word.write_le(bytes);
        }
        bytes[8 * STATE_WORDS] = self.sponge.at;
        bytes
    }

    fn deserialize(bytes: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
        let mut hasher = Self::default();
        for (bytes, word) in bytes.chunks_exact(8).zip(&mut hasher.sponge.state) {
            *word = Word::from_le(bytes);
        }
        hasher.sponge.at = bytes[8 * STATE_WORDS];
        if usize::from(hasher.sponge.at) < block::<H>() {
            Ok(hasher)
        } else {
            Err(DeserializeStateError)
        }
    }
}

/// Bytes of a block.
const fn block<H: SpongeFunction>() -> usize {
    H::Compression::BLOCK_BYTES
}

#[cfg(feature = "zeroize")]
impl<H: SpongeFunction, B> digest::zeroize::ZeroizeOnDrop for Hasher<H, B> {}

impl<H: Fixed, B: HasKernels<H::Compression> + Default> DigestOnKernels for Hasher<H, B> {
    type Hash = H;
    type Backend = B;

    #[inline]
    fn backend() -> B {
        B::default()
    }
}

impl<H: Extendable, B: HasKernels<H::Compression> + Default> XofOnKernels for Hasher<H, B> {
    type Compression = H::Compression;
    type Backend = B;

    #[inline]
    fn backend() -> B {
        B::default()
    }

    fn blocks(message: usize, output: usize) -> u64 {
        (H::DESCRIPTOR.blocks(message) + output / H::Compression::BLOCK_BYTES) as u64
    }

    fn fill<'a>(backend: B, message: impl Fn(usize) -> &'a [u8], outs: &mut [&mut [u8]]) {
        if let [out] = outs {
            // one message needs no lanes
            return Self::with_backend(backend).chain(message(0)).finalize_xof().read(out);
        }
        xof::fill::<H, B>(backend, message, outs);
    }

    #[cfg(feature = "alloc")]
    type Outputs = Outputs;

    #[cfg(feature = "alloc")]
    fn absorb<'a>(
        backend: B,
        message: impl Fn(usize) -> &'a [u8],
        count: usize,
        outputs: &mut Outputs,
    ) {
        xof::absorb::<H, B>(backend, message, count, outputs);
    }

    #[cfg(feature = "alloc")]
    fn push(reader: &Self::Reader, outputs: &mut Outputs) {
        reader.append_to(outputs);
    }
}

// SP 800-185, section 8.3; RFC 9861, section 7
impl<B> CollisionResistance for Hasher<functions::Shake128, B> {
    type CollisionResistance = U16;
}
impl<B> CollisionResistance for Hasher<functions::Shake256, B> {
    type CollisionResistance = U32;
}
impl<B, const DOMAIN: u8> CollisionResistance for Hasher<functions::TurboShake128<DOMAIN>, B> {
    type CollisionResistance = U16;
}
impl<B, const DOMAIN: u8> CollisionResistance for Hasher<functions::TurboShake256<DOMAIN>, B> {
    type CollisionResistance = U32;
}

#[cfg(feature = "oid")]
mod oid {
    use digest::const_oid::{AssociatedOid, ObjectIdentifier};

    use super::{Hasher, functions};

    macro_rules! oids {
        ($($function:ident: $oid:literal;)*) => {$(
            impl<B> AssociatedOid for Hasher<functions::$function, B> {
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
