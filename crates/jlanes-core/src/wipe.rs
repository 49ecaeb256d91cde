//! Wipes secrets and values derived from them, with the feature `zeroize`; a no-op without.
//!
//! Hashers and other long-lived types wipe themselves when dropped. Local values are wiped where they
//! end: midstates of keys, digests that are hashed again. Copies that the compiler makes, in registers
//! or spilled, are out of reach.

#[cfg(feature = "alloc")]
mod buffer;

#[cfg(feature = "alloc")]
pub use buffer::Buffer;
use digest::array::{Array, ArraySize};

use crate::simd::vector::Word;

/// Wipes words.
#[inline(always)]
pub fn words<W: Word>(_words: &mut [W]) {
    #[cfg(feature = "zeroize")]
    W::wipe(_words);
}

/// Wipes bytes.
#[inline(always)]
pub fn bytes(_bytes: &mut [u8]) {
    #[cfg(feature = "zeroize")]
    each_byte(_bytes);
}

/// Compiled here and not by every crate that drops a generic type: without optimisation, it takes a hundred
/// times as long.
#[cfg(feature = "zeroize")]
#[inline(never)]
fn each_byte(bytes: &mut [u8]) {
    digest::zeroize::Zeroize::zeroize(bytes);
}

/// Wipes digests.
#[inline(always)]
pub(crate) fn digests<N: ArraySize>(digests: &mut [Array<u8, N>]) {
    digests.iter_mut().for_each(|digest| bytes(digest));
}
