//! KMAC (SP 800-185, section 4): cSHAKE with the key in a block of its own before the message, and with the
//! length of the output after it.
//!
//! The state after the key is the start of all messages, so messages under one key share lanes like plain
//! ones. Messages under a key each have its block in front.

use core::fmt;

use digest::{
    ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, Key, KeyInit,
    MacMarker, OutputSizeUser, Reset, Update, XofReader,
    array::Array,
    block_api::{AlgorithmName, BlockSizeUser},
    common::{InvalidLength, KeySizeUser},
    consts::{U16, U32},
    typenum::Unsigned,
};

use super::{
    RatedPermutation,
    cshake::{CShake, Customizable, Length, left_encode},
    functions::{CShake128, CShake256},
    sponge::Reader,
};
use crate::{
    compression::{Compression, MAX_BLOCK_BYTES},
    hash::Output,
    kernel::HasKernels,
    wipe,
};

/// KMAC over the function `H`, computed by backend `B`.
///
/// The output length is hashed too, so outputs of different lengths are unrelated: [`FixedOutput`], and with
/// it `Mac`, has 32 bytes (KMAC128) or 64, [`finalize_into_slice`](Self::finalize_into_slice) any number, and
/// [`ExtendableOutput`] is KMACXOF.
pub struct Kmac<H: Customizable, B> {
    /// The hasher after the key.
    keyed: CShake<H, B>,
    hasher: CShake<H, B>,
}

impl<H: Customizable, B: HasKernels<H::Compression> + Default> Kmac<H, B> {
    /// A MAC with a key and a customization string, which may be empty.
    ///
    /// # Errors
    /// If the key is empty: anybody could compute the tags.
    pub fn new_with_customization(key: &[u8], customization: &[u8]) -> Result<Self, InvalidLength> {
        Self::with_backend(B::default(), key, customization)
    }

    /// The tags of messages under one key each.
    ///
    /// # Errors
    /// If a key is empty.
    ///
    /// # Panics
    /// If `keys`, `messages` and `out` differ in length.
    #[track_caller]
    pub fn tags_keyed(
        keys: &[impl AsRef<[u8]> + Sync],
        customization: &[u8],
        messages: &[impl AsRef<[u8]> + Sync],
        out: &mut [Output<H>],
    ) -> Result<(), InvalidLength> {
        assert_eq!(keys.len(), messages.len(), "as many keys as messages");
        assert_eq!(messages.len(), out.len(), "as many tags as messages");
        if keys.iter().any(|key| key.as_ref().is_empty()) {
            return Err(InvalidLength);
        }
        let start = CShake::<H, B>::new_with_function_name(NAME, customization);
        let groups = keys.chunks(GROUP_MESSAGES).zip(messages.chunks(GROUP_MESSAGES));
        for ((keys, messages), out) in groups.zip(out.chunks_mut(GROUP_MESSAGES)) {
            let mut blocks = [[0; MAX_BLOCK_BYTES]; GROUP_MESSAGES];
            let mut pairs = keys.iter().zip(&mut blocks);
            if pairs.all(|(key, block)| {
                write_key(key.as_ref(), &mut block[..H::Compression::BLOCK_BYTES])
            }) {
                let block = |i: usize| &blocks[i][..H::Compression::BLOCK_BYTES];
                let out = (Array::slice_as_flattened_mut(out), H::OutputSize::USIZE);
                let message = |i| [block(i), messages[i].as_ref()];
                start.fill((Length::Fixed, &[]), message, out);
            } else {
                for ((key, message), out) in keys.iter().zip(messages).zip(out) {
                    let kmac = Self::new_with_customization(key.as_ref(), customization)?;
                    kmac.chain(message).finalize_into_slice(out);
                }
            }
            blocks.iter_mut().for_each(|block| wipe::bytes(block));
        }
        Ok(())
    }
}

/// The function's name in cSHAKE.
const NAME: &[u8] = b"KMAC";

/// Messages under different keys that are hashed at a time, at least as many as there are lanes.
const GROUP_MESSAGES: usize = 32;

/// Writes the block of a key. Returns `false` if the key takes more than a block.
fn write_key(key: &[u8], block: &mut [u8]) -> bool {
    let (rate, first) = left_encode(block.len() as u128);
    let (bits, second) = left_encode(8 * key.len() as u128);
    if first + second + key.len() > block.len() {
        return false;
    }
    let (head, rest) = block.split_at_mut(first + second);
    head[..first].copy_from_slice(&rate[..first]);
    head[first..].copy_from_slice(&bits[..second]);
    rest[..key.len()].copy_from_slice(key);
    true
}

impl<H: Customizable, B: HasKernels<H::Compression>> Kmac<H, B> {
    /// [`new_with_customization`](Self::new_with_customization) on a given backend.
    ///
    /// # Errors
    /// If the key is empty.
    pub fn with_backend(
        backend: B,
        key: &[u8],
        customization: &[u8],
    ) -> Result<Self, InvalidLength> {
        if key.is_empty() {
            return Err(InvalidLength);
        }
        let mut keyed = CShake::with_backend(backend, NAME, customization);
        keyed.sponge.absorb_padded([key]);
        Ok(Self { hasher: keyed.clone(), keyed })
    }

    /// Writes KMAC with an output of `out.len()` bytes.
    pub fn finalize_into_slice(self, out: &mut [u8]) {
        self.hasher.end(Length::Fixed, out.len()).read(out);
    }

    /// [`finalize_into_slice`](Self::finalize_into_slice), followed by a reset.
    pub fn finalize_into_slice_reset(&mut self, out: &mut [u8]) {
        self.take().end(Length::Fixed, out.len()).read(out);
    }

    /// The tags of whole messages under this key, which has been absorbed once.
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    #[track_caller]
    pub fn tags(&self, messages: &[impl AsRef<[u8]> + Sync], out: &mut [Output<H>]) {
        assert_eq!(messages.len(), out.len(), "as many tags as messages");
        let out = (Array::slice_as_flattened_mut(out), H::OutputSize::USIZE);
        self.fill((Length::Fixed, &[]), |i| messages[i].as_ref(), out);
    }

    /// The indices of messages with a wrong tag, in order. The time does not depend on the bytes of the right
    /// tags.
    ///
    /// # Panics
    /// If `messages` and `tags` differ in length.
    #[cfg(feature = "alloc")]
    #[must_use]
    #[track_caller]
    pub fn mismatches(
        &self,
        messages: &[impl AsRef<[u8]> + Sync],
        tags: &[Output<H>],
    ) -> alloc::vec::Vec<usize> {
        let mut right = alloc::vec![Output::<H>::default(); tags.len()];
        self.tags(messages, &mut right);
        let pairs = right.into_iter().zip(tags).enumerate();
        let wrong = pairs.filter(|(_, (right, tag))| {
            digest::CtOutput::<Self>::new(right.clone()) != digest::CtOutput::new((*tag).clone())
        });
        wrong.map(|(i, _)| i).collect()
    }

    /// Fills `out` with outputs of `size` bytes, of messages after `prefix`. Up to twice the strength they run on
    /// lanes.
    ///
    /// # Panics
    /// If `out` is not whole outputs, or `size` is 0.
    pub fn fill<'a>(
        &self,
        start: (Length, &[u8]),
        message: impl Fn(usize) -> &'a [u8] + Sync,
        out: (&mut [u8], usize),
    ) {
        self.keyed.fill(start, |i| [&[], message(i)], out);
    }

    /// The hasher of the message, followed by a reset.
    fn take(&mut self) -> CShake<H, B> {
        core::mem::replace(&mut self.hasher, self.keyed.clone())
    }
}

impl<H: Customizable, B: Clone> Clone for Kmac<H, B> {
    fn clone(&self) -> Self {
        Self { keyed: self.keyed.clone(), hasher: self.hasher.clone() }
    }
}

impl<H: Customizable, B: HasKernels<H::Compression>> Update for Kmac<H, B> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.hasher.update(data);
    }
}

/// Forgets the message, not the key.
impl<H: Customizable, B: Clone> Reset for Kmac<H, B> {
    fn reset(&mut self) {
        self.hasher = self.keyed.clone();
    }
}

impl<H: Customizable, B> OutputSizeUser for Kmac<H, B> {
    type OutputSize = H::OutputSize;
}

impl<H: Customizable, B: HasKernels<H::Compression>> FixedOutput for Kmac<H, B> {
    fn finalize_into(self, out: &mut Output<H>) {
        self.finalize_into_slice(out);
    }
}

impl<H: Customizable, B: HasKernels<H::Compression>> FixedOutputReset for Kmac<H, B> {
    fn finalize_into_reset(&mut self, out: &mut Output<H>) {
        self.finalize_into_slice_reset(out);
    }
}

/// KMACXOF.
impl<H: Customizable, B: HasKernels<H::Compression>> ExtendableOutput for Kmac<H, B> {
    type Reader = Reader<H::Compression, B>;

    fn finalize_xof(self) -> Self::Reader {
        self.hasher.end(Length::Any, 0)
    }
}

impl<H: Customizable, B: HasKernels<H::Compression>> ExtendableOutputReset for Kmac<H, B> {
    fn finalize_xof_reset(&mut self) -> Self::Reader {
        self.take().end(Length::Any, 0)
    }
}

impl<H: Customizable, B> MacMarker for Kmac<H, B> {}

impl<H: Customizable, B> BlockSizeUser for Kmac<H, B> {
    type BlockSize = <H::Compression as RatedPermutation>::Rate;
}

// the shortest key with the function's strength (section 8.4.1)
impl<B> KeySizeUser for Kmac<CShake128, B> {
    type KeySize = U16;
}
impl<B> KeySizeUser for Kmac<CShake256, B> {
    type KeySize = U32;
}

/// Keys of any length but 0.
impl<H: Customizable, B: HasKernels<H::Compression> + Default> KeyInit for Kmac<H, B>
where
    Self: KeySizeUser,
{
    fn new(key: &Key<Self>) -> Self {
        Self::new_from_slice(key).expect("the key has the type's length")
    }

    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Self::new_with_customization(key, &[])
    }
}

impl<H: Customizable, B> AlgorithmName for Kmac<H, B> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KMAC{}", 4 * H::OutputSize::USIZE)
    }
}

impl<H: Customizable, B> fmt::Debug for Kmac<H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::write_alg_name(f)?;
        f.write_str(" { ... }")
    }
}

/// The states wipe themselves.
#[cfg(feature = "zeroize")]
impl<H: Customizable, B> digest::zeroize::ZeroizeOnDrop for Kmac<H, B> {}
