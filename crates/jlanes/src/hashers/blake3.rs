//! BLAKE3's hasher and its output, on the detected backend.

use jlanes_core::hashes::blake3::{hasher::Hasher, reader::Reader};

use crate::Backend;

/// BLAKE3 hasher: a digest of 32 bytes, or an output of any length.
///
/// The constructors are those of the crate `blake3`: `new` hashes, `new_keyed` hashes under a key,
/// and `new_derive_key` derives keys for one purpose.
///
/// ```
/// use jlanes::{Blake3, Digest, digest::{ExtendableOutput, XofReader}};
///
/// let digest = Blake3::digest(b"any message");
/// let mut hasher = Blake3::new();
/// Digest::update(&mut hasher, b"any ");
/// Digest::update(&mut hasher, b"message");
/// let mut out = [0; 100];
/// hasher.finalize_xof().read(&mut out);
/// assert_eq!(out[..32], *digest);
///
/// let tag = Blake3::new_keyed(&[7; 32]).chain_update(b"any message").finalize();
/// let key = Blake3::new_derive_key("example.com 2026-11-24 backups").chain_update(tag).finalize();
/// assert_ne!(key, tag);
/// ```
pub type Blake3 = Hasher<Backend>;

/// The output of [`Blake3`].
pub type Blake3Reader = Reader<Backend>;
