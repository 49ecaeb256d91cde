//! [`RehashWork`], the description of repeated hashing of digests in lanes.

use super::block::DigestBlock;
use crate::{
    compression::{ContiguousDigests, LaneRange, LaneStart, LaneStates, Shape},
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
///                     xor_sum = xor_sum ^ digest, if wanted
///                 write the digest, or keep it
/// ```
#[derive(Debug)]
pub struct RehashWork<'a, W: Word> {
    /// The digests.
    pub digests: RehashDigests<'a, W>,
    /// The block around a digest.
    pub block: &'a DigestBlock<W>,
    /// The starts of the hashes, adjusted by [`DigestBlock::prepare_start`]: one or two, which are the
    /// same state in every lane, or one for each.
    pub starts: &'a [LaneStart<'a, W>],
    /// The number of rounds.
    pub rounds: u64,
    /// The exclusive or of the digests of all rounds.
    pub xor_sum: Option<LaneStates<'a, W>>,
    /// The number of lanes in use, from the first on.
    pub live: usize,
}

/// The digests that are hashed, and the destination of the last ones.
#[derive(Debug)]
pub enum RehashDigests<'a, W> {
    /// Bytes, which the last digests replace.
    Bytes(ContiguousDigests<'a>),
    /// The first words of states, which the last digests replace. The other words are ignored.
    States(LaneStates<'a, W>),
    /// The first words of states. The last digests become bytes.
    StatesToBytes(LaneStates<'a, W>, ContiguousDigests<'a>),
}

impl<'a, W: Word> RehashWork<'a, W> {
    /// The digests, if they are bytes and hashed only once: then they need not become words.
    pub(super) fn bytes_once(&mut self) -> Option<&mut ContiguousDigests<'a>> {
        match &mut self.digests {
            RehashDigests::Bytes(bytes)
                if self.xor_sum.is_none() && self.rounds == 1 && self.starts.len() == 1 =>
            {
                Some(bytes)
            }
            RehashDigests::Bytes(_)
            | RehashDigests::States(_)
            | RehashDigests::StatesToBytes(..) => None,
        }
    }

    /// Copies the words of a lane's digest to `state`.
    pub(super) fn digest(&self, shape: &Shape<W>, lane: usize, state: &mut [W]) {
        match &self.digests {
            RehashDigests::States(states) | RehashDigests::StatesToBytes(states, _) => {
                states.get_into(lane, state);
            }
            RehashDigests::Bytes(ContiguousDigests { bytes, size }) => {
                let digest = &bytes[lane * size..][..*size];
                read_digest(shape.order, digest, |i, word| state[i] = word);
            }
        }
    }

    /// Writes the words in `state` to the place of a lane's last digest.
    pub(super) fn set_digest(&mut self, shape: &Shape<W>, lane: usize, state: &[W]) {
        match &mut self.digests {
            RehashDigests::Bytes(bytes) | RehashDigests::StatesToBytes(_, bytes) => {
                write_words(shape.order, state, bytes.lane(lane));
            }
            RehashDigests::States(states) => states.set(lane, state),
        }
    }

    /// Writes the digests of `lanes` into `states`, from its first lane on.
    pub(super) fn digests_into(
        &self,
        shape: &Shape<W>,
        lanes: LaneRange,
        states: &mut LaneStates<'_, W>,
    ) {
        match &self.digests {
            RehashDigests::States(digests) | RehashDigests::StatesToBytes(digests, _) => {
                for i in 0..self.block.digest_words {
                    let row = &digests.row(i, lanes.first)[..lanes.len()];
                    states.row_mut(i, 0)[..row.len()].copy_from_slice(row);
                }
            }
            RehashDigests::Bytes(ContiguousDigests { bytes, size }) => {
                let digests = &bytes[lanes.first * size..lanes.end * size];
                for (l, digest) in digests.chunks_exact(*size).enumerate() {
                    put_words(shape.order, states, l, digest);
                }
            }
        }
    }
}

/// Xors `words` into `xor_sum`.
pub(super) fn xor_words<W: Word>(xor_sum: &mut [W], words: &[W]) {
    for (to, word) in xor_sum.iter_mut().zip(words) {
        *to = to.xor(*word);
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
