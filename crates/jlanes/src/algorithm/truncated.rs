//! Digests that are prefixes of outputs.

use alloc::boxed::Box;

use digest::{DynDigest, ExtendableOutputReset, InvalidBufferSize, Reset, Update, XofReader};

/// A hasher that truncates the output to a number of bytes.
pub(super) struct Truncated<H> {
    pub(super) hasher: H,
    pub(super) bytes: usize,
    /// Writes the digest and resets the hasher.
    pub(super) read: fn(&mut H, &mut [u8]),
}

impl<H: Clone> Clone for Truncated<H> {
    fn clone(&self) -> Self {
        Self { hasher: self.hasher.clone(), ..*self }
    }
}

impl<H: Update + Reset + Clone + 'static> DynDigest for Truncated<H> {
    fn update(&mut self, data: &[u8]) {
        self.hasher.update(data);
    }

    fn finalize_into(mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        self.finalize_into_reset(out)
    }

    fn finalize_into_reset(&mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        if out.len() != self.bytes {
            return Err(InvalidBufferSize);
        }
        (self.read)(&mut self.hasher, out);
        Ok(())
    }

    fn reset(&mut self) {
        self.hasher.reset();
    }

    fn output_size(&self) -> usize {
        self.bytes
    }

    fn box_clone(&self) -> Box<dyn DynDigest> {
        Box::new(self.clone())
    }
}

/// The start of an output, without finishing it.
pub(super) fn squeeze<H: ExtendableOutputReset>(hasher: &mut H, out: &mut [u8]) {
    hasher.finalize_xof_reset().read(out);
}
