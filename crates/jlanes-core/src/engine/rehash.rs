//! Repeated hashing of digests within the lanes: chains, double digests, the outer hash of HMAC,
//! the rounds of PBKDF2.
//!
//! A digest is the first words of a state, and the next block is those words plus constant padding.
//! So a kernel writes its states where the next block's words are.

use super::messages::{OnLanes, with_room};
use crate::{
    compression::{LaneStart, LaneStates, Shape},
    hash::Descriptor,
    kernel::{Advance, AdvanceRuns, Kernels, Run, RunBlocks, RunVectors, RunWords, plan::Input},
    simd::{
        copy::write_words,
        lanes::{Array, ByteOrder, Word},
        runs::Runs,
    },
};

mod block;
mod streams;

pub use block::DigestBlock;

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
    fn is_once(&self) -> bool {
        self.digests.is_none() && self.sum.is_none() && self.rounds == 1 && self.starts.len() == 1
    }

    /// The words of the digest of a lane.
    fn digest(&self, shape: &Shape<W>, lane: usize, state: &mut [W]) {
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
    fn set_digest(&mut self, shape: &Shape<W>, lane: usize, state: &[W]) {
        if let Some((out, size)) = &mut self.out {
            write_words(shape.order, state, &mut out[lane * *size..][..*size]);
        } else if let Some(digests) = &mut self.digests {
            digests.set(lane, state);
        }
    }

    /// Writes the digests of the lanes `first..end` into `rows` of `width` lanes.
    fn digests_into(
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

impl<W: Word> Kernels<W> {
    /// Hashes contiguous digests of `size` bytes once more.
    pub(super) fn rehash_digests(
        &self,
        block: &DigestBlock<W>,
        start: &[W],
        digests: &mut [u8],
        size: usize,
    ) {
        let (starts, live) = (&[LaneStart::Same(start)], digests.len() / size);
        let out = Some((digests, size));
        self.rehash(Rehash { digests: None, block, starts, rounds: 1, sum: None, live, out });
    }

    /// Hashes the digests of all lanes.
    pub fn rehash(&self, mut work: Rehash<'_, W>) {
        let live = work.live;
        self.each(Input::Short, live, false, |kernel, first, end| match &kernel.run {
            Run::Vectors(vectors) => {
                let lanes = OnLanes { shape: self.shape, kernel, vectors };
                for first in (first..end).step_by(kernel.lanes) {
                    on_lanes(lanes, &mut work, first, end.min(first + kernel.lanes));
                }
            }
            Run::Streams(streams) => {
                streams::run(self.shape, (streams, kernel.lanes), &mut work, (first, end));
            }
        });
    }
}

/// Hashes the digests of the lanes `first..end`, at most as many as the kernel has.
fn on_lanes<W: Word>(lanes: OnLanes<'_, W>, work: &mut Rehash<'_, W>, first: usize, end: usize) {
    let (shape, width, live) = (lanes.shape, lanes.kernel.lanes, end - first);
    // states take the place of blocks
    let size = shape.words.max(shape.state) * width;
    with_room(2 * size, &mut |room| {
        let (now, next) = room.split_at_mut(size);
        work.digests_into(shape, (first, end), (&mut *now, width));
        let starts = [0, 1]
            .map(|i| work.starts.get(i).map_or(LaneStart::Own, |start| start.skip_lanes(first)));
        let starts = &starts[..work.starts.len()];
        let done = match lanes.vectors.run {
            RunVectors::Bytes(fused) => {
                rehash_fused(lanes, fused, work, starts, (first, live), [&mut *now, next]);
                &*now
            }
            RunVectors::Words(RunWords { advance, .. }) => {
                rehash(lanes, advance, work, starts, (first, live), [&mut *now, &mut *next])
            }
        };
        if let Some((out, size)) = &mut work.out {
            lanes.digests((done, width), *size, &mut out[first * *size..end * *size]);
        } else if let Some(digests) = &mut work.digests {
            for i in 0..work.block.digest {
                digests.row_mut(i, first)[..live].copy_from_slice(&done[i * width..][..live]);
            }
        }
        crate::wipe::words(room);
    });
}

/// [`on_lanes`] in one call of a fused kernel, which keeps the digests in registers. The second space
/// is for their sum.
fn rehash_fused<W: Word>(
    lanes: OnLanes<'_, W>,
    fused: AdvanceRuns<W>,
    work: &mut Rehash<'_, W>,
    starts: &[LaneStart<'_, W>],
    (first, live): (usize, usize),
    [states, sum]: [&mut [W]; 2],
) {
    let width = lanes.kernel.lanes;
    let sum = &mut sum[..lanes.shape.state * width];
    let runs = Runs::equal(&[]);
    let mut job = RunBlocks {
        again: Some(work.block.again(starts, work.rounds)),
        sum: work.sum.is_some().then_some(&mut *sum),
        ..RunBlocks::new(lanes.shape, &runs, 0)
    };
    fused(LaneStart::Own, states, width, &mut job);
    if let Some(all) = &mut work.sum {
        for i in 0..work.block.digest {
            let all = &mut all.row_mut(i, first)[..live];
            add_words(all, &sum[i * width..]);
        }
    }
}

/// [`on_lanes`] with two blocks in lanes' order: one is read while the other is written. Returns the
/// last one, which begins with the digests.
fn rehash<'r, W: Word>(
    lanes: OnLanes<'_, W>,
    advance: Advance<W>,
    work: &mut Rehash<'_, W>,
    starts: &[LaneStart<'_, W>],
    (first, live): (usize, usize),
    [mut now, mut next]: [&'r mut [W]; 2],
) -> &'r [W] {
    let (shape, width) = (lanes.shape, lanes.kernel.lanes);
    let block = work.block;
    for rows in [&mut *now, &mut *next] {
        for (i, word) in block.words().iter().enumerate().skip(block.digest) {
            rows[i * width..][..width].fill(*word);
        }
    }
    for _ in 0..work.rounds {
        for start in starts {
            block.mend(now, width);
            let words = &now[..shape.words * width];
            advance(shape, *start, next, width, words, 1);
            (now, next) = (next, now);
        }
        if let Some(sum) = &mut work.sum {
            for i in 0..block.digest {
                add_words(&mut sum.row_mut(i, first)[..live], &now[i * width..]);
            }
        }
    }
    now
}

/// Adds words modulo 2, bit by bit.
fn add_words<W: Word>(sum: &mut [W], words: &[W]) {
    for (sum, word) in sum.iter_mut().zip(words) {
        *sum = sum.xor(*word);
    }
}

/// The words of a digest in the lane `lane` of `states`.
pub fn put_digest<W: Word>(
    hash: &Descriptor<W>,
    states: &mut LaneStates<'_, W>,
    lane: usize,
    digest: &[u8],
) {
    put_words(hash.shape.order, states, lane, digest);
}

fn put_words<W: Word>(
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

/// Writes the digest in lane `lane` of `states`.
pub fn get_digest<W: Word>(
    hash: &Descriptor<W>,
    states: &LaneStates<'_, W>,
    lane: usize,
    out: &mut [u8],
) {
    let mut state = W::State::splat(W::default());
    let state = &mut state.as_mut()[..hash.shape.state];
    states.get_into(lane, state);
    (hash.output)(state, out);
}
