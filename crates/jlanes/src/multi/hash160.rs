//! Bitcoin's hash of public keys and scripts.

use digest::Output;
use jlanes_core::{
    batch::chain,
    hashes::{ripemd160, sha2},
};

use crate::{Backend, Ripemd160};

/// RIPEMD-160 of SHA-256 of each message, Bitcoin's `HASH160`.
///
/// ```
/// use jlanes::{Digest, Ripemd160, Sha256, multi};
///
/// let mut digests = [Default::default(); 2];
/// multi::hash160_many(&[b"a key", b"another"], &mut digests);
/// assert_eq!(digests[1], Ripemd160::digest(Sha256::digest(b"another")));
/// ```
///
/// # Panics
/// If `msgs` and `out` differ in length.
pub fn hash160_many(msgs: &[&[u8]], out: &mut [Output<Ripemd160>]) {
    hash160_many_with(Backend::detect(), msgs, out);
}

/// [`hash160_many`] on a given backend.
///
/// # Panics
/// If `msgs` and `out` differ in length.
pub fn hash160_many_with(backend: Backend, msgs: &[&[u8]], out: &mut [Output<Ripemd160>]) {
    assert_eq!(msgs.len(), out.len(), "as many digests as messages");
    chain::composed::<sha2::Sha256, ripemd160::Ripemd160, _>(backend, |i| msgs[i], out);
}
