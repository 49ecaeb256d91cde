//! [`DynHasher`] makes any hasher an `AnyHasher`: it adds the size of the digest and the function that writes it.

use alloc::boxed::Box;

use digest::{DynDigest, InvalidBufferSize, Reset, Update};
#[cfg(feature = "sha3")]
use digest::{ExtendableOutputReset, XofReader};

/// A hasher, with the size of its digest and the function that writes it.
pub(super) struct DynHasher<H> {
    pub(super) hasher: H,
    /// Bytes of the digest.
    pub(super) size: usize,
    /// The position of the digest in an extendable output, in bytes.
    pub(super) position: u64,
    /// Writes the digest from the position on, and resets the hasher.
    pub(super) finalize_at: fn(&mut H, u64, &mut [u8]),
}

impl<H> DynHasher<H> {
    /// A hasher with a digest of `size` bytes at position 0.
    pub(super) fn new(hasher: H, size: usize, finalize_at: fn(&mut H, u64, &mut [u8])) -> Self {
        Self { hasher, size, position: 0, finalize_at }
    }
}

impl<H: Clone> Clone for DynHasher<H> {
    fn clone(&self) -> Self {
        Self { hasher: self.hasher.clone(), ..*self }
    }
}

impl<H: Update + Reset + Clone + 'static> DynDigest for DynHasher<H> {
    fn update(&mut self, data: &[u8]) {
        self.hasher.update(data);
    }

    fn finalize_into(mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        self.finalize_into_reset(out)
    }

    fn finalize_into_reset(&mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        if out.len() != self.size {
            return Err(InvalidBufferSize);
        }
        (self.finalize_at)(&mut self.hasher, self.position, out);
        Ok(())
    }

    fn reset(&mut self) {
        self.hasher.reset();
    }

    fn output_size(&self) -> usize {
        self.size
    }

    fn box_clone(&self) -> Box<dyn DynDigest> {
        Box::new(self.clone())
    }
}

/// Writes the start of an extendable output, and resets the hasher.
#[cfg(feature = "sha3")]
pub(super) fn finalize_xof<H: ExtendableOutputReset>(hasher: &mut H, _: u64, out: &mut [u8]) {
    hasher.finalize_xof_reset().read(out);
}
