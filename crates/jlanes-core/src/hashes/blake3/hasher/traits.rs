//! The traits of the crate `digest` on [`Hasher`].

use core::fmt;

use digest::{
    ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker, Output,
    OutputSizeUser, Reset, Update,
    block_api::{AlgorithmName, BlockSizeUser},
    consts::{U16, U32, U64},
};

use super::{
    super::{Blake3Compression, CHUNK, Mode, reader::Reader},
    Hasher, end_root,
};
use crate::{kernel::HasKernels, wipe};

impl<B: HasKernels<Blake3Compression>> Update for Hasher<B> {
    #[inline(always)] // a new hasher needs one of the cases
    fn update(&mut self, data: &[u8]) {
        if self.chunk_len > 0 || self.chunk_counter > 0 {
            self.absorb_more(data);
        } else if data.len() <= CHUNK {
            self.absorb_first(data);
        } else {
            *self = Self::of_chunks(self.backend, self.mode, data);
        }
    }
}

impl<B: HasKernels<Blake3Compression> + Default> Default for Hasher<B> {
    fn default() -> Self {
        Self::with_mode(B::default(), Mode::HASH)
    }
}

/// Keeps the key.
impl<B> Reset for Hasher<B> {
    fn reset(&mut self) {
        (self.chunk_len, self.chunk_counter) = (0, 0);
        self.state = self.mode.chunk(0, 0);
        self.stack.clear();
    }
}

impl<B> OutputSizeUser for Hasher<B> {
    type OutputSize = U32;
}

impl<B: HasKernels<Blake3Compression>> FixedOutput for Hasher<B> {
    #[inline]
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(&self.digest());
    }
}

impl<B: HasKernels<Blake3Compression>> FixedOutputReset for Hasher<B> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        let tail = self.tail().len();
        // in place: a copy would wait for the words that have just been written
        out.copy_from_slice(&match self.chunk_counter {
            0 => end_root(self.backend, &mut self.state, &mut self.block, tail),
            _ => self.root().value(&self.backend.kernels()),
        });
        self.reset();
    }
}

impl<B: HasKernels<Blake3Compression>> ExtendableOutput for Hasher<B> {
    type Reader = Reader<B>;

    fn finalize_xof(self) -> Reader<B> {
        Reader::new(self.backend, self.root())
    }
}

impl<B: HasKernels<Blake3Compression>> ExtendableOutputReset for Hasher<B> {
    fn finalize_xof_reset(&mut self) -> Reader<B> {
        let reader = Reader::new(self.backend, self.root());
        self.reset();
        reader
    }
}

impl<B> HashMarker for Hasher<B> {}

impl<B> BlockSizeUser for Hasher<B> {
    type BlockSize = U64;
}

impl<B> AlgorithmName for Hasher<B> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Blake3")
    }
}

impl<B> fmt::Debug for Hasher<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Blake3 { ... }")
    }
}

/// Half of the digest length.
impl<B> digest::CollisionResistance for Hasher<B> {
    type CollisionResistance = U16;
}

impl<B> Drop for Hasher<B> {
    #[inline]
    fn drop(&mut self) {
        self.mode.wipe();
        wipe::words(&mut self.state);
        wipe::bytes(&mut self.block);
        self.stack.wipe();
    }
}

#[cfg(feature = "zeroize")]
impl<B> digest::zeroize::ZeroizeOnDrop for Hasher<B> {}
