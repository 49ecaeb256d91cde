//! HMAC and PBKDF2 of many messages or passwords at once.
//!
//! `H` may be any hash with lanes. HMAC is meant for Merkle-Damgård's, SHA-1 and SHA-2; for Skein
//! these functions agree with RustCrypto's `SimpleHmac`, but Skein's own keyed mode does the same
//! with half the work.

use digest::Output;
use jlanes_core::{
    engine::MultiDigest,
    mac::{hmac, pbkdf2},
};

/// The HMAC tags of `msgs` under one key, in order (RFC 2104). A key may be of any length.
///
/// The key's two blocks are hashed once, not once a message.
///
/// ```
/// use jlanes::{Sha256, multi};
///
/// let mut tags = [Default::default(); 2];
/// multi::hmac_many::<Sha256>(b"Jefe", &[b"what do ya want for nothing?", b""], &mut tags);
/// assert_eq!(tags[0][..4], [0x5b, 0xdc, 0xc1, 0x46]); // RFC 4231, test case 2
/// ```
///
/// # Panics
/// If `msgs` and `out` differ in length.
pub fn hmac_many<H: MultiDigest>(key: &[u8], msgs: &[&[u8]], out: &mut [Output<H>]) {
    assert_eq!(msgs.len(), out.len(), "as many tags as messages");
    hmac::digest::<H::Function, _>(H::engine(), key, |i| msgs[i], out);
}

/// HMAC tags under a key for each message: `out[i]` is `msgs[i]`'s under `keys[i]`.
///
/// ```
/// use jlanes::{Sha256, multi};
///
/// let (keys, messages): ([&[u8]; 2], [&[u8]; 2]) = ([b"Jefe", b"other"], [b"a", b"b"]);
/// let mut tags = [Default::default(); 2];
/// multi::hmac_many_keyed::<Sha256>(&keys, &messages, &mut tags);
/// let mut alone = [Default::default()];
/// multi::hmac_many::<Sha256>(b"other", &[b"b"], &mut alone);
/// assert_eq!(tags[1], alone[0]);
/// ```
///
/// # Panics
/// If `keys`, `msgs` and `out` differ in length.
pub fn hmac_many_keyed<H: MultiDigest>(keys: &[&[u8]], msgs: &[&[u8]], out: &mut [Output<H>]) {
    assert_eq!(msgs.len(), out.len(), "as many tags as messages");
    hmac::digest_keyed::<H::Function, _>(H::engine(), keys, |i| msgs[i], out);
}

/// Keys derived from passwords with PBKDF2 and HMAC (RFC 8018): fills `outs[i]`, whatever its
/// length, from `passwords[i]` and `salts[i]`.
///
/// Rounds are serial, but passwords do not wait for each other, nor do the digests of which long
/// keys are made. As in RustCrypto's crate `pbkdf2`, 0 rounds are 1.
///
/// ```
/// use jlanes::{Sha256, multi};
///
/// let (mut short, mut long) = ([0; 16], [0; 80]);
/// let mut keys: [&mut [u8]; 2] = [&mut short, &mut long];
/// multi::pbkdf2_many::<Sha256>(&[b"one", b"two"], &[b"salt", b"pepper"], 1000, &mut keys);
/// ```
///
/// # Panics
/// If `passwords`, `salts` and `outs` differ in length, or if one of `outs` is longer than the
/// 2^32 - 1 digests for which PBKDF2 is defined.
pub fn pbkdf2_many<H: MultiDigest>(
    passwords: &[&[u8]],
    salts: &[&[u8]],
    rounds: u32,
    outs: &mut [&mut [u8]],
) {
    pbkdf2::derive::<H::Function, _>(H::engine(), passwords, salts, rounds, outs);
}
