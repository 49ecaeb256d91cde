//! Multi-hash, as ISA-L's `mh_sha1` and `mh_sha256` define it: a deployed relative of j-lanes.
//!
//! Sixteen lanes take turns at the message's 32-bit words, as in [`jlanes`](crate::jlanes), but
//! padding applies to the *message*, not to the slices: a bit, zeros and the length, up to a
//! multiple of 1024 bytes. The digest is the hash of the lanes' chaining values: word 0 of all
//! sixteen, then word 1 and so on, little-endian.
//!
//! It is not [sound](crate::soundness) if its parameters or its messages' lengths are unknown. Use
//! it only for stored digests of ISA-L.

use core::fmt;

use digest::{
    FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update,
    block_api::{AlgorithmName, BlockSizeUser},
};
use jlanes_core::{
    compression::padding::Padding,
    function::{DigestOnKernels, Function, OutputOf},
    hash::{HashFunction, WordOf},
    jobs::CompiledWord,
    simd::vector::Word as _,
    wipe::Buffer,
};

use crate::{
    interleave::{AllLanes, Interleaver, advance},
    linear::LinearHash,
};

/// Lanes of the construction, independent of the vectors.
const LANES: usize = 16;
/// Bytes of the length field.
const LENGTH_BYTES: usize = 8;

/// Multi-hash over `H`: SHA-1 or SHA-256.
///
/// The digest has the byte order of FIPS 180-4. ISA-L stores native words, and programs that print
/// this memory show every word's bytes reversed; [`to_memory_order`](Self::to_memory_order)
/// converts.
#[derive(Clone)]
pub struct MultiHash<H: DigestOnKernels> {
    interleaver: Interleaver<WordOf<H::Hash>>,
    /// Bytes of the message so far.
    total: u64,
}

impl<H: DigestOnKernels> MultiHash<H> {
    /// A hasher on a given backend, for example a forced one.
    pub fn with_backend(backend: H::Backend) -> Self {
        const {
            let own = matches!(H::Hash::PADDING, Padding::Length);
            assert!(own, "padding is the message's, not the lanes'");
            assert!(WordOf::<H::Hash>::BYTES == 4, "SHA-1 or SHA-256");
        }
        let function = Function::of::<H::Hash, _>(backend);
        Self { interleaver: Interleaver::new(function, LANES, function.start()), total: 0 }
    }

    /// The digest in ISA-L's memory order on a little-endian machine: the bytes of each word
    /// reversed. The conversion is its own inverse.
    #[must_use]
    pub fn to_memory_order(mut digest: Output<Self>) -> Output<Self> {
        digest.chunks_exact_mut(4).for_each(<[u8]>::reverse);
        digest
    }

    /// Pads the message and hashes the chaining values; the hasher must be reset afterwards.
    fn finish(&mut self) -> OutputOf<H> {
        let mut out = OutputOf::<H>::default();
        finish(self.interleaver.split(), self.total, &mut out);
        out
    }

    fn restart(&mut self) {
        self.total = 0;
        self.interleaver.restart(H::Hash::start().as_ref());
    }
}

/// Pads the message, of `total` bytes with `buffer` left, and hashes the chaining values.
fn finish<W: CompiledWord>(
    (function, states, buffer): (&Function<W>, &mut [W], &mut Buffer),
    total: u64,
    out: &mut [u8],
) {
    let kernels = function.kernels();
    let super_block = LANES * kernels.shape.block_bytes;
    let mut all = AllLanes { kernels, states, lanes: LANES };
    let held = buffer.len();
    buffer.resize(super_block);
    buffer[held] = 0x80;
    if held + LENGTH_BYTES >= super_block {
        advance(&mut all, buffer);
        buffer.fill(0);
    }
    // ISA-L passes the length as a 32-bit number of bytes
    let bits = 8 * u64::from(total as u32);
    buffer[super_block - LENGTH_BYTES..].copy_from_slice(&bits.to_be_bytes());
    advance(&mut all, buffer);
    let mut root = LinearHash::new(function);
    let mut word = [0; 4];
    for state in all.states {
        state.write_le(&mut word);
        root.update(&word);
    }
    root.finish(out);
}

impl<H: DigestOnKernels> Default for MultiHash<H> {
    fn default() -> Self {
        Self::with_backend(H::backend())
    }
}

impl<H: DigestOnKernels> Update for MultiHash<H> {
    fn update(&mut self, data: &[u8]) {
        self.total += data.len() as u64;
        self.interleaver.update(data);
    }
}

#[cfg(feature = "rayon")]
impl<H: DigestOnKernels> crate::ParUpdate for MultiHash<H> {
    fn par_update(&mut self, data: &[u8]) {
        self.total += data.len() as u64;
        self.interleaver.update_with(data, crate::parallel::advance);
    }
}

impl<H: DigestOnKernels> Reset for MultiHash<H> {
    fn reset(&mut self) {
        self.restart();
    }
}

impl<H: DigestOnKernels> OutputSizeUser for MultiHash<H> {
    type OutputSize = H::OutputSize;
}

impl<H: DigestOnKernels> FixedOutput for MultiHash<H> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        *out = self.finish();
    }
}

impl<H: DigestOnKernels> FixedOutputReset for MultiHash<H> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        *out = self.finish();
        self.restart();
    }
}

impl<H: DigestOnKernels> HashMarker for MultiHash<H> {}

/// The hash's own block size.
impl<H: DigestOnKernels + BlockSizeUser> BlockSizeUser for MultiHash<H> {
    type BlockSize = H::BlockSize;
}

impl<H: DigestOnKernels> AlgorithmName for MultiHash<H> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mh{}", H::Hash::NAME)
    }
}

impl<H: DigestOnKernels> fmt::Debug for MultiHash<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::write_alg_name(f)?;
        f.write_str(" { ... }")
    }
}

#[cfg(feature = "zeroize")]
impl<H: DigestOnKernels> digest::zeroize::ZeroizeOnDrop for MultiHash<H> {}

#[cfg(test)]
mod tests {
    use digest::Digest;

    use super::MultiHash;
    use crate::counted::Sha256;

    /// The digest of a message after `skipped` bytes that count but are not hashed.
    fn after(skipped: u64) -> digest::Output<Sha256> {
        let hasher = MultiHash::<Sha256> { total: skipped, ..Default::default() };
        hasher.chain_update([7; 1500]).finalize()
    }

    #[test]
    fn lengths_are_taken_modulo_two_to_the_32() {
        assert_eq!(after(1 << 32), after(0));
        assert_eq!(after(5 << 32), after(0));
        assert_ne!(after(1 << 31), after(0));
        assert_ne!(after((1 << 32) - 1024), after(0));
    }
}
