//! Skein's block-level core under `digest`'s hashers and MACs. It holds back the last block, which is marked.

use core::fmt;

use digest::{
    HashMarker, InvalidLength, Key, KeyInit, MacMarker, Output,
    array::{Array, ArraySize},
    block_api::{
        AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, FixedOutputCore, Lazy,
        OutputSizeUser, Reset, UpdateCore,
    },
    common::{
        KeySizeUser,
        hazmat::{DeserializeStateError, SerializableState, SerializedState},
    },
};

use super::{Arguments, Size, Skein, start, ubi};
use crate::{
    hash::HashFunction,
    kernel::HasKernels,
    simd::{
        vector::ByteOrder,
        words::{read_words, write_words},
    },
    wipe,
};

/// Skein computed by backend `B`, without the buffer.
#[derive(Clone)]
pub struct SkeinCore<T: Size, N: ArraySize, B> {
    state: T::State<u64>,
    /// The state that [`Reset`] restores, after the key.
    start: T::State<u64>,
    backend: B,
    output: core::marker::PhantomData<N>,
}

impl<T: Size, N: ArraySize, B: Default> SkeinCore<T, N, B> {
    fn new(start: T::State<u64>) -> Self {
        Self { state: start, start, backend: B::default(), output: core::marker::PhantomData }
    }

    fn keyed(key: &[u8]) -> Self {
        const { assert!(0 < N::USIZE, "a tag has at least one byte") };
        let arguments = Arguments { key, ..Arguments::default() };
        Self::new(start::<T>(&arguments, N::U64))
    }
}

impl<T: Size, N: ArraySize, B: Default> Default for SkeinCore<T, N, B> {
    fn default() -> Self {
        Self::new(Skein::<T, N>::start())
    }
}

impl<T: Size, N: ArraySize, B> KeySizeUser for SkeinCore<T, N, B> {
    type KeySize = T::BlockSize;
}

/// Keys of any length; an empty key means no key.
impl<T: Size, N: ArraySize, B: Default> KeyInit for SkeinCore<T, N, B> {
    fn new(key: &Key<Self>) -> Self {
        Self::keyed(key)
    }

    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Ok(Self::keyed(key))
    }
}

impl<T: Size, N: ArraySize, B> HashMarker for SkeinCore<T, N, B> {}
impl<T: Size, N: ArraySize, B> MacMarker for SkeinCore<T, N, B> {}

impl<T: Size, N: ArraySize, B> BlockSizeUser for SkeinCore<T, N, B> {
    type BlockSize = T::BlockSize;
}

impl<T: Size, N: ArraySize, B> BufferKindUser for SkeinCore<T, N, B> {
    type BufferKind = Lazy;
}

impl<T: Size, N: ArraySize, B> OutputSizeUser for SkeinCore<T, N, B> {
    type OutputSize = N;
}

impl<T: Size, N: ArraySize, B: HasKernels<T>> UpdateCore for SkeinCore<T, N, B> {
    #[inline]
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        let bytes = Array::slice_as_flattened(blocks);
        self.backend.advance_one(&mut self.state, bytes);
    }
}

impl<T: Size, N: ArraySize, B: HasKernels<T>> FixedOutputCore for SkeinCore<T, N, B> {
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        let tail = buffer.get_pos();
        ubi::prepare_last(self.state.as_mut(), tail, false);
        self.backend.advance_one(&mut self.state, &buffer.pad_with_zeros());
        let kernels =
            if N::USIZE <= T::BLOCK_BYTES { T::ONE_STREAM } else { self.backend.kernels() };
        ubi::output(kernels, self.state.as_ref(), 0, out);
    }
}

impl<T: Size, N: ArraySize, B> Reset for SkeinCore<T, N, B> {
    #[inline]
    fn reset(&mut self) {
        self.state = self.start;
    }
}

impl<T: Size, N: ArraySize, B> AlgorithmName for SkeinCore<T, N, B> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", T::NAME, 8 * N::U64)
    }
}

impl<T: Size, N: ArraySize, B> fmt::Debug for SkeinCore<T, N, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{} {{ ... }}", T::NAME, 8 * N::U64)
    }
}

impl<T: Size, N: ArraySize, B> Drop for SkeinCore<T, N, B> {
    #[inline]
    fn drop(&mut self) {
        wipe::words(self.state.as_mut());
        wipe::words(self.start.as_mut());
    }
}

#[cfg(feature = "zeroize")]
impl<T: Size, N: ArraySize, B> digest::zeroize::ZeroizeOnDrop for SkeinCore<T, N, B> {}

/// The tweak and then the chaining value, little-endian, as in RustCrypto's crate `skein`. It
/// excludes the state after a key: only hashers are serialized, not MACs.
impl<T: Size, N: ArraySize, B: Default> SerializableState for SkeinCore<T, N, B> {
    type SerializedStateSize = T::SerializedSize;

    fn serialize(&self) -> SerializedState<Self> {
        let mut bytes = SerializedState::<Self>::default();
        let (tweak, chain) = bytes.split_at_mut(2 * size_of::<u64>());
        let (words, position) = self.state.as_ref().split_at(T::BLOCK_BYTES / 8);
        write_words(ByteOrder::Little, position, tweak);
        write_words(ByteOrder::Little, words, chain);
        bytes
    }

    fn deserialize(bytes: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
        let mut core = Self::default();
        let (tweak, chain) = bytes.split_at(2 * size_of::<u64>());
        let (words, position) = core.state.as_mut().split_at_mut(T::BLOCK_BYTES / 8);
        read_words(ByteOrder::Little, tweak, position);
        read_words(ByteOrder::Little, chain, words);
        Ok(core)
    }
}
