//! Bitcoin's hash of public keys and scripts.

use digest::{Output, array::Array};

use super::{Lanes, Messages};
use crate::{Backend, Ripemd160, Sha256};

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
    let mut digests = [Output::<Sha256>::default(); KEPT];
    for (msgs, out) in msgs.chunks(KEPT).zip(out.chunks_mut(KEPT)) {
        let digests = &mut digests[..msgs.len()];
        Lanes::<Sha256>::new().on(backend).digest_all(Messages::slices(msgs), digests);
        let bytes = Array::slice_as_flattened(digests);
        Lanes::<Ripemd160>::new().on(backend).nodes(bytes, 32, out);
    }
    jlanes_core::wipe::bytes(Array::slice_as_flattened_mut(&mut digests));
}

/// Messages with digests that are kept for the other function.
const KEPT: usize = 512;
