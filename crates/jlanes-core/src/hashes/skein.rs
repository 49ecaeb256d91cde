//! Skein (version 1.3): a hash function of any output length, from UBI over Threefish.
//!
//! [`Skein<T, N>`](Skein) is simple hashing as a [`HashFunction`], one message or many; the parts
//! ([`ubi`], [`params`]) serve MACs, arguments and trees as well.

use core::marker::PhantomData;

use digest::{
    array::ArraySize,
    block_buffer::BlockSizes,
    consts::{U32, U48, U64, U80, U128, U144, U200},
};

use crate::{
    compression::Compression,
    hash::{Descriptor, HashFunction, Output, State},
    kernel::Kernels,
    simd::{
        vector::{Array as _, ByteOrder},
        words::write_words,
    },
};
#[cfg(feature = "alloc")]
use crate::{
    function::{Function, Start},
    kernel::HasKernels,
    wipe,
};

mod consts;
pub mod hasher;
pub mod params;
pub mod threefish;
pub mod ubi;

use params::{Arguments, TreeParams};
use threefish::Threefish;
use ubi::BlockType;

/// A size of Skein, with its sizes as types for `digest`'s traits.
pub trait Size: Compression<Word = u64> {
    /// [`Compression::BLOCK_BYTES`].
    type BlockSize: BlockSizes;
    /// Bytes of a serialized state: tweak and chaining value.
    type SerializedSize: ArraySize;
    /// "Skein-512" and the like.
    const NAME: &'static str;
    /// One stream in scalar code.
    const ONE_STREAM: Kernels<u64> = ubi::one_stream::<Self>();
    /// Skein with digests longer than a block, of any length.
    const LONG: &'static Descriptor<u64> = &Descriptor {
        digest_bytes: usize::MAX,
        output: |state, out| ubi::output(Self::ONE_STREAM, state, 0, out),
        ..*Skein::<Self, U200>::DESCRIPTOR
    };
}

/// Skein-256's compression function.
pub type Threefish256 = Threefish<4>;
/// Skein-512's compression function.
pub type Threefish512 = Threefish<8>;
/// Skein-1024's compression function.
pub type Threefish1024 = Threefish<16>;

impl Size for Threefish256 {
    type BlockSize = U32;
    type SerializedSize = U48;
    const NAME: &'static str = "Skein-256";
}

impl Size for Threefish512 {
    type BlockSize = U64;
    type SerializedSize = U80;
    const NAME: &'static str = "Skein-512";
}

impl Size for Threefish1024 {
    type BlockSize = U128;
    type SerializedSize = U144;
    const NAME: &'static str = "Skein-1024";
}

/// Simple hashing with digests of `N` bytes, at least one.
#[derive(Clone, Copy, Debug)]
pub struct Skein<T, N>(PhantomData<(T, fn() -> N)>);

impl<T: Size, N: ArraySize> HashFunction for Skein<T, N> {
    type Compression = T;
    type OutputSize = N;
    const NAME: &'static str = T::NAME;
    const HAS_OUTPUT_TRANSFORM: bool = true;

    fn start() -> State<Self> {
        const { assert!(0 < N::USIZE, "a digest has at least one byte") }
        start::<T>(&Arguments::default(), N::U64)
    }

    /// An output longer than a block needs the chaining value more than once;
    /// [`output`](Self::output) handles it.
    #[inline]
    fn transform(state: &mut State<Self>) -> bool {
        if N::USIZE > T::BLOCK_BYTES {
            return false;
        }
        ubi::begin_call(state.as_mut(), BlockType::Output, 0, 0);
        ubi::prepare_last(state.as_mut(), size_of::<u64>(), false);
        true
    }

    fn output(state: &State<Self>) -> Output<Self> {
        let mut out = Output::<Self>::default();
        if N::USIZE <= T::BLOCK_BYTES {
            write_words(ByteOrder::Little, state.as_ref(), &mut out);
        } else {
            ubi::output(T::ONE_STREAM, state.as_ref(), 0, &mut out);
        }
        out
    }
}

/// Skein with arguments and with digests of `size` bytes. After a key, the function is equivalent to the key,
/// and does not wipe itself ([`Function::wipe`]).
#[cfg(feature = "alloc")]
pub fn function<T: Size, B: HasKernels<T>>(
    backend: B,
    arguments: &Arguments<'_>,
    size: usize,
) -> Function<u64> {
    let mut start = start::<T>(arguments, size as u64);
    let function = if size <= T::BLOCK_BYTES {
        Function::new(&Start::<Skein<T, T::BlockSize>>::at(start, 0), backend).shortened(size)
    } else {
        Function::new(&Start::<Skein<T, U200>>::at(start, 0), backend).described_by(T::LONG, size)
    };
    wipe::words(start.as_mut());
    function
}

/// A hash function of one UBI call, with the chaining value as its digest. Batches of tree nodes use it, each
/// node with its own start.
#[derive(Clone, Copy, Debug)]
pub struct UbiCall<T>(PhantomData<T>);

impl<T: Size> HashFunction for UbiCall<T> {
    type Compression = T;
    type OutputSize = T::BlockSize;
    const NAME: &'static str = T::NAME;

    fn start() -> State<Self> {
        let mut state = State::<Self>::splat(0);
        ubi::begin_call(state.as_mut(), BlockType::Message, 0, 0);
        state
    }
}

/// The initial state of messages with digests of `bytes` bytes.
fn start<T: Size>(arguments: &Arguments<'_>, bytes: u64) -> T::State<u64> {
    let mut state = T::State::<u64>::splat(0);
    params::initial(T::ONE_STREAM, arguments, 8 * bytes, TreeParams::default(), state.as_mut());
    state
}
