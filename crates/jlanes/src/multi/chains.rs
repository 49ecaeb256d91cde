//! Digests of digests.

use digest::Output;
use jlanes_core::{
    batch::{Start, chain},
    engine::MultiDigest,
};

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
    assert_eq!(msgs.len(), out.len(), "as many digests as messages");
    chain::double(H::engine(), &Start::<H::Function>::new(), |i| [msgs[i]], out);
}

/// The double digests of records of `width` bytes side by side, as
/// [`digest_nodes`](super::digest_nodes) takes them: Bitcoin's nodes and block headers.
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
    assert_eq!(nodes.len(), width * out.len(), "as many digests as records");
    let record = |i: usize| [&nodes[i * width..][..width]];
    chain::double(H::engine(), &Start::<H::Function>::new(), record, out);
}

/// Replaces every digest `d` by `H(d)`, `steps` times: chains that are as serial as they must be,
/// many at once.
///
/// ```
/// use jlanes::{Digest, Sha256, multi};
///
/// let mut digests = [Sha256::digest(b"a"), Sha256::digest(b"b")];
/// multi::digest_chains::<Sha256>(&mut digests, 2);
/// assert_eq!(digests[1], Sha256::digest(Sha256::digest(Sha256::digest(b"b"))));
/// ```
pub fn digest_chains<H: MultiDigest>(digests: &mut [Output<H>], steps: u64) {
    chain::digest::<H::Function, _>(H::engine(), &[], digests, steps);
}
