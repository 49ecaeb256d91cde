//! The traits that bound functions over any hash. They are sealed: only the hashers of this crate have them.

use sealed::{SealedBatch, SealedDigest};

/// A hasher of which many messages of any lengths can be hashed at once: every hasher of this crate,
/// [`Blake3`](crate::Blake3) included.
///
/// It is sealed.
pub trait BatchDigest: SealedBatch {}

#[doc(hidden)] // all that the trait asks for
impl<H: SealedBatch> BatchDigest for H {}

/// A [`BatchDigest`] with HMAC, PBKDF2, double digests and chains, which BLAKE3 does not have.
///
/// It is sealed.
pub trait MultiDigest: SealedDigest {}

#[doc(hidden)]
impl<H: SealedDigest> MultiDigest for H {}

/// A hasher with outputs of any length, many of which can be computed at once.
///
/// It is sealed.
#[cfg(any(feature = "blake3", feature = "sha3"))]
pub trait MultiXof: sealed::SealedXof {}

#[cfg(any(feature = "blake3", feature = "sha3"))]
#[doc(hidden)]
impl<H: sealed::SealedXof> MultiXof for H {}

/// The traits of `jlanes-core`, which may change, on this crate's backend.
mod sealed {
    use jlanes_core::function;

    use crate::Backend;

    pub trait SealedBatch: function::BatchOnKernels<Backend: From<Backend>> {}
    impl<H: function::BatchOnKernels<Backend: From<Backend>>> SealedBatch for H {}

    pub trait SealedDigest: function::DigestOnKernels<Backend: From<Backend>> {}
    impl<H: function::DigestOnKernels<Backend: From<Backend>>> SealedDigest for H {}

    #[cfg(any(feature = "blake3", feature = "sha3"))]
    pub trait SealedXof: function::XofOnKernels<Backend: From<Backend>> {}
    #[cfg(any(feature = "blake3", feature = "sha3"))]
    impl<H: function::XofOnKernels<Backend: From<Backend>>> SealedXof for H {}
}
