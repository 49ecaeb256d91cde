//! Digests that are hashed again on kernels of a few streams.
//!
//! There are three ways. Digests that are hashed once from one start are whole messages with their padding, and
//! a kernel that takes such messages writes the new digests itself. A kernel with a rehash of its own keeps digests
//! in registers for all rounds. With others, digests go through a block in memory in each round, and several calls
//! take turns, because a hash cannot begin before the one that it hashes again has ended.

use super::{
    block::DigestBlock,
    work::{RehashDigests, RehashWork, xor_words},
};
use crate::{
    compression::{ContiguousDigests, LaneRange, LaneStart, MAX_BLOCK_BYTES, RunByteOrder, Shape},
    kernel::{MAX_GROUPS, StreamKernel, WholeMessages},
    lanes::messages::work::PADDED_PER_CALL,
    simd::{
        copy::copy,
        vector::{Array, ByteOrder, Word},
        words::copy_words,
    },
};

/// Hashes the digests of `lanes`, `width` at a time.
pub(super) fn run<W: Word>(
    shape: &Shape<W>,
    (streams, width): (&StreamKernel<W>, usize),
    work: &mut RehashWork<'_, W>,
    lanes: LaneRange,
) {
    let block = work.block;
    if let (Some(digest), [LaneStart::Same(start)]) = (streams.digest, work.starts)
        && PADDED_PER_CALL.is_multiple_of(width)
        && let Some(bytes) = work.bytes_once()
    {
        let digests = bytes.of_lanes(lanes);
        let rehash = SingleRehash { shape, digest, block, start };
        return match lanes.len() {
            1 => rehash.run::<1>(digests),
            2..=3 => rehash.run::<3>(digests),
            _ => rehash.run::<PADDED_PER_CALL>(digests),
        };
    }
    // the rounds of some streams fill the gaps between those of others
    let groups = if streams.rehash.is_some() {
        MAX_GROUPS.min(MAX_STREAMS_TOGETHER / width)
    } else {
        MAX_STREAMS_TOGETHER / width
    };
    let together = if work.rounds > 1 { lanes.len().min(groups * width) } else { width };
    let rehasher = StreamRehasher { shape, streams, width, together };
    match together {
        1 => rehasher.run_with_storage::<1>(work, lanes),
        2..=3 => rehasher.run_with_storage::<3>(work, lanes),
        _ => rehasher.run_with_storage::<MAX_STREAMS_TOGETHER>(work, lanes),
    }
}

/// The maximum number of streams that take turns.
const MAX_STREAMS_TOGETHER: usize = 8;

/// Digests that are hashed once from one start: with its padding, each is a whole message.
#[derive(Clone, Copy)]
struct SingleRehash<'k, W: Word> {
    shape: &'k Shape<W>,
    digest: fn(WholeMessages<'_, '_, W>),
    block: &'k DigestBlock<W>,
    start: &'k [W],
}

impl<W: Word> SingleRehash<'_, W> {
    /// Hashes contiguous digests, `S` at a time.
    fn run<const S: usize>(self, digests: ContiguousDigests<'_>) {
        let (Self { shape, digest, block, start }, ContiguousDigests { bytes, size }) =
            (self, digests);
        let mut blocks = [block.bytes(shape.order); S];
        for digests in bytes.chunks_mut(S * size) {
            for (block, digest) in blocks.iter_mut().zip(digests.chunks_exact(size)) {
                copy(block, digest);
            }
            let messages = blocks.each_ref().map(|bytes| &bytes[..shape.block_bytes]);
            let messages = &messages[..digests.len() / size];
            let digests = ContiguousDigests { bytes: digests, size };
            digest(WholeMessages { messages, start, blocks: 1, shared: &[], digests });
        }
        blocks.iter_mut().for_each(|block| crate::wipe::bytes(block));
    }
}

/// A kernel of streams, and how many of them take turns.
#[derive(Clone, Copy)]
struct StreamRehasher<'k, W: 'static> {
    shape: &'k Shape<W>,
    streams: &'k StreamKernel<W>,
    /// The number of streams of the kernel.
    width: usize,
    /// The number of streams that take turns, a multiple of `width`.
    together: usize,
}

/// Storage for the streams that take turns.
struct StreamStorage<'r, W> {
    states: &'r mut [W],
    blocks: &'r mut [[u8; MAX_BLOCK_BYTES]],
    /// Whether the blocks are in message byte order, because digests are bytes and hashed only once.
    once: bool,
    /// The states from which the two hashes of a round start, if they differ between streams or the kernel
    /// keeps digests in registers.
    starts: [&'r mut [W]; 2],
    xor_sum: &'r mut [W],
}

impl<W: Word> StreamRehasher<'_, W> {
    /// Runs with storage for `S` streams; no more than needed, because it is cleared each time.
    fn run_with_storage<const S: usize>(self, work: &mut RehashWork<'_, W>, lanes: LaneRange) {
        // bytes that are hashed only once keep their order
        let once = self.streams.rehash.is_none() && work.bytes_once().is_some();
        let order = if once { self.shape.order } else { ByteOrder::NATIVE };
        let words = [W::State::splat(W::default()); S];
        let (mut states, blocks) = (words, &mut [work.block.bytes(order); S]);
        let states = Array::flatten_mut(&mut states);
        let differs = |start: &LaneStart<'_, W>| matches!(start, LaneStart::Each(_));
        if self.streams.rehash.is_some()
            || work.xor_sum.is_some()
            || work.starts.iter().any(differs)
        {
            let mut more = [words; 3];
            let [first, second, xor_sum] = more.each_mut().map(|words| Array::flatten_mut(words));
            self.run(
                work,
                lanes,
                StreamStorage { states, blocks, once, starts: [first, second], xor_sum },
            );
        } else {
            let (starts, xor_sum) = ([&mut [] as &mut [W], &mut []], &mut [] as &mut [W]);
            self.run(work, lanes, StreamStorage { states, blocks, once, starts, xor_sum });
        }
    }

    fn run(
        self,
        work: &mut RehashWork<'_, W>,
        lanes: LaneRange,
        mut storage: StreamStorage<'_, W>,
    ) {
        let Self { shape, together, .. } = self;
        let size = shape.state_words;
        for lanes in lanes.steps(together) {
            let live = lanes.len();
            self.load(work, lanes, &mut storage);
            if let Some(rehash) = self.streams.rehash {
                let words = live * size;
                let starts = storage.starts.each_ref().map(|starts| &starts[..words]);
                let starts = &starts[..work.starts.len()];
                let block = work.block.rehash_rounds(work.starts, work.rounds);
                let xor_sum = work.xor_sum.is_some().then_some(&mut storage.xor_sum[..words]);
                rehash(&mut storage.states[..words], starts, &block, xor_sum);
            } else {
                self.run_rounds(work, live, &mut storage);
            }
            self.store(work, lanes, &storage);
        }
        let StreamStorage { states, starts: [first, second], xor_sum, .. } = storage;
        [states, first, second, xor_sum].into_iter().for_each(crate::wipe::words);
        storage.blocks.iter_mut().for_each(|bytes| crate::wipe::bytes(bytes));
    }

    /// Performs all rounds for `live` streams.
    fn run_rounds(self, work: &RehashWork<'_, W>, live: usize, storage: &mut StreamStorage<'_, W>) {
        let size = self.shape.state_words;
        for _ in 0..work.rounds {
            for number in 0..work.starts.len() {
                for at in (0..live).step_by(self.width) {
                    self.hash(work, number, at, storage);
                }
            }
            if work.xor_sum.is_some() {
                for s in 0..live {
                    let xor_sum = &mut storage.xor_sum[s * size..][..work.block.digest_words];
                    xor_words(xor_sum, &storage.states[s * size..]);
                }
            }
        }
    }

    /// Hashes the digests of the streams from `at` on, from the start with this number.
    #[inline(always)]
    fn hash(
        self,
        work: &RehashWork<'_, W>,
        number: usize,
        at: usize,
        storage: &mut StreamStorage<'_, W>,
    ) {
        let Self { shape, streams, width, .. } = self;
        let (size, block) = (shape.state_words, work.block);
        for s in at..at + width {
            let state = &mut storage.states[s * size..][..size];
            if !storage.once {
                block.write(&mut state[..block.digest_words], &mut storage.blocks[s]);
            }
            let start = match work.starts[number] {
                LaneStart::Same(start) => start,
                _ => &storage.starts[number][s * size..],
            };
            copy_words(state, &start[..size]);
        }
        let mut runs = [&[] as &[u8]; MAX_STREAMS_TOGETHER];
        for (run, bytes) in runs.iter_mut().zip(&storage.blocks[at..at + width]) {
            *run = bytes;
        }
        let states = &mut storage.states[at * size..][..width * size];
        let order = if storage.once { RunByteOrder::Message } else { RunByteOrder::Native };
        (streams.advance)(shape, states, &runs[..width], order, 1, &[]);
    }

    /// Loads the digests, starts and exclusive ors of `lanes`. Digests that are hashed only once go straight into
    /// their blocks.
    fn load(self, work: &RehashWork<'_, W>, lanes: LaneRange, storage: &mut StreamStorage<'_, W>) {
        let (shape, size) = (self.shape, self.shape.state_words);
        for s in 0..lanes.len() {
            let (lane, at) = (lanes.first + s, s * size);
            let state = &mut storage.states[at..][..size];
            match &work.digests {
                RehashDigests::Bytes(ContiguousDigests { bytes, size }) if storage.once => {
                    copy(&mut storage.blocks[s], &bytes[lane * size..][..*size]);
                }
                _ => work.digest(shape, lane, state),
            }
            for (start, own) in work.starts.iter().zip(&mut storage.starts) {
                if !own.is_empty() {
                    start.get_into(lane, &mut own[at..][..size]);
                }
            }
            if work.xor_sum.is_some() {
                storage.xor_sum[at..][..size].fill(W::default());
            }
        }
    }

    /// Stores the digests of `lanes`, and their exclusive ors.
    fn store(self, work: &mut RehashWork<'_, W>, lanes: LaneRange, storage: &StreamStorage<'_, W>) {
        let (shape, size) = (self.shape, self.shape.state_words);
        for s in 0..lanes.len() {
            let (lane, at) = (lanes.first + s, s * size);
            let state = &storage.states[at..][..size];
            work.set_digest(shape, lane, state);
            if let Some(xor_sum) = &mut work.xor_sum {
                for (i, word) in storage.xor_sum[at..][..work.block.digest_words].iter().enumerate()
                {
                    xor_words(&mut xor_sum.row_mut(i, lane)[..1], &[*word]);
                }
            }
        }
    }
}
