//! Repeated hashing of digests within the lanes: chains, double digests, the outer hash of HMAC,
//! the rounds of PBKDF2.
//!
//! A digest is the first words of a state, and the next block is those words plus constant padding.
//! So a kernel writes its states where the next block's words are.

use super::messages::{OnLanes, with_room};
use crate::{
    hash::{
        Descriptor, MAX_BLOCK,
        compression::{LaneBuffer, LaneStates, write_words},
    },
    kernel::{
        Bytes, Kernels, LaneStart, Run, RunBlocks, Shape, Streams, feed::Runs, plan::Input,
        stream::NATIVE,
    },
    simd::lanes::{Array, ByteOrder, Word},
};

mod block;

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
    /// The digests, each the first words of a state; the other words are ignored.
    pub digests: LaneStates<'a, W>,
    /// The block around a digest.
    pub block: &'a DigestBlock<W>,
    /// The starts of the hashes, from [`DigestBlock::starting_at`]: one or two.
    pub starts: &'a [StartStates<W>],
    /// The number of rounds.
    pub rounds: u64,
    /// The exclusive or of the digests of all rounds.
    pub sum: Option<LaneStates<'a, W>>,
    /// Number of lanes.
    pub live: usize,
    /// The destination of the last digests, and the bytes of each.
    pub out: Option<(&'a mut [u8], usize)>,
}

/// The start of a hash.
#[derive(Clone, Copy)]
pub enum StartStates<W: Word> {
    /// The same state in every lane.
    Same(W::State),
    /// A different state in each lane.
    Each(LaneBuffer<W>),
}

impl<W: Word> StartStates<W> {
    /// Overwrites the states, which may come from a key, with the feature `zeroize`.
    pub fn wipe(&mut self) {
        match self {
            Self::Same(state) => crate::wipe::words(state.as_mut()),
            Self::Each(states) => states.wipe(),
        }
    }
}

impl<W: Word> core::fmt::Debug for StartStates<W> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Same(_) => "Same",
            Self::Each(_) => "Each",
        })
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
        let mut same = W::State::splat(W::default());
        same.as_mut()[..start.len()].copy_from_slice(start);
        let starts = &mut [StartStates::Same(same)];
        let mut states = LaneBuffer::new(self.shape);
        for digests in digests.chunks_mut(self.shape.lanes * size) {
            for (l, digest) in digests.chunks_exact(size).enumerate() {
                put_words(self.shape.order, &mut states.states(), l, digest);
            }
            self.rehash(Rehash {
                digests: states.states(),
                block,
                starts,
                rounds: 1,
                sum: None,
                live: digests.len() / size,
                out: Some((digests, size)),
            });
        }
        states.wipe();
        starts.iter_mut().for_each(StartStates::wipe);
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
                for first in (first..end).step_by(kernel.lanes) {
                    on_streams(self.shape, streams, &mut work, first, kernel.lanes);
                }
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
        for i in 0..work.block.digest {
            now[i * width..][..live].copy_from_slice(&work.digests.row(i, first)[..live]);
        }
        let starts = [0, 1].map(|i| match work.starts.get(i) {
            Some(StartStates::Same(state)) => LaneStart::Same(&state.as_ref()[..shape.state]),
            Some(StartStates::Each(states)) => LaneStart::Each(states.rows(first)),
            None => LaneStart::Own,
        });
        let starts = &starts[..work.starts.len()];
        let done = if lanes.fused().is_some() {
            rehash_fused(lanes, work, starts, (first, live), [&mut *now, next]);
            &*now
        } else {
            rehash(lanes, work, starts, (first, live), [&mut *now, &mut *next])
        };
        match &mut work.out {
            Some((out, size)) => {
                lanes.digests((done, width), *size, &mut out[first * *size..end * *size]);
            }
            None => {
                for i in 0..work.block.digest {
                    let to = work.digests.row_mut(i, first);
                    to[..live].copy_from_slice(&done[i * width..][..live]);
                }
            }
        }
        crate::wipe::words(room);
    });
}

/// [`on_lanes`] in one call of a fused kernel, which keeps the digests in registers. The second space
/// is for their sum.
fn rehash_fused<W: Word>(
    lanes: OnLanes<'_, W>,
    work: &mut Rehash<'_, W>,
    starts: &[LaneStart<'_, W>],
    (first, live): (usize, usize),
    [states, sum]: [&mut [W]; 2],
) {
    let (Some(fused), width) = (lanes.fused(), lanes.kernel.lanes) else { return };
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
            (lanes.vectors.advance)(shape, *start, next, width, words, 1);
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

/// The maximum number of streams of a kernel for single blocks.
const STREAMS: usize = 8;

/// Hashes the digests of `count` lanes from `first` on.
fn on_streams<W: Word>(
    shape: &Shape<W>,
    streams: &Streams<W>,
    work: &mut Rehash<'_, W>,
    first: usize,
    count: usize,
) {
    let block = work.block;
    let size = shape.state;
    let mut states = [W::State::splat(W::default()); STREAMS];
    let states = &mut Array::flatten_mut(&mut states)[..count * size];
    let mut blocks = [[0; MAX_BLOCK]; STREAMS];
    for (s, (state, bytes)) in states.chunks_exact_mut(size).zip(&mut blocks).enumerate() {
        work.digests.get_into(first + s, state);
        write_words(NATIVE, block.words(), &mut bytes[..shape.block]);
    }
    for _ in 0..work.rounds {
        for start in work.starts {
            for (s, (state, bytes)) in states.chunks_exact_mut(size).zip(&mut blocks).enumerate() {
                let digest = &mut state[..block.digest];
                if let (Some(kept), [.., last]) = (block.kept, &mut *digest) {
                    *last = last.and(kept).or(block.words()[block.digest - 1]);
                }
                write_words(NATIVE, digest, &mut bytes[..block.digest * W::BYTES]);
                match start {
                    StartStates::Same(start) => state.copy_from_slice(&start.as_ref()[..size]),
                    StartStates::Each(starts) => starts.get_into(first + s, state),
                }
            }
            let runs = blocks.each_ref().map(|bytes| &bytes[..]);
            (streams.advance)(shape, states, &runs[..count], Bytes::Native, 1, &[]);
        }
        if let Some(sum) = &mut work.sum {
            for (s, state) in states.chunks_exact(size).enumerate() {
                for (i, word) in state[..block.digest].iter().enumerate() {
                    let sum = &mut sum.row_mut(i, first + s)[0];
                    *sum = sum.xor(*word);
                }
            }
        }
    }
    for (s, state) in states.chunks_exact(size).enumerate() {
        match &mut work.out {
            Some((out, bytes)) => {
                let out = &mut out[(first + s) * *bytes..][..*bytes];
                write_words(shape.order, state, out);
            }
            None => work.digests.set(first + s, state),
        }
    }
    crate::wipe::words(states);
    blocks.iter_mut().for_each(|bytes| crate::wipe::bytes(bytes));
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
    let words = digest.chunks_exact(W::BYTES);
    let rest = words.remainder();
    let whole = digest.len() / W::BYTES;
    for (i, bytes) in words.enumerate() {
        states.row_mut(i, lane)[0] = W::read(order, bytes);
    }
    if !rest.is_empty() {
        let mut last = [0; size_of::<u64>()];
        last[..rest.len()].copy_from_slice(rest);
        states.row_mut(whole, lane)[0] = W::read(order, &last);
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
