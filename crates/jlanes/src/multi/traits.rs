//! The bounds of functions that are generic over the hash. They are sealed: only the hashers of this
//! crate have them.

use jlanes_core::engine;

/// A hasher of which many messages of any lengths can be hashed at once: every hasher of this crate,
/// [`Blake3`](crate::Blake3) included.
///
/// It is sealed.
pub trait BatchDigest: engine::BatchDigest {}

impl<H: engine::BatchDigest> BatchDigest for H {}

/// A [`BatchDigest`] with HMAC, PBKDF2, double digests and chains, which BLAKE3 does not have.
///
/// It is sealed.
pub trait MultiDigest: engine::MultiDigest {}

impl<H: engine::MultiDigest> MultiDigest for H {}

/// A hasher with outputs of any length, many of which can be computed at once.
///
/// It is sealed.
#[cfg(any(feature = "blake3", feature = "sha3"))]
pub trait MultiXof: engine::MultiXof {}

#[cfg(any(feature = "blake3", feature = "sha3"))]
impl<H: engine::MultiXof> MultiXof for H {}
