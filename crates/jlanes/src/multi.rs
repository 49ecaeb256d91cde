//! Many messages at once, each with its standard digest (S-HASH).
//!
//! Messages of any number and any lengths share the SIMD lanes: a lane takes the next message as
//! soon as its message ends. [`Lanes`] is the handle for every job; the functions here are
//! shortcuts for the most common ones.
//!
//! ```
//! use jlanes::{Sha256, multi};
//!
//! let messages: [&[u8]; 3] = [b"a", b"bb", b""];
//! let mut digests = [Default::default(); 3];
//! multi::digest_many::<Sha256>(&messages, &mut digests);
//! assert_eq!(digests[1][..4], [0x3b, 0x64, 0xdb, 0x95]);
//! ```

use digest::Output;

use crate::Backend;

#[cfg(feature = "trees")]
pub(crate) mod groups;
#[cfg(feature = "ripemd160")]
mod hash160;
pub(crate) mod job;
mod lanes;
mod mac;
mod messages;
pub(crate) mod parts;
#[cfg(feature = "std")]
mod read;
#[cfg(feature = "alloc")]
pub(crate) mod scheduler;
#[cfg(feature = "alloc")]
mod sleep;
mod traits;
#[cfg(any(feature = "blake3", feature = "sha3"))]
mod xof;
#[cfg(all(any(feature = "blake3", feature = "sha3"), feature = "alloc"))]
pub(crate) mod xofs;

#[cfg(feature = "ripemd160")]
pub use hash160::{hash160_many, hash160_many_with};
#[cfg(feature = "alloc")]
pub use jlanes_core::batch::tweaked::TweakedChains;
pub use jlanes_core::jobs::{Source, Usage};
pub use lanes::Lanes;
#[cfg(all(feature = "alloc", feature = "sha1dc"))]
pub use lanes::checked::{try_digest_many, try_digest_many_with};
pub use mac::{MultiMac, mac_many};
pub use messages::{LayoutError, Messages};
#[cfg(feature = "std")]
pub use read::{PollSource, ReadBuffer, ReadSource};
#[cfg(feature = "alloc")]
pub use scheduler::Scheduler;
#[cfg(any(feature = "blake3", feature = "sha3"))]
pub use traits::MultiXof;
pub use traits::{BatchDigest, MultiDigest};
#[cfg(all(any(feature = "blake3", feature = "sha3"), feature = "rayon"))]
pub use xof::par_xof_many;
#[cfg(all(any(feature = "blake3", feature = "sha3"), feature = "alloc"))]
pub use xof::{xof_chains, xof_chains_with};
#[cfg(any(feature = "blake3", feature = "sha3"))]
pub use xof::{xof_many, xof_many_with};
#[cfg(all(any(feature = "blake3", feature = "sha3"), feature = "alloc"))]
pub use xofs::Xofs;

/// The digests of `msgs`, in order: `out[i]` is `H::digest(msgs[i])`.
///
/// ```
/// use jlanes::{Digest, Sha256, multi};
///
/// let mut digests = [Default::default(); 2];
/// multi::digest_many::<Sha256>(&[b"one", b"another"], &mut digests);
/// assert_eq!(digests[1], Sha256::digest(b"another"));
/// ```
///
/// # Panics
/// If `msgs` and `out` differ in length.
pub fn digest_many<H: BatchDigest>(msgs: &[&[u8]], out: &mut [Output<H>]) {
    Lanes::<H>::new().digest_all(Messages::slices(msgs), out);
}

/// [`digest_many`] on a given backend.
///
/// ```
/// use jlanes::{Backend, Digest, Sha512, multi};
///
/// let mut digests = [Default::default(); 2];
/// for backend in Backend::available() {
///     multi::digest_many_with::<Sha512>(backend, &[b"one", b"another"], &mut digests);
///     assert_eq!(digests[0], Sha512::digest(b"one"), "{backend}");
/// }
/// ```
///
/// # Panics
/// If `msgs` and `out` differ in length.
pub fn digest_many_with<H: BatchDigest>(backend: Backend, msgs: &[&[u8]], out: &mut [Output<H>]) {
    Lanes::<H>::new().on(backend).digest_all(Messages::slices(msgs), out);
}

/// The digests of messages that share a prefix: `out[i]` is the digest of `prefix || msgs[i]`.
///
/// The prefix's whole blocks are hashed once.
///
/// ```
/// use jlanes::{Digest, Sha256, multi};
///
/// let mut digests = [Default::default(); 2];
/// multi::digest_many_prefixed::<Sha256>(b"leaf:", &[b"a", b"b"], &mut digests);
/// assert_eq!(digests[1], Sha256::digest(b"leaf:b"));
/// ```
///
/// # Panics
/// If `msgs` and `out` differ in length.
pub fn digest_many_prefixed<H: BatchDigest>(prefix: &[u8], msgs: &[&[u8]], out: &mut [Output<H>]) {
    Lanes::<H>::new().prefix(prefix).digest_all(Messages::slices(msgs), out);
}

/// The digests of contiguous records of `width` bytes: `out[i]` is the digest of bytes `i * width`
/// to `(i + 1) * width` of `nodes`.
///
/// This is one level of a Merkle tree, or a column of fixed width.
///
/// ```
/// use jlanes::{Digest, Sha256, multi};
///
/// let mut digests = [Default::default(); 2];
/// multi::digest_nodes::<Sha256>(b"onetwo", 3, &mut digests);
/// assert_eq!(digests[1], Sha256::digest(b"two"));
/// ```
///
/// # Panics
/// If `nodes` is not `out.len()` times `width` bytes.
pub fn digest_nodes<H: BatchDigest>(nodes: &[u8], width: usize, out: &mut [Output<H>]) {
    Lanes::<H>::new().nodes(nodes, width, out);
}

/// The digests of pairs, in order: `out[i]` is the digest of `left[i] || right[i]`, without a copy.
///
/// ```
/// use jlanes::{Digest, Sha256, multi};
///
/// let mut nodes = [Default::default(); 2];
/// multi::digest_pairs::<Sha256>(&[b"a", b"c"], &[b"b", b"d"], &mut nodes);
/// assert_eq!(nodes[1], Sha256::digest(b"cd"));
/// ```
///
/// # Panics
/// If `left`, `right` and `out` differ in length.
pub fn digest_pairs<H: BatchDigest>(left: &[&[u8]], right: &[&[u8]], out: &mut [Output<H>]) {
    Lanes::<H>::new().pairs(left, right, out);
}

/// The double digests of `msgs`, in order: `out[i]` is `H(H(msgs[i]))`.
///
/// ```
/// use jlanes::{Digest, Sha256, multi};
///
/// let mut digests = [Default::default(); 2];
/// multi::double_digest_many::<Sha256>(&[b"a", b"b"], &mut digests);
/// assert_eq!(digests[0], Sha256::digest(Sha256::digest(b"a")));
/// ```
///
/// # Panics
/// If `msgs` and `out` differ in length.
pub fn double_digest_many<H: MultiDigest>(msgs: &[&[u8]], out: &mut [Output<H>]) {
    Lanes::<H>::new().double(msgs, out);
}

/// The double digests of contiguous records of `width` bytes, as for [`digest_nodes`]: Bitcoin's
/// nodes and block headers.
///
/// ```
/// use jlanes::{Digest, Sha256, multi};
///
/// let mut digests = [Default::default(); 2];
/// multi::double_digest_nodes::<Sha256>(b"onetwo", 3, &mut digests);
/// assert_eq!(digests[1], Sha256::digest(Sha256::digest(b"two")));
/// ```
///
/// # Panics
/// If `nodes` is not `out.len()` times `width` bytes.
pub fn double_digest_nodes<H: MultiDigest>(nodes: &[u8], width: usize, out: &mut [Output<H>]) {
    Lanes::<H>::new().double_nodes(nodes, width, out);
}

/// Replaces every digest `d` by `H(d)`, `steps` times. Each chain is serial; many run at once.
///
/// ```
/// use jlanes::{Digest, Sha256, multi};
///
/// let mut digests = [Sha256::digest(b"a"), Sha256::digest(b"b")];
/// multi::digest_chains::<Sha256>(&mut digests, 2);
/// assert_eq!(digests[1], Sha256::digest(Sha256::digest(Sha256::digest(b"b"))));
/// ```
pub fn digest_chains<H: MultiDigest>(digests: &mut [Output<H>], steps: u64) {
    Lanes::<H>::new().chains(digests, steps);
}

/// The HMAC tags of `msgs` under one key of any length, in order (RFC 2104).
///
/// The key's two blocks are hashed once, not once per message.
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
    Lanes::<H>::new().hmac(key, msgs, out);
}

/// HMAC tags under one key per message: `out[i]` is the tag of `msgs[i]` under `keys[i]`.
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
    Lanes::<H>::new().hmac_keyed(keys, msgs, out);
}

/// Derives keys from passwords with PBKDF2 and HMAC (RFC 8018): fills `outs[i]`, of any length,
/// from `passwords[i]` and `salts[i]`.
///
/// The rounds of a password are serial, but passwords are independent, and so are the digests of a
/// long key. As in RustCrypto's crate `pbkdf2`, 0 rounds are 1.
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
/// If `passwords`, `salts` and `outs` differ in length, or if one of `outs` is longer than PBKDF2's
/// 2^32 - 1 digests.
pub fn pbkdf2_many<H: MultiDigest>(
    passwords: &[&[u8]],
    salts: &[&[u8]],
    rounds: u32,
    outs: &mut [&mut [u8]],
) {
    Lanes::<H>::new().pbkdf2(passwords, salts, rounds, outs);
}

/// [`digest_many`] on rayon's thread pool, with the same result.
///
/// Batches of less than 2 MiB stay on the calling thread, because the pool's threads may be asleep;
/// on a thread of the pool, batches of less than 128 KiB do. So do batches that would leave the
/// threads' lanes half empty without a gain.
///
/// ```
/// use jlanes::{Digest, Sha256, multi};
///
/// let messages: Vec<&[u8]> = vec![b"abc"; 1000];
/// let mut digests = vec![Default::default(); messages.len()];
/// multi::par_digest_many::<Sha256>(&messages, &mut digests);
/// assert!(digests.iter().all(|digest| *digest == Sha256::digest(b"abc")));
/// ```
///
/// # Panics
/// If `msgs` and `out` differ in length.
#[cfg(feature = "rayon")]
pub fn par_digest_many<H: BatchDigest>(msgs: &[&[u8]], out: &mut [Output<H>]) {
    Lanes::<H>::new().parallel().digest_all(Messages::slices(msgs), out);
}
