//! Digests that are hashed again, as the work for kernels.

use super::block::DigestBlock;
use crate::{
    compression::{LaneStart, LaneStates, Shape},
    simd::{
        vector::{ByteOrder, Word},
        words::write_words,
    },
};

/// Digests that are hashed `rounds` times, each time from all starts in turn.
///
/// ```text
/// for each lane:  repeat `rounds` times:
///                     for each of `starts`:  digest = compress(start, digest || padding)
///                     sum = sum ^ digest, if there is a sum
///                 write the digest, or keep it
/// ```
#[derive(Debug)]
pub struct Rehash<'a, W: Word> {
    /// The digests, each the first words of a state; the other words are ignored. If `None`, they are
    /// in `out`.
    pub digests: Option<LaneStates<'a, W>>,
    /// The block around a digest.
    pub block: &'a DigestBlock<W>,
    /// The starts of the hashes, adjusted by [`DigestBlock::finish_start`]: one or two, which are the
    /// same state in every lane, or one for each.
    pub starts: &'a [LaneStart<'a, W>],
    /// The number of rounds.
    pub rounds: u64,
    /// The exclusive or of the digests of all rounds.
    pub sum: Option<LaneStates<'a, W>>,
    /// Number of lanes.
    pub live: usize,
    /// The destination of the last digests, contiguous, and the bytes of each. If `None`, they stay in
    /// `digests`.
    pub out: Option<(&'a mut [u8], usize)>,
}

impl<W: Word> Rehash<'_, W> {
    /// Whether contiguous digests are hashed only once, so that they stay bytes.
    pub(super) fn is_once(&self) -> bool {
        self.digests.is_none() && self.sum.is_none() && self.rounds == 1 && self.starts.len() == 1
    }

    /// The words of the digest of a lane.
    pub(super) fn digest(&self, shape: &Shape<W>, lane: usize, state: &mut [W]) {
        match (&self.digests, &self.out) {
            (Some(digests), _) => digests.get_into(lane, state),
            (None, Some((out, size))) => {
                let digest = &out[lane * size..][..*size];
                read_digest(shape.order, digest, |i, word| state[i] = word);
            }
            (None, None) => {}
        }
    }

    /// Replaces the digest of a lane.
    pub(super) fn set_digest(&mut self, shape: &Shape<W>, lane: usize, state: &[W]) {
        if let Some((out, size)) = &mut self.out {
            write_words(shape.order, state, &mut out[lane * *size..][..*size]);
        } else if let Some(digests) = &mut self.digests {
            digests.set(lane, state);
        }
    }

    /// Writes the digests of the lanes `first..end` into `rows` of `width` lanes.
    pub(super) fn digests_into(
        &self,
        shape: &Shape<W>,
        (first, end): (usize, usize),
        (rows, width): (&mut [W], usize),
    ) {
        if let Some(digests) = &self.digests {
            for i in 0..self.block.digest {
                let row = &digests.row(i, first)[..end - first];
                rows[i * width..][..row.len()].copy_from_slice(row);
            }
        } else if let Some((out, size)) = &self.out {
            let mut states = LaneStates::new(rows, width);
            for (l, digest) in out[first * size..end * size].chunks_exact(*size).enumerate() {
                put_words(shape.order, &mut states, l, digest);
            }
        }
    }
}

/// Adds words modulo 2, bit by bit.
pub(super) fn add_words<W: Word>(sum: &mut [W], words: &[W]) {
    for (sum, word) in sum.iter_mut().zip(words) {
        *sum = sum.xor(*word);
    }
}

pub(super) fn put_words<W: Word>(
    order: ByteOrder,
    states: &mut LaneStates<'_, W>,
    lane: usize,
    digest: &[u8],
) {
    read_digest(order, digest, |i, word| states.row_mut(i, lane)[0] = word);
}

/// Calls `put` with each word of a digest, and its place.
#[inline(always)]
fn read_digest<W: Word>(order: ByteOrder, digest: &[u8], mut put: impl FnMut(usize, W)) {
    let words = digest.chunks_exact(W::BYTES);
    let rest = words.remainder();
    let whole = digest.len() / W::BYTES;
    for (i, bytes) in words.enumerate() {
        put(i, W::read(order, bytes));
    }
    if !rest.is_empty() {
        let mut last = [0; size_of::<u64>()];
        last[..rest.len()].copy_from_slice(rest);
        put(whole, W::read(order, &last));
    }
}
