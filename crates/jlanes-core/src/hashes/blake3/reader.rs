//! The reader of one output, which can continue at any position.

use core::fmt;

use digest::XofReader;

use super::{
    Blake3Compression,
    node::{Node, OUTPUT_BYTES, output_block_at},
};
use crate::{kernel::HasKernels, wipe};

/// An output that is read on from a position. As in the crate `blake3`, it does not end at 2^64 bytes.
#[derive(Clone)]
pub struct Reader<B> {
    backend: B,
    root: Node,
    at: u128,
}

impl<B> Reader<B> {
    pub(super) fn new(backend: B, root: Node) -> Self {
        Self { backend, root, at: 0 }
    }

    /// Appends the rest of this output to others.
    #[cfg(feature = "alloc")]
    pub fn append_to(&self, outputs: &mut super::outputs::Outputs) {
        outputs.push(self.root.clone(), self.at);
    }

    /// The position of the next byte in the output, modulo 2^64.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.at as u64
    }

    /// Continues at another position of the output.
    pub fn set_position(&mut self, position: u64) {
        self.at = position.into();
    }
}

impl<B: HasKernels<Blake3Compression>> XofReader for Reader<B> {
    fn read(&mut self, mut out: &mut [u8]) {
        let kernels = self.backend.kernels();
        while !out.is_empty() {
            let (number, within) = output_block_at(self.at);
            let (blocks, _) = out.as_chunks_mut::<OUTPUT_BYTES>();
            let len = if within == 0 && !blocks.is_empty() {
                self.root.fill(&kernels, number, blocks);
                blocks.len() * OUTPUT_BYTES
            } else {
                let mut block = [[0; OUTPUT_BYTES]];
                self.root.fill(&kernels, number, &mut block);
                let len = out.len().min(OUTPUT_BYTES - within);
                out[..len].copy_from_slice(&block[0][within..][..len]);
                wipe::bytes(block.as_flattened_mut());
                len
            };
            self.at += len as u128;
            out = &mut out[len..];
        }
    }
}

impl<B> fmt::Debug for Reader<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Blake3Reader { ... }")
    }
}

/// The root wipes itself.
#[cfg(feature = "zeroize")]
impl<B> digest::zeroize::ZeroizeOnDrop for Reader<B> {}
