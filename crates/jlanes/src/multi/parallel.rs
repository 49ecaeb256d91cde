//! Batches over rayon's pool.

use std::vec::Vec;

use digest::Output;
use jlanes_core::{
    batch::load::Load,
    engine::{Engine, MultiDigest},
    hash::HashFunction,
};
use jlanes_tree::join::Join;

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
    let blocks = |msg: &[u8]| {
        H::Function::PADDING.blocks::<<H::Function as HashFunction>::Compression>(msg.len()) as u64
    };
    let load = msgs.iter().fold(Load::default(), |load, msg| load.and(blocks(msg)));
    let count = load.parts(H::engine(), rayon::current_num_threads());
    if count == 1 {
        return digest_many::<H>(msgs, out);
    }
    let mut parts = cut::<H>(msgs, out, load.blocks.div_ceil(count as u64), blocks);
    Join::Rayon.each(&mut parts, |_, (msgs, out)| digest_many::<H>(msgs, out));
}

/// A part of the messages, and where their digests go.
type Part<'a, H> = (&'a [&'a [u8]], &'a mut [Output<H>]);

/// Cuts a batch into parts of about `share` blocks, and of full lanes where there are enough
/// messages.
fn cut<'a, H: MultiDigest>(
    mut msgs: &'a [&'a [u8]],
    mut out: &'a mut [Output<H>],
    share: u64,
    blocks: impl Fn(&[u8]) -> u64,
) -> Vec<Part<'a, H>> {
    let lanes = H::engine().lanes();
    let mut parts = Vec::new();
    while !msgs.is_empty() {
        let (mut at, mut taken) = (0, 0);
        while at < msgs.len() && taken < share {
            taken += blocks(msgs[at]);
            at += 1;
        }
        if msgs.len() >= 2 * lanes {
            at = at.next_multiple_of(lanes);
            if msgs.len() < at + lanes {
                at = msgs.len();
            }
        }
        let (part, rest) = msgs.split_at(at);
        let (part_out, rest_out) = out.split_at_mut(at);
        parts.push((part, part_out));
        (msgs, out) = (rest, rest_out);
    }
    parts
}
