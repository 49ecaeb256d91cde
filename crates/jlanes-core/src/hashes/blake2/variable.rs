//! BLAKE2 with run-time parameters: the digest's length, a key, a salt and a personalization.

use core::fmt;

#[cfg(feature = "alloc")]
use digest::DynDigest;
use digest::{
    HashMarker, InvalidBufferSize, InvalidOutputSize, Reset, Update,
    array::Array,
    block_api::{Block, BlockSizeUser, Buffer, UpdateCore, VariableOutputCore},
    common::InvalidLength,
};

use super::{Blake2, Blake2Word, State, hasher::VarCore, params};
use crate::kernel::HasKernels;

/// A hasher with a digest length that is known at run time.
#[derive(Clone)]
pub struct Variable<W: Blake2Word, B> {
    core: VarCore<W, B>,
    buffer: Buffer<VarCore<W, B>>,
    backend: B,
    /// The state that [`Reset`] restores, and the key's block, which is the first one if there is a key. No
    /// `Option`: what is in none may be of anything that was on the stack.
    start: State<W>,
    first: Block<VarCore<W, B>>,
    has_key: bool,
    size: usize,
}

impl<W: Blake2Word, B: HasKernels<Blake2<W>> + Default> Variable<W, B> {
    /// A hasher for digests of `output_size` bytes.
    ///
    /// # Errors
    /// If the size is out of range: 1 to 64 bytes for BLAKE2b, 1 to 32 for BLAKE2s.
    pub fn new(output_size: usize) -> Result<Self, InvalidOutputSize> {
        let hasher = Self::with_params(B::default(), output_size, None, &[], &[]);
        hasher.map_err(|InvalidLength| InvalidOutputSize)
    }

    /// A hasher for digests of `output_size` bytes with all parameters of a sequential hash.
    ///
    /// # Errors
    /// If a length exceeds BLAKE2's limits (see [`params::start`]), or the digest or the key is
    /// empty.
    pub fn with_params(
        backend: B,
        output_size: usize,
        key: Option<&[u8]>,
        salt: &[u8],
        personalization: &[u8],
    ) -> Result<Self, InvalidLength> {
        if output_size == 0 || key.is_some_and(<[u8]>::is_empty) {
            return Err(InvalidLength);
        }
        let length = key.map_or(0, <[u8]>::len);
        let start =
            params::start(output_size, length, salt, personalization).ok_or(InvalidLength)?;
        let mut first = Block::<VarCore<W, B>>::default();
        first[..length].copy_from_slice(key.unwrap_or_default());
        let has_key = key.is_some();
        let (core, buffer) = (VarCore::at(backend, start), Buffer::<VarCore<W, B>>::default());
        let mut hasher = Self { core, buffer, backend, start, first, has_key, size: output_size };
        Reset::reset(&mut hasher);
        Ok(hasher)
    }

    /// Bytes of the digest.
    #[must_use]
    pub fn output_size(&self) -> usize {
        self.size
    }

    /// The digest.
    ///
    /// # Errors
    /// If `out` does not have the digest's size.
    pub fn finalize_variable(mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        self.check(out)?;
        self.finish(out);
        Ok(())
    }

    /// Returns the digest and resets the hasher.
    ///
    /// # Errors
    /// As [`finalize_variable`](Self::finalize_variable); the hasher is then unchanged.
    pub fn finalize_variable_reset(&mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        self.check(out)?;
        self.finish(out);
        Reset::reset(self);
        Ok(())
    }

    fn check(&self, out: &[u8]) -> Result<(), InvalidBufferSize> {
        if out.len() == self.size { Ok(()) } else { Err(InvalidBufferSize) }
    }

    /// Writes the first bytes of the digest.
    pub(super) fn finish(&mut self, out: &mut [u8]) {
        let mut whole = Array::<u8, W::MaxSize>::default();
        self.core.finalize_variable_core(&mut self.buffer, &mut whole);
        out.copy_from_slice(&whole[..out.len()]);
    }
}

impl<W: Blake2Word, B> Variable<W, B> {
    /// The absorbed data: the state after the compressed blocks, and the held bytes, which are less
    /// than a block or a possible last block.
    pub(super) fn absorbed(&self) -> (&State<W>, &[u8]) {
        (self.core.state(), self.buffer.get_data())
    }
}

impl<W: Blake2Word, B: HasKernels<Blake2<W>>> Update for Variable<W, B> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        let Self { core, buffer, .. } = self;
        buffer.digest_blocks(data, |blocks| core.update_blocks(blocks));
    }
}

impl<W: Blake2Word, B: Copy> Reset for Variable<W, B> {
    fn reset(&mut self) {
        self.core = VarCore::at(self.backend, self.start);
        self.buffer =
            Buffer::<VarCore<W, B>>::new(if self.has_key { &self.first[..] } else { &[] });
    }
}

// With digest's feature `alloc`, which another crate may have enabled, the trait has one more function.
#[cfg(feature = "alloc")]
impl<W: Blake2Word, B: HasKernels<Blake2<W>> + Default> DynDigest for Variable<W, B> {
    fn update(&mut self, data: &[u8]) {
        Update::update(self, data);
    }

    fn finalize_into(self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        self.finalize_variable(out)
    }

    fn finalize_into_reset(&mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        self.finalize_variable_reset(out)
    }

    fn reset(&mut self) {
        Reset::reset(self);
    }

    fn output_size(&self) -> usize {
        self.size
    }

    fn box_clone(&self) -> alloc::boxed::Box<dyn DynDigest> {
        alloc::boxed::Box::new(self.clone())
    }
}

impl<W: Blake2Word, B> HashMarker for Variable<W, B> {}

impl<W: Blake2Word, B> BlockSizeUser for Variable<W, B> {
    type BlockSize = W::BlockSize;
}

impl<W: Blake2Word, B> fmt::Debug for Variable<W, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Var {{ ... }}", W::NAME)
    }
}

impl<W: Blake2Word, B> Drop for Variable<W, B> {
    #[inline]
    fn drop(&mut self) {
        crate::wipe::words(&mut self.start);
        crate::wipe::bytes(&mut self.first);
    }
}

#[cfg(feature = "zeroize")]
impl<W: Blake2Word, B> digest::zeroize::ZeroizeOnDrop for Variable<W, B> {}
