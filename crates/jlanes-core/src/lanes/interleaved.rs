//! One message in many lanes: word `i` belongs to lane `i mod lanes`.

use super::messages::vectors::{VectorRunner, with_storage};
use crate::{
    compression::{LaneRange, LaneStart, LaneStates, MAX_LANES, RunByteOrder, Shape},
    kernel::{
        BlockInput, FusedWork, InterleavedRows, KernelCode, Kernels, MAX_COPIED_STREAMS,
        StreamKernel, VectorKernelCode, feed::Interleaved, plan::InputKind,
    },
    simd::{
        runs::Runs,
        vector::{Array, Word},
    },
};

/// Lanes that advance by the blocks of one message and then by a shared block.
#[derive(Debug)]
pub struct InterleavedLanes<'a, W> {
    /// The lanes' states.
    pub states: LaneStates<'a, W>,
    /// The message.
    pub rows: Interleaved<'a>,
    /// The number of lanes in use, from the first on.
    pub live: usize,
    /// Blocks per lane.
    pub blocks: usize,
    /// The shared last block; may be empty.
    pub shared: &'a [W],
}

/// The bytes of a piece that several kernels read one after the other: few enough for any second-level cache.
const MAX_PIECE_BYTES: usize = 128 << 10;

/// The maximum number of bytes of a block in all lanes of a kernel.
const MAX_SUPER_BLOCK_BYTES: usize = 2 << 10;

/// More bytes than a second-level cache holds.
const MIN_UNCACHED_BYTES: usize = 1 << 20;

impl<W: Word> InterleavedLanes<'_, W> {
    /// Advances all lanes. More lanes than a kernel has read the same rows several times, so they
    /// advance piece by piece: otherwise each group of lanes would read a large message from memory.
    #[inline(never)]
    pub(crate) fn run(mut self, kernels: &Kernels<W>) {
        let InterleavedLanes { rows, live, blocks, .. } = self;
        let kernel = kernels.kernel(InputKind::Interleaved, live);
        let at_once = match &kernel.code {
            KernelCode::Vectors(_) => kernel.lanes,
            KernelCode::Streams(streams) => streams.max_streams,
        };
        let size = rows.lanes * kernels.shape.block_bytes;
        let most = if live > at_once { (MAX_PIECE_BYTES / size).max(1) } else { usize::MAX };
        let mut done = 0;
        loop {
            let count = most.min(blocks - done);
            let rows = Interleaved { data: &rows.data[done * size..], ..rows };
            done += count;
            let shared = if done == blocks { self.shared } else { &[] };
            let states = self.states.reborrow();
            let piece = InterleavedLanes { states, rows, live, blocks: count, shared };
            advance_piece(kernels, piece);
            if done == blocks {
                break;
            }
        }
    }
}

/// Advances all lanes, kernel by kernel.
fn advance_piece<W: Word>(kernels: &Kernels<W>, mut work: InterleavedLanes<'_, W>) {
    let (shape, live) = (kernels.shape, work.live);
    kernels.for_each_kernel(InputKind::Interleaved, live, false, |kernel, lanes| {
        match &kernel.code {
            KernelCode::Vectors(vectors) => {
                let runner = VectorRunner { shape, kernel, vectors };
                with_storage(runner.super_block_words(), &mut |words| {
                    for group in lanes.steps(kernel.lanes) {
                        advance_group(runner, &mut work, group.first, words);
                    }
                });
            }
            KernelCode::Streams(streams) => {
                for lanes in lanes.steps(streams.max_streams) {
                    advance_streams(shape, streams, &mut work, lanes);
                }
            }
        }
    });
}

/// Advances the lanes from `first` on, as many as the kernel has. A vector wider than the rest of a
/// row also reads the start of the next row, into lanes that are ignored. Super-blocks at the end
/// of the data, which that would exceed, are copied first.
fn advance_group<W: Word>(
    runner: VectorRunner<'_, W>,
    work: &mut InterleavedLanes<'_, W>,
    first: usize,
    words: &mut [W],
) {
    let VectorRunner { shape, kernel, vectors } = runner;
    let (rows, width, feed) = (work.rows, kernel.lanes, vectors.feed);
    let direct = rows.readable::<W>(shape.block_words, first + width).min(work.blocks);
    let prefetch = vectors.prefetch || rows.data.len() > MIN_UNCACHED_BYTES;
    let (size, row_stride) = (shape.block_words * width, rows.lanes * W::BYTES);
    let read = LaneRange { first, end: first + width };
    let stride = work.states.stride();
    let states = work.states.skip_lanes(first);
    match vectors.code {
        VectorKernelCode::Fed(kernel) => {
            for b in 0..work.blocks {
                let words = &mut words[..size];
                if b < direct {
                    for lane in (0..width).step_by(feed.lanes) {
                        let at = b * shape.block_words * row_stride + (first + lane) * W::BYTES;
                        let out = &mut words[lane..];
                        let data = &rows.data[at..];
                        let layout = runner.block_layout();
                        (feed.interleaved)(layout, data, row_stride, prefetch, out, width);
                    }
                } else {
                    rows.copy(runner.block_layout(), b, read, words, width);
                }
                (kernel.advance)(shape, LaneStart::Own, states, stride, words, 1);
            }
        }
        VectorKernelCode::Fused(advance) => {
            let mut advance = |rows: InterleavedRows<'_>, blocks: usize| {
                let runs = Runs::new(&[&[] as &[u8]; MAX_LANES][..width]);
                let input = BlockInput { rows: Some(rows), ..BlockInput::whole(&runs, blocks) };
                advance(LaneStart::Own, states, stride, &mut FusedWork::new(shape, input));
            };
            if direct > 0 {
                let data = &rows.data[first * W::BYTES..];
                advance(InterleavedRows { data, row_stride, prefetch }, direct);
            }
            if direct < work.blocks {
                let row_stride = width * W::BYTES;
                let copy = &mut [0; MAX_SUPER_BLOCK_BYTES][..shape.block_words * row_stride];
                for b in direct..work.blocks {
                    rows.copy_rows::<W>(shape.block_words, b, read, copy);
                    advance(InterleavedRows { data: copy, row_stride, prefetch: false }, 1);
                }
            }
        }
    }
    runner.advance_shared(work.shared, LaneStates::new(states, stride), words);
}

/// Bytes of each stream that are copied at a time, for kernels that need them contiguous.
const COPIED_BYTES: usize = 1024;

/// Advances `lanes`, at most as many as the kernel has streams.
fn advance_streams<W: Word>(
    shape: &Shape<W>,
    streams: &StreamKernel<W>,
    work: &mut InterleavedLanes<'_, W>,
    lanes: LaneRange,
) {
    let (first, count) = (lanes.first, lanes.len());
    let mut states = [W::State::splat(W::default()); crate::kernel::MAX_STREAMS];
    let states = &mut Array::flatten_mut(&mut states)[..count * shape.state_words];
    for (s, state) in states.chunks_exact_mut(shape.state_words).enumerate() {
        work.states.get_into(first + s, state);
    }
    let data = &work.rows.data[first * W::BYTES..];
    let rows = Interleaved { data, ..work.rows };
    if let Some(advance) = streams.interleaved {
        advance(states, rows, work.blocks, work.shared);
    } else {
        let mut runs = [[0; COPIED_BYTES]; MAX_COPIED_STREAMS];
        let most = COPIED_BYTES / shape.block_bytes;
        let mut b = 0;
        loop {
            let blocks = most.min(work.blocks - b);
            for (s, run) in runs[..count].iter_mut().enumerate() {
                let run = &mut run[..blocks * shape.block_bytes];
                rows.copy_lane::<W>(shape.block_words, b, s, run);
            }
            b += blocks;
            let shared = if b == work.blocks { work.shared } else { &[] };
            let runs = runs.each_ref().map(|run| &run[..]);
            (streams.advance)(shape, states, &runs[..count], RunByteOrder::Message, blocks, shared);
            if b == work.blocks {
                break;
            }
        }
    }
    for (s, state) in states.chunks_exact(shape.state_words).enumerate() {
        work.states.set(first + s, state);
    }
}
