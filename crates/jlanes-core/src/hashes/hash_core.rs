//! [`HashCore`], RustCrypto's block-level core of a hasher, for every Merkle-Damgård function and backend.
//! The crate `digest` adds the buffer around it.

use core::{fmt, marker::PhantomData};

use digest::{
    HashMarker, Output,
    array::{Array, ArraySize},
    block_api::{
        AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, Eager, FixedOutputCore,
        OutputSizeUser, Reset, UpdateCore,
    },
    block_buffer::BlockSizes,
    common::hazmat::{DeserializeStateError, SerializableState, SerializedState},
};

use crate::{
    compression::Compression,
    hash::{HashFunction, State, WordOf, end_one},
    kernel::HasKernels,
    simd::vector::Word,
    wipe,
};

/// A compression function of a Merkle-Damgård hash, with its sizes as types.
pub trait MerkleDamgard: Compression {
    /// [`Compression::BLOCK_BYTES`].
    type BlockSize: BlockSizes;
    /// Bytes of a serialized state: the chaining value and a block counter of two words, both
    /// little-endian, as RustCrypto's crates write them.
    type SerializedSize: ArraySize;

    /// The blocks' bytes.
    fn bytes(blocks: &[Array<u8, Self::BlockSize>]) -> &[u8];
}

/// Implements [`MerkleDamgard`] for a compression function, with both sizes.
macro_rules! merkle_damgard {
    ($compression:ty, $block:ident, $serialized:ident) => {
        impl $crate::hashes::hash_core::MerkleDamgard for $compression {
            type BlockSize = digest::consts::$block;
            type SerializedSize = digest::consts::$serialized;

            #[inline]
            fn bytes(blocks: &[digest::array::Array<u8, Self::BlockSize>]) -> &[u8] {
                digest::array::Array::cast_slice_to_core(blocks).as_flattened()
            }
        }
    };
}
pub(crate) use merkle_damgard;

/// Hash function `H` on the default backend of type `B`, without the buffer.
///
/// The backend is created on demand: stored here, it would be moved with the hasher, which delays
/// short messages.
pub struct HashCore<H: HashFunction, B> {
    state: State<H>,
    blocks: u128,
    backend: PhantomData<fn() -> B>,
}

impl<H: HashFunction, B> HashCore<H, B> {
    /// A core for messages that start at a state with options.
    #[inline]
    #[must_use]
    pub fn starting_at(state: State<H>) -> Self {
        Self { state, blocks: 0, backend: PhantomData }
    }

    /// The state after the blocks so far.
    #[inline]
    #[must_use]
    pub fn state(&self) -> &State<H> {
        &self.state
    }
}

impl<H: HashFunction, B> Clone for HashCore<H, B> {
    #[inline]
    fn clone(&self) -> Self {
        Self { state: self.state, blocks: self.blocks, backend: PhantomData }
    }
}

impl<H: HashFunction, B> HashMarker for HashCore<H, B> {}

impl<H: HashFunction, B> Default for HashCore<H, B> {
    #[inline]
    fn default() -> Self {
        Self { state: H::start(), blocks: 0, backend: PhantomData }
    }
}

impl<H: HashFunction, B> Reset for HashCore<H, B> {
    #[inline]
    fn reset(&mut self) {
        H::restart(&mut self.state);
        self.blocks = 0;
    }
}

impl<H: HashFunction<Compression: MerkleDamgard>, B> BlockSizeUser for HashCore<H, B> {
    type BlockSize = <H::Compression as MerkleDamgard>::BlockSize;
}

impl<H: HashFunction<Compression: MerkleDamgard>, B> BufferKindUser for HashCore<H, B> {
    type BufferKind = Eager;
}

impl<H: HashFunction, B> OutputSizeUser for HashCore<H, B> {
    type OutputSize = H::OutputSize;
}

impl<H, B> UpdateCore for HashCore<H, B>
where
    H: HashFunction<Compression: MerkleDamgard>,
    B: HasKernels<H::Compression> + Default,
{
    #[inline]
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        // a deserialized counter may be any number
        self.blocks = self.blocks.wrapping_add(blocks.len() as u128);
        B::default().advance_one(&mut self.state, H::Compression::bytes(blocks));
    }
}

impl<H, B> FixedOutputCore for HashCore<H, B>
where
    H: HashFunction<Compression: MerkleDamgard>,
    B: HasKernels<H::Compression> + Default,
{
    #[inline]
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        let tail = buffer.get_data();
        let whole = self.blocks.wrapping_mul(H::Compression::BLOCK_BYTES as u128);
        let total = whole.wrapping_add(tail.len() as u128);
        end_one(&B::default().kernels(), H::DESCRIPTOR, self.state.as_mut(), tail, total);
        *out = H::output(&self.state);
    }
}

impl<H: HashFunction, B> AlgorithmName for HashCore<H, B> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(H::NAME)
    }
}

impl<H: HashFunction, B> fmt::Debug for HashCore<H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Core {{ ... }}", H::NAME)
    }
}

impl<H: HashFunction, B> Drop for HashCore<H, B> {
    #[inline]
    fn drop(&mut self) {
        wipe::words(self.state.as_mut());
        #[cfg(feature = "zeroize")]
        digest::zeroize::Zeroize::zeroize(&mut self.blocks);
    }
}

#[cfg(feature = "zeroize")]
impl<H: HashFunction, B> digest::zeroize::ZeroizeOnDrop for HashCore<H, B> {}

impl<H, B> SerializableState for HashCore<H, B>
where
    H: HashFunction<Compression: MerkleDamgard>,
{
    type SerializedStateSize = <H::Compression as MerkleDamgard>::SerializedSize;

    fn serialize(&self) -> SerializedState<Self> {
        let mut bytes = SerializedState::<Self>::default();
        let (state, blocks) = split::<H>(&mut bytes);
        for (bytes, word) in state.chunks_mut(WordOf::<H>::BYTES).zip(self.state.as_ref()) {
            word.write_le(bytes);
        }
        blocks.copy_from_slice(&self.blocks.to_le_bytes()[..blocks.len()]);
        bytes
    }

    fn deserialize(bytes: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
        let mut core = Self::default();
        let mut bytes = bytes.clone();
        let (state, blocks) = split::<H>(&mut bytes);
        for (bytes, word) in state.chunks(WordOf::<H>::BYTES).zip(core.state.as_mut()) {
            *word = WordOf::<H>::from_le(bytes);
        }
        let mut counter = [0; 16];
        counter[..blocks.len()].copy_from_slice(blocks);
        core.blocks = u128::from_le_bytes(counter);
        Ok(core)
    }
}

/// A serialized state's chaining value and block counter.
fn split<H: HashFunction>(bytes: &mut [u8]) -> (&mut [u8], &mut [u8]) {
    bytes.split_at_mut(bytes.len() - 2 * WordOf::<H>::BYTES)
}
