//! Many messages at once, each with its ordinary digest (S-HASH).
//!
//! Messages of any number and any lengths share the SIMD lanes: one that ends makes room for the
//! next at once.
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
use jlanes_core::{
    batch::{Start, list},
    hash::HashFunction,
};

use crate::Backend;

mod chains;
mod mac;
#[cfg(feature = "rayon")]
mod parallel;
#[cfg(feature = "std")]
mod read;
#[cfg(feature = "alloc")]
mod scheduler;

pub use chains::{digest_chains, double_digest_many, double_digest_nodes};
pub use jlanes_core::{
    batch::{Source, Usage},
    engine::{Engine, MultiDigest},
};
pub use mac::{hmac_many, hmac_many_keyed, pbkdf2_many};
#[cfg(feature = "rayon")]
pub use parallel::par_digest_many;
#[cfg(feature = "std")]
pub use read::{ReadBuffer, ReadSource};
#[cfg(feature = "alloc")]
pub use scheduler::{Drain, Scheduler};

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
pub fn digest_many<H: MultiDigest>(msgs: &[&[u8]], out: &mut [Output<H>]) {
    if let ([msg], [out]) = (msgs, &mut *out) {
        return H::new_with_prefix(msg).finalize_into(out); // lanes would only be in the way
    }
    digest_on::<H, _>(H::engine(), &[], msgs, out);
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
pub fn digest_many_with<H>(backend: Backend, msgs: &[&[u8]], out: &mut [Output<H>])
where
    H: MultiDigest,
    Backend: Engine<<H::Function as HashFunction>::Compression>,
{
    digest_on::<H, _>(backend, &[], msgs, out);
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
pub fn digest_many_prefixed<H: MultiDigest>(prefix: &[u8], msgs: &[&[u8]], out: &mut [Output<H>]) {
    digest_on::<H, _>(H::engine(), prefix, msgs, out);
}

fn digest_on<H: MultiDigest, E>(engine: E, prefix: &[u8], msgs: &[&[u8]], out: &mut [Output<H>])
where
    E: Engine<<H::Function as HashFunction>::Compression>,
{
    assert_eq!(msgs.len(), out.len(), "as many digests as messages");
    list::digest_prefixed::<H::Function, _>(engine, prefix, |i| msgs[i], out);
}

/// The digests of records of `width` bytes that lie side by side in `nodes`: `out[i]` is the digest
/// of bytes `i * width` to `(i + 1) * width`.
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
pub fn digest_nodes<H: MultiDigest>(nodes: &[u8], width: usize, out: &mut [Output<H>]) {
    let start = Start::<H::Function>::new();
    list::records(H::engine(), &start, (nodes, width), out);
}

/// The digests of pairs, in order: `out[i]` is the digest of `left[i] || right[i]`, which nobody
/// copies together.
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
pub fn digest_pairs<H: MultiDigest>(left: &[&[u8]], right: &[&[u8]], out: &mut [Output<H>]) {
    assert_eq!(left.len(), right.len(), "as many right sides as left ones");
    assert_eq!(left.len(), out.len(), "as many digests as pairs");
    let start = Start::<H::Function>::new();
    list::digest(H::engine(), &start, |i| [left[i], right[i]], out);
}
