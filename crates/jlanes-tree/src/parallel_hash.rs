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
    hashes::keccak::{
        Extendable, RatedPermutation,
        cshake::{CShake, Customizable, left_encode, right_encode},
        functions::{CShake128, CShake256, Shake128, Shake256},
        sponge::Reader,
    },
    kernel::HasKernels,
};

use crate::{TreeError, join::Join, leaves::Leaves};

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

/// A hasher of ParallelHash with blocks under `F`, on backend `B`.
///
/// The output length is hashed too, so outputs of different lengths are unrelated: [`FixedOutput`]
/// has 32 bytes (ParallelHash128) or 64, [`finalize_into_slice`] any number, and
/// [`ExtendableOutput`] is ParallelHashXOF.
///
/// It needs 64 KiB for messages of more than a block, and up to 2 MiB with blocks of 256 KiB.
/// Longer blocks share the lanes only if a piece of the message contains several.
///
/// [`finalize_into_slice`]: Self::finalize_into_slice
pub struct ParallelHash<F: LeafFunction, B> {
    /// The root after the bytes that precede the blocks.
    start: CShake<F::Root, B>,
    root: CShake<F::Root, B>,
    blocks: Leaves,
}

/// ParallelHash128 on backend `B`.
pub type ParallelHash128<B> = ParallelHash<Shake128, B>;
/// ParallelHash256 on backend `B`.
pub type ParallelHash256<B> = ParallelHash<Shake256, B>;

impl<F: LeafFunction, B: HasKernels<F::Compression> + Default> ParallelHash<F, B> {
    /// A hasher with blocks of `block_size` bytes and a customization string, which may be empty.
    ///
    /// # Errors
    /// If `block_size` is 0.
    pub fn new(block_size: usize, customization: &[u8]) -> Result<Self, TreeError> {
        Self::with_backend(B::default(), block_size, customization)
    }
}

impl<F: LeafFunction, B: HasKernels<F::Compression>> ParallelHash<F, B> {
    /// [`new`](Self::new) on a given backend.
    ///
    /// # Errors
    /// If `block_size` is 0.
    pub fn with_backend(
        backend: B,
        block_size: usize,
        customization: &[u8],
    ) -> Result<Self, TreeError> {
        if block_size == 0 {
            return Err(TreeError::EmptyLeaf);
        }
        let mut start = CShake::with_backend(backend, b"ParallelHash", customization);
        let (size, count) = left_encode(block_size as u128);
        start.update(&size[..count]);
        Ok(Self { root: start.clone(), start, blocks: Leaves::new::<F, B>(backend, block_size) })
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
    fn end(&mut self, bits: u128) -> Reader<F::Compression, B> {
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

impl<F: LeafFunction, B: Clone> Clone for ParallelHash<F, B> {
    fn clone(&self) -> Self {
        Self { start: self.start.clone(), root: self.root.clone(), blocks: self.blocks.clone() }
    }
}

impl<F: LeafFunction, B: HasKernels<F::Compression>> Update for ParallelHash<F, B> {
    fn update(&mut self, data: &[u8]) {
        self.absorb(Join::Serial, data);
    }
}

#[cfg(feature = "rayon")]
impl<F: LeafFunction, B: HasKernels<F::Compression>> crate::ParUpdate for ParallelHash<F, B> {
    fn par_update(&mut self, data: &[u8]) {
        let shared = data.len() >= crate::join::MIN_SPLIT_BYTES;
        self.absorb(if shared { Join::Rayon } else { Join::Serial }, data);
    }
}

impl<F: LeafFunction, B: HasKernels<F::Compression>> Reset for ParallelHash<F, B> {
    fn reset(&mut self) {
        self.root = self.start.clone();
        self.blocks.clear();
    }
}

/// ParallelHashXOF.
impl<F: LeafFunction, B: HasKernels<F::Compression>> ExtendableOutput for ParallelHash<F, B> {
    type Reader = Reader<F::Compression, B>;

    fn finalize_xof(mut self) -> Self::Reader {
        self.end(0)
    }
}

impl<F: LeafFunction, B: HasKernels<F::Compression>> ExtendableOutputReset for ParallelHash<F, B> {
    fn finalize_xof_reset(&mut self) -> Self::Reader {
        let reader = self.end(0);
        self.reset();
        reader
    }
}

impl<F: LeafFunction, B> OutputSizeUser for ParallelHash<F, B> {
    type OutputSize = F::OutputSize;
}

impl<F: LeafFunction, B: HasKernels<F::Compression>> FixedOutput for ParallelHash<F, B> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        self.end(fixed_bits::<F>()).read(out);
    }
}

impl<F: LeafFunction, B: HasKernels<F::Compression>> FixedOutputReset for ParallelHash<F, B> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        self.end(fixed_bits::<F>()).read(out);
        self.reset();
    }
}

impl<F: LeafFunction, B> HashMarker for ParallelHash<F, B> {}

impl<F: LeafFunction, B> BlockSizeUser for ParallelHash<F, B> {
    type BlockSize = <F::Compression as RatedPermutation>::Rate;
}

impl<F: LeafFunction, B> AlgorithmName for ParallelHash<F, B> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParallelHash{}", 4 * F::OutputSize::USIZE)
    }
}

impl<F: LeafFunction, B> fmt::Debug for ParallelHash<F, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::write_alg_name(f)?;
        f.write_str(" { ... }")
    }
}

// SP 800-185, section 8.3
impl<B> digest::CollisionResistance for ParallelHash<Shake128, B> {
    type CollisionResistance = U16;
}
impl<B> digest::CollisionResistance for ParallelHash<Shake256, B> {
    type CollisionResistance = U32;
}

/// The root, the leaves and the buffer wipe themselves.
#[cfg(feature = "zeroize")]
impl<F: LeafFunction, B> digest::zeroize::ZeroizeOnDrop for ParallelHash<F, B> {}
