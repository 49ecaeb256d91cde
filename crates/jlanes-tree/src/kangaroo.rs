//! KangarooTwelve (RFC 9861): a standard tree of one level, with leaves hashed on lanes.
//!
//! ```text
//! S = message || customization || length of the customization, in chunks of 8 KiB
//! one chunk:  output = TurboSHAKE(S, 07)
//! more:       output = TurboSHAKE(first chunk || 03 00*7 || CV_1 || CV_2 ... || count || ff ff, 06)
//!             CV_i   = TurboSHAKE(chunk i, 0b)
//! ```

use core::fmt;

use digest::{
    CustomizedInit, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset,
    HashMarker, Output, OutputSizeUser, Reset, Update, XofReader,
    block_api::{AlgorithmName, BlockSizeUser},
    typenum::Unsigned,
};
use jlanes_core::{
    compression::padding::Padding,
    hashes::keccak::{
        Extendable, RatedPermutation,
        functions::{TurboShake128, TurboShake256},
        sponge::{Reader, SpongeState},
    },
    kernel::HasKernels,
    wipe::Buffer,
};

use crate::{join::Join, leaves::Leaves};

/// The function of KT128's leaves.
pub type Leaf128 = TurboShake128<0x0b>;
/// The function of KT256's leaves.
pub type Leaf256 = TurboShake256<0x0b>;

/// Bytes of a leaf (section 3.2).
const CHUNK_BYTES: usize = 8192;
/// The padding of a tree of one chunk.
const SINGLE_CHUNK_PADDING: Padding = Padding::Sponge(0x07);
/// The padding of the root.
const ROOT_PADDING: Padding = Padding::Sponge(0x06);
/// The bytes between the first chunk and the leaves' chaining values.
const AFTER_FIRST: [u8; 8] = [3, 0, 0, 0, 0, 0, 0, 0];
/// The last bytes of the root.
const ROOT_SUFFIX: [u8; 2] = [0xff, 0xff];

/// A hasher of KangarooTwelve with leaves of `F`, on backend `B`.
///
/// As a [`Digest`](digest::Digest) it outputs 32 bytes (KT128) or 64 (KT256); shorter outputs are
/// prefixes. It needs 64 KiB for messages of more than 8 KiB.
pub struct Kt<F: Extendable, B> {
    root: SpongeState<F::Compression, B>,
    backend: B,
    leaves: Leaves,
    customization: Buffer,
    /// Bytes so far.
    total: u128,
}

/// KT128 on backend `B`.
pub type Kt128<B> = Kt<Leaf128, B>;
/// KT256 on backend `B`.
pub type Kt256<B> = Kt<Leaf256, B>;

impl<F: Extendable, B: HasKernels<F::Compression>> Kt<F, B> {
    /// A hasher with a customization string, on a given backend.
    #[must_use]
    pub fn with_backend(backend: B, customization: &[u8]) -> Self {
        Self {
            root: SpongeState::new(backend),
            backend,
            leaves: Leaves::new::<F, B>(backend, CHUNK_BYTES),
            customization: customization.into(),
            total: 0,
        }
    }

    /// Appends `data` to the hashed string.
    fn absorb(&mut self, join: Join, mut data: &[u8]) {
        let first = (CHUNK_BYTES as u128).saturating_sub(self.total) as usize;
        if first > 0 {
            let (own, rest) = data.split_at(data.len().min(first));
            self.root.absorb(own);
            self.total += own.len() as u128;
            data = rest;
        }
        if data.is_empty() {
            return;
        }
        if self.total == CHUNK_BYTES as u128 {
            self.root.absorb(&AFTER_FIRST);
        }
        self.total += data.len() as u128;
        self.leaves.update(join, data, &mut |values| self.root.absorb(values));
    }

    /// Finishes the string and the root.
    fn end(&mut self) {
        let customization = core::mem::take(&mut self.customization);
        self.absorb(Join::Serial, &customization);
        let (length, bytes) = length_encode(customization.len() as u128);
        self.absorb(Join::Serial, &length[..bytes]);
        self.customization = customization;
        if self.total <= CHUNK_BYTES as u128 {
            return self.root.end(SINGLE_CHUNK_PADDING);
        }
        self.leaves.finish(&mut |values| self.root.absorb(values));
        let (count, bytes) = length_encode((self.total - 1) / CHUNK_BYTES as u128);
        self.root.absorb(&count[..bytes]);
        self.root.absorb(&ROOT_SUFFIX);
        self.root.end(ROOT_PADDING);
    }

    fn restart(&mut self) {
        self.root = SpongeState::new(self.backend);
        self.leaves.clear();
        self.total = 0;
    }
}

/// `length_encode` (section 3.3): the big-endian bytes of `x` without leading zeros, followed by
/// their number.
fn length_encode(x: u128) -> ([u8; 17], usize) {
    let bytes = x.to_be_bytes();
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let count = bytes.len() - zeros;
    let mut encoded = [0; 17];
    encoded[..count].copy_from_slice(&bytes[zeros..]);
    encoded[count] = count as u8;
    (encoded, count + 1)
}

impl<F: Extendable, B: HasKernels<F::Compression> + Default> Default for Kt<F, B> {
    fn default() -> Self {
        Self::with_backend(B::default(), &[])
    }
}

impl<F: Extendable, B: HasKernels<F::Compression> + Default> CustomizedInit for Kt<F, B> {
    fn new_customized(customization: &[u8]) -> Self {
        Self::with_backend(B::default(), customization)
    }
}

impl<F: Extendable, B: Clone> Clone for Kt<F, B> {
    fn clone(&self) -> Self {
        Self {
            root: self.root.clone(),
            backend: self.backend.clone(),
            leaves: self.leaves.clone(),
            customization: self.customization.clone(),
            total: self.total,
        }
    }
}

impl<F: Extendable, B: HasKernels<F::Compression>> Update for Kt<F, B> {
    fn update(&mut self, data: &[u8]) {
        self.absorb(Join::Serial, data);
    }
}

#[cfg(feature = "rayon")]
impl<F: Extendable, B: HasKernels<F::Compression>> crate::ParUpdate for Kt<F, B> {
    fn par_update(&mut self, data: &[u8]) {
        let shared = data.len() >= crate::join::MIN_SPLIT_BYTES;
        self.absorb(if shared { Join::Rayon } else { Join::Serial }, data);
    }
}

impl<F: Extendable, B: HasKernels<F::Compression>> Reset for Kt<F, B> {
    fn reset(&mut self) {
        self.restart();
    }
}

impl<F: Extendable, B: HasKernels<F::Compression>> ExtendableOutput for Kt<F, B> {
    type Reader = Reader<F::Compression, B>;

    fn finalize_xof(mut self) -> Self::Reader {
        self.end();
        Reader::of(self.root.clone())
    }
}

impl<F: Extendable, B: HasKernels<F::Compression>> ExtendableOutputReset for Kt<F, B> {
    fn finalize_xof_reset(&mut self) -> Self::Reader {
        self.end();
        let reader = Reader::of(self.root.clone());
        self.restart();
        reader
    }
}

impl<F: Extendable, B> OutputSizeUser for Kt<F, B> {
    type OutputSize = F::OutputSize;
}

impl<F: Extendable, B: HasKernels<F::Compression>> FixedOutput for Kt<F, B> {
    fn finalize_into(self, out: &mut Output<Self>) {
        self.finalize_xof().read(out);
    }
}

impl<F: Extendable, B: HasKernels<F::Compression>> FixedOutputReset for Kt<F, B> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        self.finalize_xof_reset().read(out);
    }
}

impl<F: Extendable, B> HashMarker for Kt<F, B> {}

impl<F: Extendable, B> BlockSizeUser for Kt<F, B> {
    type BlockSize = <F::Compression as RatedPermutation>::Rate;
}

impl<F: Extendable, B> AlgorithmName for Kt<F, B> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KT{}", 4 * F::OutputSize::USIZE)
    }
}

impl<F: Extendable, B> fmt::Debug for Kt<F, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kt{} {{ ... }}", 4 * F::OutputSize::USIZE)
    }
}

/// Half of the digest (section 7).
impl<B> digest::CollisionResistance for Kt<Leaf128, B> {
    type CollisionResistance = digest::consts::U16;
}

/// Half of the digest (section 7).
impl<B> digest::CollisionResistance for Kt<Leaf256, B> {
    type CollisionResistance = digest::consts::U32;
}

#[cfg(feature = "zeroize")]
impl<F: Extendable, B> Drop for Kt<F, B> {
    fn drop(&mut self) {
        digest::zeroize::Zeroize::zeroize(&mut self.total);
    }
}

#[cfg(feature = "zeroize")]
impl<F: Extendable, B> digest::zeroize::ZeroizeOnDrop for Kt<F, B> {}
