//! TupleHash (SP 800-185, section 5): cSHAKE of a list of strings, each after its length, so that lists with
//! the same bytes in other strings have other digests.

use core::fmt;

use digest::{
    CollisionResistance, CustomizedInit, HashMarker, Reset, XofReader,
    block_api::AlgorithmName,
    consts::{U16, U32},
    typenum::Unsigned,
};

use super::{
    cshake::{CShake, Customizable, Length},
    functions::{CShake128, CShake256},
    sponge::Reader,
};
use crate::{hash::Output, kernel::HasKernels};

/// TupleHash over the function `H`, computed by backend `B`.
///
/// The output length is hashed too, so outputs of different lengths are unrelated.
/// [`finalize_xof`](Self::finalize_xof) is TupleHashXOF, with an output of any length.
pub struct TupleHash<H: Customizable, B> {
    /// The hasher of no items.
    start: CShake<H, B>,
    hasher: CShake<H, B>,
}

impl<H: Customizable, B: HasKernels<H::Compression> + Default> TupleHash<H, B> {
    /// A hasher of an empty tuple so far.
    #[must_use]
    pub fn new() -> Self {
        Self::with_backend(B::default(), &[])
    }

    /// The digest of a tuple.
    #[must_use]
    pub fn digest(items: &[impl AsRef<[u8]>]) -> Output<H> {
        Self::new().chain(items).finalize()
    }
}

impl<H: Customizable, B: HasKernels<H::Compression>> TupleHash<H, B> {
    /// A hasher on a given backend, with a customization string, which may be empty.
    #[must_use]
    pub fn with_backend(backend: B, customization: &[u8]) -> Self {
        let start = CShake::with_backend(backend, b"TupleHash", customization);
        Self { hasher: start.clone(), start }
    }

    /// Adds an item to the tuple.
    pub fn push(&mut self, item: &[u8]) {
        self.hasher.sponge.absorb_string(item);
    }

    /// Adds items to the tuple.
    #[must_use]
    pub fn chain(mut self, items: &[impl AsRef<[u8]>]) -> Self {
        items.iter().for_each(|item| self.push(item.as_ref()));
        self
    }

    /// The digest, of 32 bytes (TupleHash128) or 64.
    #[must_use]
    pub fn finalize(self) -> Output<H> {
        let mut out = Output::<H>::default();
        self.finalize_into_slice(&mut out);
        out
    }

    /// Writes TupleHash with an output of `out.len()` bytes.
    pub fn finalize_into_slice(self, out: &mut [u8]) {
        self.hasher.end(Length::Fixed, out.len()).read(out);
    }

    /// TupleHashXOF.
    #[must_use]
    pub fn finalize_xof(self) -> Reader<H::Compression, B> {
        self.hasher.end(Length::Any, 0)
    }

    /// The digests of whole tuples, on lanes. The items of each are copied into one message.
    ///
    /// # Panics
    /// If `tuples` and `out` differ in length.
    #[cfg(feature = "alloc")]
    pub fn digests<T: AsRef<[u8]>>(&self, tuples: &[impl AsRef<[T]>], out: &mut [Output<H>]) {
        use alloc::vec::Vec;

        use digest::array::Array;

        assert_eq!(tuples.len(), out.len(), "as many digests as tuples");
        let mut messages: Vec<Vec<u8>> = Vec::new();
        for (tuples, out) in tuples.chunks(GROUP_TUPLES).zip(out.chunks_mut(GROUP_TUPLES)) {
            messages.resize_with(tuples.len(), Vec::new);
            for (message, tuple) in messages.iter_mut().zip(tuples) {
                message.clear();
                for item in tuple.as_ref() {
                    let (length, count) =
                        super::cshake::left_encode(8 * item.as_ref().len() as u128);
                    message.extend_from_slice(&length[..count]);
                    message.extend_from_slice(item.as_ref());
                }
            }
            let out = (Array::slice_as_flattened_mut(out), H::OutputSize::USIZE);
            self.start.fill((Length::Fixed, &[]), |i| [&[], &messages[i]], out);
        }
        messages.iter_mut().for_each(|message| crate::wipe::bytes(message));
    }
}

/// Tuples that are copied at a time.
#[cfg(feature = "alloc")]
const GROUP_TUPLES: usize = 64;

impl<H: Customizable, B: HasKernels<H::Compression> + Default> Default for TupleHash<H, B> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: Customizable, B: HasKernels<H::Compression> + Default> CustomizedInit for TupleHash<H, B> {
    fn new_customized(customization: &[u8]) -> Self {
        Self::with_backend(B::default(), customization)
    }
}

impl<H: Customizable, B: Clone> Clone for TupleHash<H, B> {
    fn clone(&self) -> Self {
        Self { start: self.start.clone(), hasher: self.hasher.clone() }
    }
}

/// Forgets the items, not the customization string.
impl<H: Customizable, B: Clone> Reset for TupleHash<H, B> {
    fn reset(&mut self) {
        self.hasher = self.start.clone();
    }
}

impl<H: Customizable, B> HashMarker for TupleHash<H, B> {}

impl<H: Customizable, B> AlgorithmName for TupleHash<H, B> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TupleHash{}", 4 * H::OutputSize::USIZE)
    }
}

impl<H: Customizable, B> fmt::Debug for TupleHash<H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::write_alg_name(f)?;
        f.write_str(" { ... }")
    }
}

// section 8.3
impl<B> CollisionResistance for TupleHash<CShake128, B> {
    type CollisionResistance = U16;
}
impl<B> CollisionResistance for TupleHash<CShake256, B> {
    type CollisionResistance = U32;
}

/// The states wipe themselves.
#[cfg(feature = "zeroize")]
impl<H: Customizable, B> digest::zeroize::ZeroizeOnDrop for TupleHash<H, B> {}
