//! ParallelHash (SP 800-185, section 6): a standard tree of one level, with blocks hashed on lanes.
//!
//! ```text
//! output = cSHAKE(left_encode(B) || V_1 || ... || V_n || right_encode(n) || right_encode(L),
//!                 "ParallelHash", customization)
//! V_i    = SHAKE(block i), blocks of B bytes
//! L      = bits of the output; 0 for ParallelHashXOF, which has any output length
//! ```

use core::fmt;

use digest::{
    ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker, Output,
    OutputSizeUser, Reset, Update, XofReader,
    block_api::{AlgorithmName, BlockSizeUser},
    consts::{U16, U32},
    typenum::Unsigned,
};
use jlanes_core::{
    engine::Engine,
    hashes::keccak::{
        Extendable, Permutation,
        cshake::{CShake, Customizable, left_encode, right_encode},
        cursor::Reader,
        functions::{CShake128, CShake256, Shake128, Shake256},
    },
};

use crate::{ParameterError, join::Join, leaves::Leaves};

/// A size of ParallelHash, by the function of its leaves, the blocks.
pub trait LeafFunction: Extendable {
    /// The function of the root.
    type Root: Customizable<Compression = Self::Compression>;
}

impl LeafFunction for Shake128 {
    type Root = CShake128;
}

impl LeafFunction for Shake256 {
    type Root = CShake256;
}

/// A hasher of ParallelHash with blocks under `F`, on engine `E`.
///
/// The output length is hashed too, so outputs of different lengths are unrelated: [`FixedOutput`]
/// has 32 bytes (ParallelHash128) or 64, [`finalize_into_slice`] any number, and
/// [`ExtendableOutput`] is ParallelHashXOF.
///
/// It needs 64 KiB for messages of more than a block, and up to 2 MiB with blocks of 256 KiB.
/// Longer blocks share the lanes only if a piece of the message contains several.
///
/// [`finalize_into_slice`]: Self::finalize_into_slice
pub struct ParallelHash<F: LeafFunction, E> {
    /// The root after the bytes that precede the blocks.
    start: CShake<F::Root, E>,
    root: CShake<F::Root, E>,
    blocks: Leaves,
}

/// ParallelHash128 on engine `E`.
pub type ParallelHash128<E> = ParallelHash<Shake128, E>;
/// ParallelHash256 on engine `E`.
pub type ParallelHash256<E> = ParallelHash<Shake256, E>;

impl<F: LeafFunction, E: Engine<F::Compression> + Default> ParallelHash<F, E> {
    /// A hasher with blocks of `block_size` bytes and a customization string, which may be empty.
    ///
    /// # Errors
    /// If `block_size` is 0.
    pub fn new(block_size: usize, customization: &[u8]) -> Result<Self, ParameterError> {
        Self::with_engine(E::default(), block_size, customization)
    }
}

impl<F: LeafFunction, E: Engine<F::Compression>> ParallelHash<F, E> {
    /// [`new`](Self::new) on a given engine.
    ///
    /// # Errors
    /// If `block_size` is 0.
    pub fn with_engine(
        engine: E,
        block_size: usize,
        customization: &[u8],
    ) -> Result<Self, ParameterError> {
        if block_size == 0 {
            return Err(ParameterError::EmptyLeaf);
        }
        let mut start = CShake::with_engine(engine, b"ParallelHash", customization);
        let (size, count) = left_encode(block_size as u128);
        start.update(&size[..count]);
        Ok(Self { root: start.clone(), start, blocks: Leaves::new::<F, E>(engine, block_size) })
    }

    /// Writes ParallelHash with an output of `out.len()` bytes.
    pub fn finalize_into_slice(mut self, out: &mut [u8]) {
        self.end(8 * out.len() as u128).read(out);
    }

    /// [`finalize_into_slice`](Self::finalize_into_slice), followed by a reset.
    pub fn finalize_into_slice_reset(&mut self, out: &mut [u8]) {
        self.end(8 * out.len() as u128).read(out);
        self.reset();
    }

    fn absorb(&mut self, join: Join, data: &[u8]) {
        self.blocks.update(join, data, &mut |values| self.root.update(values));
    }

    /// Finishes the message for an output of `bits` bits; 0 means any length.
    fn end(&mut self, bits: u128) -> Reader<F::Compression, E> {
        self.blocks.finish(&mut |values| self.root.update(values));
        for number in [self.blocks.count(), bits] {
            let (bytes, count) = right_encode(number);
            self.root.update(&bytes[..count]);
        }
        self.root.clone().finalize_xof()
    }
}

/// Bits of the fixed output.
fn fixed_bits<F: LeafFunction>() -> u128 {
    8 * F::OutputSize::USIZE as u128
}

impl<F: LeafFunction, E: Clone> Clone for ParallelHash<F, E> {
    fn clone(&self) -> Self {
        Self { start: self.start.clone(), root: self.root.clone(), blocks: self.blocks.clone() }
    }
}

impl<F: LeafFunction, E: Engine<F::Compression>> Update for ParallelHash<F, E> {
    fn update(&mut self, data: &[u8]) {
        self.absorb(Join::Serial, data);
    }
}

#[cfg(feature = "rayon")]
impl<F: LeafFunction, E: Engine<F::Compression>> crate::ParUpdate for ParallelHash<F, E> {
    fn par_update(&mut self, data: &[u8]) {
        let shared = data.len() >= crate::join::WORTH;
        self.absorb(if shared { Join::Rayon } else { Join::Serial }, data);
    }
}

impl<F: LeafFunction, E: Engine<F::Compression>> Reset for ParallelHash<F, E> {
    fn reset(&mut self) {
        self.root = self.start.clone();
        self.blocks.clear();
    }
}

/// ParallelHashXOF.
impl<F: LeafFunction, E: Engine<F::Compression>> ExtendableOutput for ParallelHash<F, E> {
    type Reader = Reader<F::Compression, E>;

    fn finalize_xof(mut self) -> Self::Reader {
        self.end(0)
    }
}

impl<F: LeafFunction, E: Engine<F::Compression>> ExtendableOutputReset for ParallelHash<F, E> {
    fn finalize_xof_reset(&mut self) -> Self::Reader {
        let reader = self.end(0);
        self.reset();
        reader
    }
}

impl<F: LeafFunction, E> OutputSizeUser for ParallelHash<F, E> {
    type OutputSize = F::OutputSize;
}

impl<F: LeafFunction, E: Engine<F::Compression>> FixedOutput for ParallelHash<F, E> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        self.end(fixed_bits::<F>()).read(out);
    }
}

impl<F: LeafFunction, E: Engine<F::Compression>> FixedOutputReset for ParallelHash<F, E> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        self.end(fixed_bits::<F>()).read(out);
        self.reset();
    }
}

impl<F: LeafFunction, E> HashMarker for ParallelHash<F, E> {}

impl<F: LeafFunction, E> BlockSizeUser for ParallelHash<F, E> {
    type BlockSize = <F::Compression as Permutation>::Rate;
}

impl<F: LeafFunction, E> AlgorithmName for ParallelHash<F, E> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParallelHash{}", 4 * F::OutputSize::USIZE)
    }
}

impl<F: LeafFunction, E> fmt::Debug for ParallelHash<F, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::write_alg_name(f)?;
        f.write_str(" { ... }")
    }
}

// SP 800-185, section 8.3
impl<E> digest::CollisionResistance for ParallelHash<Shake128, E> {
    type CollisionResistance = U16;
}
impl<E> digest::CollisionResistance for ParallelHash<Shake256, E> {
    type CollisionResistance = U32;
}

/// Its parts wipe themselves.
#[cfg(feature = "zeroize")]
impl<F: LeafFunction, E> digest::zeroize::ZeroizeOnDrop for ParallelHash<F, E> {}
