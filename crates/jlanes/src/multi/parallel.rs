//! Batches over rayon's pool.

use digest::Output;
use jlanes_core::engine::MultiDigest;

use super::digest_many;

/// Bytes below which a batch is not split: a task costs some microseconds, as much as hashing this.
const GRAIN: usize = 64 << 10;

/// [`digest_many`](super::digest_many) on rayon's thread pool, with the same result.
///
/// Batches of less than 128 KiB stay on the calling thread.
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
pub fn par_digest_many<H: MultiDigest>(msgs: &[&[u8]], out: &mut [Output<H>])
where
    Output<H>: Send,
{
    assert_eq!(msgs.len(), out.len(), "as many digests as messages");
    let bytes = msgs.iter().map(|msg| msg.len()).sum();
    split::<H>(msgs, out, bytes, 4 * rayon::current_num_threads());
}

/// Halves the batch by bytes until `parts` is spent or the halves would be small.
fn split<H: MultiDigest>(msgs: &[&[u8]], out: &mut [Output<H>], bytes: usize, parts: usize)
where
    Output<H>: Send,
{
    if parts <= 1 || msgs.len() <= 1 || bytes < 2 * GRAIN {
        return digest_many::<H>(msgs, out);
    }
    let (mut at, mut left_bytes) = (0, 0);
    while at < msgs.len() - 1 && left_bytes < bytes / 2 {
        left_bytes += msgs[at].len();
        at += 1;
    }
    let (left, right) = msgs.split_at(at);
    let (left_out, right_out) = out.split_at_mut(at);
    rayon::join(
        || split::<H>(left, left_out, left_bytes, parts / 2),
        || split::<H>(right, right_out, bytes - left_bytes, parts / 2),
    );
}
