//! cSHAKE (SP 800-185, section 3): SHAKE with a name and a customization string; and the encodings and the end
//! with a length that the standard's functions over it share.

use core::fmt;

use digest::{
    CollisionResistance, CustomizedInit, ExtendableOutput, HashMarker, Update, XofReader,
    block_api::{AlgorithmName, BlockSizeUser},
    consts::{U16, U32},
    typenum::Unsigned,
};

use super::{
    Extendable, RatedPermutation,
    functions::{CShake128, CShake256, Shake128, Shake256},
    sponge::{Reader, SpongeState},
};
use crate::{
    compression::padding::Padding,
    function::{Function, Start},
    kernel::HasKernels,
};

/// cSHAKE over the function `H`, computed by backend `B`.
pub struct CShake<H: Extendable, B> {
    pub(super) sponge: SpongeState<H::Compression, B>,
    padding: Padding,
}

/// A function that cSHAKE customizes, of one strength.
pub trait Customizable: Extendable {
    /// The padding for empty strings: the function is then SHAKE.
    const SHAKE_PADDING: Padding;
}

impl Customizable for CShake128 {
    const SHAKE_PADDING: Padding = <Shake128 as crate::hash::HashFunction>::PADDING;
}

impl Customizable for CShake256 {
    const SHAKE_PADDING: Padding = <Shake256 as crate::hash::HashFunction>::PADDING;
}

impl<H: Customizable, B: HasKernels<H::Compression> + Default> CShake<H, B> {
    /// A hasher with a function name, which only NIST assigns, and a customization string. With
    /// both empty it is SHAKE.
    #[must_use]
    pub fn new_with_function_name(name: &[u8], customization: &[u8]) -> Self {
        Self::with_backend(B::default(), name, customization)
    }
}

impl<H: Customizable, B: HasKernels<H::Compression>> CShake<H, B> {
    /// [`new_with_function_name`](Self::new_with_function_name) on a given backend.
    #[must_use]
    pub fn with_backend(backend: B, name: &[u8], customization: &[u8]) -> Self {
        let mut sponge = SpongeState::new(backend);
        if name.is_empty() && customization.is_empty() {
            return Self { sponge, padding: H::SHAKE_PADDING };
        }
        sponge.absorb_padded([name, customization]);
        Self { sponge, padding: H::PADDING }
    }

    /// Ends the message with the length of an output of `size` bytes.
    pub(super) fn end(mut self, length: Length, size: usize) -> Reader<H::Compression, B> {
        let (end, count) = length.encode(size);
        self.update(&end[..count]);
        self.finalize_xof()
    }

    /// Fills `out` with outputs of `size` bytes, of the messages that begin at this state, which is at the
    /// start of a block, with `prefix`.
    ///
    /// # Panics
    /// If `out` is not whole outputs, or `size` is 0.
    pub(super) fn fill<'a>(
        &self,
        (length, prefix): (Length, &[u8]),
        message: impl Fn(usize) -> [&'a [u8]; 2] + Sync,
        (out, size): (&mut [u8], usize),
    ) {
        assert!(size > 0 && out.len().is_multiple_of(size), "whole outputs of at least a byte");
        let (end, count) = length.encode(size);
        if size > H::OutputSize::USIZE {
            for (i, out) in out.chunks_exact_mut(size).enumerate() {
                let [first, second] = message(i);
                let hasher = self.clone().chain(prefix).chain(first).chain(second);
                hasher.end(length, size).read(out);
            }
            return;
        }
        let start = Start::<H>::at(self.sponge.state, 0);
        let mut function = Function::new(&start, self.sponge.backend).shortened(size);
        let ended = |i| {
            let [first, second] = message(i);
            [first, second, &end[..count]]
        };
        function.digest_with(prefix, ended, out);
        function.wipe();
    }
}

/// The length of an output, as it is encoded after the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// The number of bits.
    Fixed,
    /// Zero, for outputs of any length: KMACXOF and TupleHashXOF.
    Any,
}

impl Length {
    /// The bytes after the message, and their number, for an output of `size` bytes.
    fn encode(self, size: usize) -> ([u8; 17], usize) {
        right_encode(match self {
            Self::Fixed => 8 * size as u128,
            Self::Any => 0,
        })
    }
}

impl<C: RatedPermutation, B: HasKernels<C>> SpongeState<C, B> {
    /// `bytepad` of encoded strings (SP 800-185, section 2.3.3), from a block's start on.
    pub(super) fn absorb_padded<const N: usize>(&mut self, strings: [&[u8]; N]) {
        let (rate, count) = left_encode(C::BLOCK_BYTES as u128);
        self.absorb(&rate[..count]);
        for string in strings {
            self.absorb_string(string);
        }
        self.complete_block();
    }

    /// `encode_string` (SP 800-185, section 2.3.2): the string after its length in bits.
    pub(super) fn absorb_string(&mut self, string: &[u8]) {
        let (length, count) = left_encode(8 * string.len() as u128);
        self.absorb(&length[..count]);
        self.absorb(string);
    }
}

/// `left_encode` (SP 800-185, section 2.3.1): the big-endian bytes of a number, at least one, after
/// their count. Also returns the number of bytes.
#[must_use]
pub fn left_encode(number: u128) -> ([u8; 17], usize) {
    let (mut bytes, count) = right_encode(number);
    bytes[..count].rotate_right(1);
    (bytes, count)
}

/// `right_encode` (SP 800-185, section 2.3.1): the same with the count after the bytes.
#[must_use]
pub fn right_encode(number: u128) -> ([u8; 17], usize) {
    let bytes = number.to_be_bytes();
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count().min(bytes.len() - 1);
    let count = bytes.len() - zeros;
    let mut encoded = [0; 17];
    encoded[..count].copy_from_slice(&bytes[zeros..]);
    encoded[count] = count as u8;
    (encoded, count + 1)
}

impl<H: Customizable, B: HasKernels<H::Compression> + Default> Default for CShake<H, B> {
    #[inline]
    fn default() -> Self {
        Self::new_with_function_name(&[], &[])
    }
}

impl<H: Customizable, B: HasKernels<H::Compression> + Default> CustomizedInit for CShake<H, B> {
    #[inline]
    fn new_customized(customization: &[u8]) -> Self {
        Self::new_with_function_name(&[], customization)
    }
}

impl<H: Extendable, B: Clone> Clone for CShake<H, B> {
    #[inline]
    fn clone(&self) -> Self {
        Self { sponge: self.sponge.clone(), padding: self.padding }
    }
}

impl<H: Extendable, B> fmt::Debug for CShake<H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {{ ... }}", H::NAME)
    }
}

impl<H: Extendable, B> AlgorithmName for CShake<H, B> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(H::ALGORITHM)
    }
}

impl<H: Extendable, B> HashMarker for CShake<H, B> {}

impl<H: Extendable, B> BlockSizeUser for CShake<H, B> {
    type BlockSize = <H::Compression as RatedPermutation>::Rate;
}

impl<H: Extendable, B: HasKernels<H::Compression>> Update for CShake<H, B> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.sponge.absorb(data);
    }
}

impl<H: Extendable, B: HasKernels<H::Compression>> ExtendableOutput for CShake<H, B> {
    type Reader = Reader<H::Compression, B>;

    #[inline]
    fn finalize_xof(mut self) -> Self::Reader {
        self.sponge.end(self.padding);
        Reader::of(self.sponge)
    }
}

#[cfg(feature = "zeroize")]
impl<H: Extendable, B> digest::zeroize::ZeroizeOnDrop for CShake<H, B> {}

// SP 800-185, section 8.3
impl<B> CollisionResistance for CShake<CShake128, B> {
    type CollisionResistance = U16;
}
impl<B> CollisionResistance for CShake<CShake256, B> {
    type CollisionResistance = U32;
}
