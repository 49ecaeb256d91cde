//! Batches over rayon's pool.

use digest::Output;
use jlanes_core::{
    batch::load::Load,
    engine::{Engine, MultiDigest},
    hash::HashFunction,
};

use super::digest_many;

/// [`digest_many`](super::digest_many) on rayon's thread pool, with the same result.
///
/// Batches of less than 128 KiB stay on the calling thread, and so do those that would leave the
/// threads' lanes half empty and be no faster for it.
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
    let blocks = |msg: &&[u8]| {
        H::Function::PADDING.blocks::<<H::Function as HashFunction>::Compression>(msg.len()) as u64
    };
    let load = msgs.iter().fold(Load::default(), |load, msg| load.and(blocks(msg)));
    let parts = load.parts(H::engine(), rayon::current_num_threads());
    split::<H>(msgs, out, parts, &blocks);
}

/// Cuts the batch into `parts` parts of about as many blocks, and of full lanes where there are
/// enough messages.
fn split<H: MultiDigest>(
    msgs: &[&[u8]],
    out: &mut [Output<H>],
    parts: usize,
    blocks: &(impl Fn(&&[u8]) -> u64 + Sync),
) where
    Output<H>: Send,
{
    if parts <= 1 || msgs.len() <= 1 {
        return digest_many::<H>(msgs, out);
    }
    let share = msgs.iter().map(blocks).sum::<u64>() / parts as u64 * (parts / 2) as u64;
    let (mut at, mut left) = (0, 0);
    while at < msgs.len() - 1 && left < share {
        left += blocks(&msgs[at]);
        at += 1;
    }
    let lanes = H::engine().lanes();
    if msgs.len() >= 2 * lanes {
        at = at.next_multiple_of(lanes).clamp(lanes, msgs.len() - lanes);
    }
    let (left, right) = msgs.split_at(at);
    let (left_out, right_out) = out.split_at_mut(at);
    rayon::join(
        || split::<H>(left, left_out, parts / 2, blocks),
        || split::<H>(right, right_out, parts - parts / 2, blocks),
    );
}
