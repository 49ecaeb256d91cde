//! The traits that bound functions over any hash. They are sealed: only the hashers of this crate have them.

use sealed::{Batch, Multi};

/// A hasher of which many messages of any lengths can be hashed at once: every hasher of this crate,
/// [`Blake3`](crate::Blake3) included.
///
/// It is sealed.
pub trait BatchDigest: Batch {}

#[doc(hidden)] // all that the trait asks for
impl<H: Batch> BatchDigest for H {}

/// A [`BatchDigest`] with HMAC, PBKDF2, double digests and chains, which BLAKE3 does not have.
///
/// It is sealed.
pub trait MultiDigest: Multi {}

#[doc(hidden)]
impl<H: Multi> MultiDigest for H {}

/// A hasher with outputs of any length, many of which can be computed at once.
///
/// It is sealed.
#[cfg(any(feature = "blake3", feature = "sha3"))]
pub trait MultiXof: sealed::Xof {}

#[cfg(any(feature = "blake3", feature = "sha3"))]
#[doc(hidden)]
impl<H: sealed::Xof> MultiXof for H {}

/// The traits of `jlanes-core`, which may change, on this crate's backend.
mod sealed {
    use jlanes_core::function;

    use crate::Backend;

    pub trait Batch: function::BatchDigest<Backend: From<Backend>> {}
    impl<H: function::BatchDigest<Backend: From<Backend>>> Batch for H {}

    pub trait Multi: function::MultiDigest<Backend: From<Backend>> {}
    impl<H: function::MultiDigest<Backend: From<Backend>>> Multi for H {}

    #[cfg(any(feature = "blake3", feature = "sha3"))]
    pub trait Xof: function::MultiXof<Backend: From<Backend>> {}
    #[cfg(any(feature = "blake3", feature = "sha3"))]
    impl<H: function::MultiXof<Backend: From<Backend>>> Xof for H {}
}
