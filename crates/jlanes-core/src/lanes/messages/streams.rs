//! Messages on kernels of streams: read in place, with their ends copied and padded.

use super::{FullHash, LaneWork, MessageEnd, Route, work::PADDED_PER_CALL};
use crate::{
    compression::{
        LaneRange, MAX_BLOCK_BYTES, RunByteOrder, Shape,
        padding::{Padding, copy_and_pad, pad},
    },
    kernel::{MAX_STREAMS, StreamKernel, WholeMessages},
    simd::{
        copy::copy,
        vector::{Array, Word},
        words::{copy_words, write_words},
    },
};

/// Blocks of storage per stream for the ends of messages: two of padding, and one more, because
/// messages with equal numbers of blocks differ by one in whole blocks.
const END_BLOCKS: usize = 3;

/// Performs the work for `lanes`.
pub(super) fn run<W: Word>(
    shape: &Shape<W>,
    streams: &StreamKernel<W>,
    work: &LaneWork<'_, W>,
    route: &mut Route<'_, W>,
    lanes: LaneRange,
) {
    if let (Some(digest), Route::StartToDigests(hash @ FullHash { numbers: None, .. })) =
        (streams.digest, &mut *route)
        && work.blocks_done.is_empty()
    {
        let runner = StreamRunner { shape, streams, lanes };
        // messages have one start only if their padding does not change the state
        let short =
            PADDED_PER_CALL.is_multiple_of(streams.max_streams) && work.blocks <= END_BLOCKS;
        match (work.end, lanes.len()) {
            (None, _) => return runner.digest_whole(work, hash, digest),
            (Some(end @ MessageEnd { padding: Padding::Length, .. }), count) if short => {
                return match count {
                    ..=3 => runner.digest_padded::<3>(work, end, hash, digest),
                    _ => runner.digest_padded::<PADDED_PER_CALL>(work, end, hash, digest),
                };
            }
            _ => {}
        }
    }
    for lanes in lanes.steps(streams.max_streams) {
        let runner = StreamRunner { shape, streams, lanes };
        match lanes.len() {
            1 => runner.run::<1>(work, route),
            2..=4 => runner.run::<4>(work, route),
            _ => runner.run::<MAX_STREAMS>(work, route),
        }
    }
}

/// A kernel of streams, and lanes for it.
#[derive(Clone, Copy)]
struct StreamRunner<'k, W: 'static> {
    shape: &'k Shape<W>,
    streams: &'k StreamKernel<W>,
    lanes: LaneRange,
}

impl<W: Word> StreamRunner<'_, W> {
    #[inline(never)] // keeps its arrays off the caller's stack
    fn run<const S: usize>(self, work: &LaneWork<'_, W>, route: &mut Route<'_, W>) {
        let (shape, first, count) = (self.shape, self.lanes.first, self.lanes.len());
        let mut states = [W::State::splat(W::default()); S];
        let states = &mut Array::flatten_mut(&mut states)[..count * shape.state_words];
        for (s, state) in states.chunks_exact_mut(shape.state_words).enumerate() {
            match route {
                Route::StatesToStates(states) | Route::StatesToDigests { states, .. } => {
                    states.get_into(first + s, state);
                }
                Route::StartToStates { start, .. } => copy_words(state, start),
                Route::StartToDigests(FullHash { start, numbers, .. }) => {
                    copy_words(state, start);
                    if let Some(numbers) = numbers {
                        state[numbers.word..][..2].copy_from_slice(&numbers.words(first + s));
                    }
                }
            }
        }
        let mut runs: [&[u8]; S] = [&[]; S];
        // without an end, no block waits for more bytes
        let padding = work.end.map_or(Padding::Length, |end| end.padding);
        let mut whole_blocks = work.blocks;
        for (s, run) in runs[..count].iter_mut().enumerate() {
            *run = work.rest(shape, first + s).0;
            whole_blocks = whole_blocks.min(padding.whole_blocks(shape.block_bytes, run.len()));
        }
        // A second call costs more than copying everything. But the end must not change the state
        // before the last block.
        if whole_blocks < work.blocks && work.blocks <= END_BLOCKS && padding.held_back() == 0 {
            whole_blocks = 0;
        }
        let shared = if whole_blocks == work.blocks { work.shared } else { &[] };
        if whole_blocks > 0 || !shared.is_empty() {
            self.advance(states, &runs[..count], whole_blocks, shared);
        }
        if whole_blocks < work.blocks {
            self.advance_ends::<S>(work, whole_blocks, states);
        }
        for (s, state) in states.chunks_exact(shape.state_words).enumerate() {
            match route {
                Route::StatesToStates(states) | Route::StartToStates { states, .. } => {
                    states.set(first + s, state);
                }
                Route::StatesToDigests { digests, .. }
                | Route::StartToDigests(FullHash { digests, .. }) => {
                    write_words(shape.order, state, digests.lane(first + s));
                }
            }
        }
    }

    /// Hashes messages of whole blocks, read in place.
    fn digest_whole(
        self,
        work: &LaneWork<'_, W>,
        hash: &mut FullHash<'_, W>,
        digest: fn(WholeMessages<'_, '_, W>),
    ) {
        let messages = &work.messages[self.lanes.first..self.lanes.end];
        digest_all(work, hash, digest, self.lanes, messages);
    }

    /// Pads up to `S` messages at a time, which are then whole. Messages of one length have one padding, which
    /// stays.
    #[inline(never)] // keeps its arrays off the caller's stack
    fn digest_padded<const S: usize>(
        self,
        work: &LaneWork<'_, W>,
        MessageEnd { before, all_end, .. }: MessageEnd,
        hash: &mut FullHash<'_, W>,
        digest: fn(WholeMessages<'_, '_, W>),
    ) {
        let (shape, LaneRange { first, end }) = (self.shape, self.lanes);
        let bytes = work.blocks * shape.block_bytes;
        let mut room = [W::EndBlocks::splat(0); S];
        let len = work.messages[first].len();
        let equal = work.equal_lengths
            || work.messages[first..end].iter().all(|message| message.len() == len);
        if equal {
            let rest = work.rest(shape, first);
            let blocks = &mut room[0].as_mut()[..bytes];
            copy_end(shape, work, first, rest, work.blocks, &mut [], blocks);
            let padded = room[0];
            room[..S.min(self.lanes.len())].fill(padded);
        }
        for lanes in self.lanes.steps(S) {
            let mut runs: [&[u8]; S] = [&[]; S];
            for (l, (run, room)) in (lanes.first..lanes.end).zip(runs.iter_mut().zip(&mut room)) {
                let (room, message) = (&mut room.as_mut()[..bytes], work.messages[l]);
                if equal {
                    copy(room, &message[..message.len().min(bytes)]);
                } else if all_end {
                    copy_and_pad(shape, message, before, room);
                } else {
                    room.fill(0);
                    copy_end(shape, work, l, work.rest(shape, l), work.blocks, &mut [], room);
                }
                *run = room;
            }
            digest_all(work, hash, digest, lanes, &runs[..lanes.len()]);
        }
    }

    fn advance(self, states: &mut [W], runs: &[&[u8]], blocks: usize, shared: &[W]) {
        (self.streams.advance)(self.shape, states, runs, RunByteOrder::Message, blocks, shared);
    }

    /// Hashes the rest after the first `whole_blocks` blocks, which were whole in every message.
    fn advance_ends<const S: usize>(
        self,
        work: &LaneWork<'_, W>,
        whole_blocks: usize,
        states: &mut [W],
    ) {
        let (shape, first, count) = (self.shape, self.lanes.first, self.lanes.len());
        let mut blocks = [W::EndBlocks::splat(0); S];
        let left = work.blocks - whole_blocks;
        for (s, state) in states.chunks_exact_mut(shape.state_words).enumerate() {
            let (run, pad) = work.rest(shape, first + s);
            let run = run.get(whole_blocks * shape.block_bytes..).unwrap_or(&[]);
            copy_end(shape, work, first + s, (run, pad), left, state, blocks[s].as_mut());
        }
        let mut runs: [&[u8]; S] = [&[]; S];
        for (run, blocks) in runs.iter_mut().zip(&blocks) {
            *run = blocks.as_ref();
        }
        self.advance(states, &runs[..count], left, work.shared);
    }
}

/// Hashes `messages` of whole blocks, which are those of `lanes`.
fn digest_all<W: Word>(
    work: &LaneWork<'_, W>,
    hash: &mut FullHash<'_, W>,
    digest: fn(WholeMessages<'_, '_, W>),
    lanes: LaneRange,
    messages: &[&[u8]],
) {
    let LaneWork { blocks, shared, .. } = *work;
    let digests = hash.digests.of_lanes(lanes);
    digest(WholeMessages { messages, start: hash.start, blocks, shared, digests });
}

/// Writes the last `count` blocks of lane `lane`'s share into `blocks` and prepares its state if
/// its message ends with them; `run` is the rest of its message.
fn copy_end<W: Word>(
    shape: &Shape<W>,
    work: &LaneWork<'_, W>,
    lane: usize,
    (run, byte): (&[u8], u8),
    count: usize,
    state: &mut [W],
    blocks: &mut [u8],
) {
    let Some(MessageEnd { padding, before, .. }) = work.end else { return };
    let room = count * shape.block_bytes;
    let bytes = run.len().min(room);
    copy(blocks, &run[..bytes]);
    if bytes < room {
        blocks[bytes] = byte;
    }
    let len = work.messages[lane].len();
    let skip = work.blocks_done.get(lane).copied().unwrap_or(0);
    let all = padding.blocks(shape.block_bytes, W::BYTES, len);
    if skip + work.blocks < all {
        return;
    }
    // repeat from the start of the last one or two blocks, with the end
    let whole = padding.whole_blocks(shape.block_bytes, len);
    let (own, tail, total) =
        ((all - whole) * shape.block_bytes, len - whole * shape.block_bytes, before + len as u128);
    if let Some(at) = room.checked_sub(own) {
        pad(shape, padding, state, tail, total, &mut blocks[at..]);
    } else {
        // an earlier run included the padding byte: only the last block is left
        let mut two = [0; 2 * MAX_BLOCK_BYTES];
        pad(shape, padding, state, tail, total, &mut two);
        blocks[..room].copy_from_slice(&two[own - room..own]);
    }
}
