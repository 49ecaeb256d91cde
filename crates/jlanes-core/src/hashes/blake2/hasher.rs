//! BLAKE2's block-level core under `digest`'s hashers. It holds back the last block, which is marked.

use core::fmt;

use digest::{
    HashMarker, InvalidOutputSize, Output,
    array::Array,
    block_api::{
        AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, Lazy, OutputSizeUser,
        TruncSide, UpdateCore, VariableOutputCore, VariableOutputCoreCustomized,
    },
};

use super::{Blake2, Blake2Word, State, params};
use crate::{
    compression::{Compression, Shape, padding::prepare_last},
    kernel::HasKernels,
    simd::words::write_words,
};

/// BLAKE2 computed by backend `B`, without the buffer.
#[derive(Clone)]
pub struct VarCore<W: Blake2Word, B> {
    state: State<W>,
    backend: B,
}

impl<W: Blake2Word, B> VarCore<W, B> {
    /// A core in the initial state of [`params::start`].
    #[must_use]
    pub fn at(backend: B, state: State<W>) -> Self {
        Self { state, backend }
    }

    /// The state after the blocks so far.
    #[must_use]
    pub fn state(&self) -> &State<W> {
        &self.state
    }
}

impl<W: Blake2Word, B> HashMarker for VarCore<W, B> {}

impl<W: Blake2Word, B> BlockSizeUser for VarCore<W, B> {
    type BlockSize = W::BlockSize;
}

impl<W: Blake2Word, B> BufferKindUser for VarCore<W, B> {
    type BufferKind = Lazy;
}

impl<W: Blake2Word, B> OutputSizeUser for VarCore<W, B> {
    type OutputSize = W::MaxSize;
}

impl<W: Blake2Word, B: HasKernels<Blake2<W>>> UpdateCore for VarCore<W, B> {
    #[inline]
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        self.backend.advance_one(&mut self.state, Array::slice_as_flattened(blocks));
    }
}

impl<W: Blake2Word, B: HasKernels<Blake2<W>> + Default> VariableOutputCore for VarCore<W, B> {
    const TRUNC_SIDE: TruncSide = TruncSide::Left;

    #[inline]
    fn new(output_size: usize) -> Result<Self, InvalidOutputSize> {
        let state = params::start(output_size, 0, &[], &[]).ok_or(InvalidOutputSize)?;
        Ok(Self::at(B::default(), state))
    }

    #[inline]
    fn finalize_variable_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        let shape = const { &Shape::of::<Blake2<W>>() };
        prepare_last(shape, &mut self.state, buffer.get_pos());
        self.backend.advance_one(&mut self.state, &buffer.pad_with_zeros());
        write_words(Blake2::<W>::ORDER, &self.state, out);
    }
}

/// The customization is BLAKE2's personalization.
///
/// # Panics
/// If the customization is longer than two words, which the trait has no error for.
impl<W: Blake2Word, B: HasKernels<Blake2<W>> + Default> VariableOutputCoreCustomized
    for VarCore<W, B>
{
    #[inline]
    fn new_customized(customization: &[u8], output_size: usize) -> Self {
        let state = params::start(output_size, 0, &[], customization);
        Self::at(B::default(), state.expect("BLAKE2's personalization has at most two words"))
    }
}

impl<W: Blake2Word, B> AlgorithmName for VarCore<W, B> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(W::NAME)
    }
}

impl<W: Blake2Word, B> fmt::Debug for VarCore<W, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}VarCore {{ ... }}", W::NAME)
    }
}

impl<W: Blake2Word, B> Drop for VarCore<W, B> {
    #[inline]
    fn drop(&mut self) {
        crate::wipe::words(&mut self.state);
    }
}

#[cfg(feature = "zeroize")]
impl<W: Blake2Word, B> digest::zeroize::ZeroizeOnDrop for VarCore<W, B> {}
