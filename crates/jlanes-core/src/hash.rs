//! Hash functions on top of compression functions: the start of a message, its end with padding, and the
//! digest.

pub mod shared_block;

use digest::{
    array::{Array, ArraySize},
    typenum::Unsigned,
};

use crate::{
    compression::{
        Compression, Shape,
        padding::{self, Padding},
    },
    kernel::Kernels,
    simd::{
        copy::copy,
        vector::{Array as _, Word},
        words::write_words,
    },
    wipe,
};

/// A hash function over a [`Compression`].
///
/// A message is a run of whole blocks and then an end: the one or two blocks that depend on its
/// length. The digest is the first words of the state after that, unless
/// [`transform`](Self::transform) and [`output`](Self::output) define another.
pub trait HashFunction: Copy + Send + Sync + 'static {
    /// The compression function.
    type Compression: Compression;
    /// Bytes of the digest.
    type OutputSize: ArraySize;
    /// Name, as RustCrypto spells the hasher's type.
    const NAME: &'static str;
    /// The padding, which follows from the compression function but for a sponge's byte.
    const PADDING: Padding = Padding::of(Self::Compression::ENDING);
    /// Whether the digest is more than the first words of the state after the padding.
    const HAS_OUTPUT_TRANSFORM: bool = false;
    /// The [shared last block](shared_block) of messages of one block, if it is precomputed.
    const ONE_BLOCK_PADDING: Option<&'static [WordOf<Self>]> = None;
    /// The function as a value: these constants and functions.
    const DESCRIPTOR: &'static Descriptor<WordOf<Self>> = &Descriptor {
        name: Self::NAME,
        shape: Shape::of::<Self::Compression>(),
        padding: Self::PADDING,
        digest_bytes: Self::OutputSize::USIZE,
        has_output_transform: Self::HAS_OUTPUT_TRANSFORM,
        one_block_padding: Self::ONE_BLOCK_PADDING,
        start_into: start_into::<Self>,
        transform: transform_of::<Self>,
        output: output_into::<Self>,
    };

    /// The state before the first byte.
    fn start() -> State<Self>;

    /// Back to the state before the first byte, with the options that a state may have.
    #[inline]
    fn restart(state: &mut State<Self>) {
        *state = Self::start();
    }

    /// The output transform, if any: prepares `state` for one more block of zeros, and returns
    /// whether there is such a block.
    #[inline]
    fn transform(_state: &mut State<Self>) -> bool {
        false
    }

    /// The digest, after the end.
    #[inline]
    fn output(state: &State<Self>) -> Output<Self> {
        let mut out = Output::<Self>::default();
        write_words(Self::Compression::ORDER, state.as_ref(), &mut out);
        out
    }
}

/// A hash function as a value: everything that the code above the kernels needs.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor<W: 'static> {
    /// [`HashFunction::NAME`].
    pub name: &'static str,
    /// The compression function.
    pub shape: Shape<W>,
    /// The padding.
    pub padding: Padding,
    /// Bytes of the longest digest: a function may have a part of it.
    pub digest_bytes: usize,
    /// [`HashFunction::HAS_OUTPUT_TRANSFORM`].
    pub has_output_transform: bool,
    /// [`HashFunction::ONE_BLOCK_PADDING`].
    pub one_block_padding: Option<&'static [W]>,
    /// [`HashFunction::start`].
    pub start_into: fn(&mut [W]),
    /// [`HashFunction::transform`].
    pub transform: fn(&mut [W]) -> bool,
    /// The start of [`HashFunction::output`].
    pub output: fn(&[W], &mut [u8]),
}

impl<W: Word> Descriptor<W> {
    /// Compressions of a message of `len` bytes.
    #[inline]
    #[must_use]
    pub const fn blocks(&self, len: usize) -> usize {
        self.padding.blocks(self.shape.block_bytes, W::BYTES, len)
    }

    /// [`Padding::whole_blocks`] of this function.
    #[inline]
    #[must_use]
    pub const fn whole_blocks(&self, len: usize) -> usize {
        self.padding.whole_blocks(self.shape.block_bytes, len)
    }

    /// Splits a message into the [whole blocks](Padding::whole_blocks) that may be compressed now, and the rest.
    #[inline]
    #[must_use]
    pub fn split_blocks<'m>(&self, message: &'m [u8]) -> (&'m [u8], &'m [u8]) {
        message.split_at(self.whole_blocks(message.len()) * self.shape.block_bytes)
    }

    /// [`padding::pad`] of this function.
    #[inline]
    pub fn pad(&self, state: &mut [W], tail: usize, total: u128, blocks: &mut [u8]) -> usize {
        padding::pad(&self.shape, self.padding, state, tail, total, blocks)
    }

    /// The state before the first byte.
    #[inline]
    #[must_use]
    pub fn start(&self) -> W::State {
        let mut state = W::State::splat(W::default());
        (self.start_into)(&mut state.as_mut()[..self.shape.state_words]);
        state
    }
}

fn start_into<H: HashFunction>(state: &mut [WordOf<H>]) {
    state.copy_from_slice(H::start().as_ref());
}

fn transform_of<H: HashFunction>(state: &mut [WordOf<H>]) -> bool {
    let mut own = state_from_slice::<H>(state);
    let more = H::transform(&mut own);
    state[..own.as_ref().len()].copy_from_slice(own.as_ref());
    more
}

fn output_into<H: HashFunction>(state: &[WordOf<H>], out: &mut [u8]) {
    out.copy_from_slice(&H::output(&state_from_slice::<H>(state))[..out.len()]);
}

/// The first words of a slice as a state.
#[inline]
pub fn state_from_slice<H: HashFunction>(words: &[WordOf<H>]) -> State<H> {
    let mut state = State::<H>::splat(WordOf::<H>::default());
    let len = state.as_ref().len();
    state.as_mut().copy_from_slice(&words[..len]);
    state
}

/// The type of `H`'s words.
pub type WordOf<H> = <<H as HashFunction>::Compression as Compression>::Word;
/// The state of one message under `H`.
pub type State<H> = <<H as HashFunction>::Compression as Compression>::State<WordOf<H>>;
/// The digest of `H`.
pub type Output<H> = Array<u8, <H as HashFunction>::OutputSize>;

/// The longest digest of all functions here, in bytes, except Skein's.
pub const MAX_DIGEST_BYTES: usize = 200;

/// Absorbs one message, with the padding of `hash`; `before` bytes are in the state.
#[inline]
pub fn absorb_one<W: Word>(
    kernels: &Kernels<W>,
    hash: &Descriptor<W>,
    state: &mut [W],
    message: &[u8],
    before: u128,
) {
    let (whole, tail) = hash.split_blocks(message);
    let total = before + message.len() as u128;
    if let Some(shared) = shared_block::precomputed(hash, total) {
        return kernels.advance_one_and_shared(state, whole, shared);
    }
    kernels.advance_one(state, whole);
    end_one(kernels, hash, state, tail, total);
}

/// Finishes one stream: absorbs `tail`, the bytes after the whole blocks of a message of `total`
/// bytes, and the padding of `hash`.
///
/// # Panics
/// If `tail` is longer than [`Descriptor::whole_blocks`] leaves.
#[inline]
pub fn end_one<W: Word>(
    kernels: &Kernels<W>,
    hash: &Descriptor<W>,
    state: &mut [W],
    tail: &[u8],
    total: u128,
) {
    if let Some(shared) = shared_block::precomputed(hash, total) {
        return kernels.advance_one_and_shared(state, &[], shared);
    }
    let mut blocks = W::EndBlocks::splat(0);
    let blocks = blocks.as_mut();
    copy(blocks, tail);
    let n = hash.pad(state, tail.len(), total, blocks);
    kernels.advance_one(state, &blocks[..n * hash.shape.block_bytes]);
    if hash.has_output_transform && (hash.transform)(state) {
        blocks.fill(0);
        kernels.advance_one(state, &blocks[..hash.shape.block_bytes]);
    }
    wipe::bytes(blocks);
}

/// Bytes of a digest of `H`.
#[must_use]
pub const fn digest_size<H: HashFunction>() -> usize {
    H::OutputSize::USIZE
}
