//! Blocks of messages on their way to a kernel of vectors: through a feed, block by block, or all at once if
//! the kernel is fused with its feed.

use super::{
    LaneWork,
    ends::{self, finish_block},
    vectors::{VectorRunner, fill_rows},
};
use crate::{
    compression::{
        ContiguousDigests, Ending, LaneRange, LaneStart, LaneStates, MAX_LANES, Shape,
        padding::div_rem,
    },
    kernel::{
        BlockInput, FedKernel, FusedEnding, FusedOutput, FusedWork, PREFETCHED_BLOCKS,
        RehashRounds, VectorKernelCode, feed::BlockLayout,
    },
    simd::{runs::Runs, vector::Word},
};

/// Groups of adjacent lanes that a kernel advances in one call: several of a fused kernel, otherwise one.
#[derive(Clone, Copy)]
pub(super) struct LaneGroups<'a, W> {
    /// The lanes.
    pub(super) lanes: LaneRange,
    /// The end of the lanes of the last call. The first messages of the next one are prefetched.
    pub(super) last_end: usize,
    /// The states at which the lanes start.
    pub(super) from: LaneStart<'a, W>,
    /// The number of the first message, if they have numbers and the kernel is fused.
    pub(super) first_number: Option<u64>,
    /// The outer hash, by a fused kernel.
    pub(super) rehash: Option<RehashRounds<'a, W>>,
}

impl<'a, W> LaneGroups<'a, W> {
    /// One group, without what only fused kernels do.
    pub(super) fn one(lanes: LaneRange, last_end: usize, from: LaneStart<'a, W>) -> Self {
        Self { lanes, last_end, from, first_number: None, rehash: None }
    }

    /// The messages of the next group of `width` lanes.
    fn next<'m, 'd>(&self, messages: &'m [&'d [u8]], width: usize) -> &'m [&'d [u8]] {
        &messages[self.lanes.end..self.last_end.min(self.lanes.end + width)]
    }
}

impl<W: Word> VectorRunner<'_, W> {
    /// Advances `groups` by their blocks of messages. A fused kernel goes on to `digests`, if any.
    pub(super) fn advance_messages(
        self,
        work: &LaneWork<'_, W>,
        groups: LaneGroups<'_, W>,
        digests: Option<ContiguousDigests<'_>>,
        mut states: LaneStates<'_, W>,
        words: &mut [W],
    ) {
        let (shape, width) = (self.shape, self.kernel.lanes);
        let LaneRange { first, end: stop } = groups.lanes;
        let live = groups.lanes.len();
        let mut pads = [work.pad(); MAX_LANES];
        let mut rests;
        let runs = if live < width || !work.blocks_done.is_empty() {
            rests = [&[] as &[u8]; MAX_LANES];
            for l in 0..live {
                (rests[l], pads[l]) = work.rest(shape, first + l);
            }
            // lanes without a message repeat the message of lane 0
            let idle = rests[0];
            rests[live..width].fill(idle);
            &rests[..width]
        } else {
            &work.messages[first..stop]
        };
        let runs = Runs::new(runs);
        let whole_blocks = work.blocks.min(div_rem(runs.shortest(), shape.block_bytes).0);
        let alike = work.blocks_done.is_empty() && runs.have_equal_lengths();
        let input = BlockInput {
            runs: &runs,
            rows: None,
            pads: &pads,
            blocks: work.blocks,
            whole_blocks,
            alike,
        };
        match self.vectors.code {
            VectorKernelCode::Fused(fused) => {
                let next = groups.next(work.messages, width);
                if !next.is_empty() {
                    (self.vectors.feed.prefetch)(
                        next,
                        0,
                        work.blocks.min(PREFETCHED_BLOCKS) * shape.block_bytes,
                    );
                }
                let rows;
                let mut lengths = None;
                if work.end.is_some() {
                    rows = ends::lengths(shape, work, groups.lanes, alike);
                    lengths = Some(&rows);
                }
                let mut fused_work = FusedWork {
                    groups: live.div_ceil(width),
                    first_number: groups.first_number,
                    ending: FusedEnding { lengths, shared: work.shared },
                    rehash: groups.rehash,
                    output: FusedOutput { digests, xor_sum: None },
                    ..FusedWork::new(shape, input)
                };
                let stride = states.stride();
                fused(groups.from, states.words_mut(), stride, &mut fused_work);
            }
            VectorKernelCode::Fed(kernel) => {
                self.feed_words(kernel, work, groups, &input, states, words);
            }
        }
    }

    /// Advances one group by blocks that are fed to a kernel of words.
    fn feed_words(
        self,
        kernel: FedKernel<W>,
        work: &LaneWork<'_, W>,
        group: LaneGroups<'_, W>,
        input: &BlockInput<'_>,
        mut states: LaneStates<'_, W>,
        words: &mut [W],
    ) {
        let (shape, width, feed) = (self.shape, self.kernel.lanes, self.vectors.feed);
        let (size, stride, mut from) = (self.super_block_words(), states.stride(), group.from);
        let next = group.next(work.messages, width);
        let at_once = words.len() / size;
        // the last block of a message is changed before it is compressed
        let plain = input.whole_blocks.min(work.blocks - usize::from(work.end.is_some()));
        let (mut b, mut ahead) = (0, 0);
        while b < work.blocks {
            let count = plain.saturating_sub(b).clamp(1, at_once);
            let at = b * shape.block_bytes;
            // one block at a time: the core waits for more lines than it can fetch at once
            if ahead < PREFETCHED_BLOCKS && !next.is_empty() {
                (feed.prefetch)(next, ahead * shape.block_bytes, shape.block_bytes);
                ahead += 1;
            }
            // whole blocks are one longer block, with fewer incomplete squares
            let fed = BlockLayout { words: count * shape.block_words, order: shape.order };
            for lane in (0..width).step_by(feed.lanes) {
                let (runs, out) = (&input.runs.skip_lanes(lane), &mut words[lane..]);
                if b < input.whole_blocks {
                    (feed.blocks)(fed, runs, at, out, width);
                } else {
                    (feed.padded)(fed, runs, &input.pads[lane..], at, out, width);
                }
            }
            b += count;
            let words = &mut words[..count * size];
            if b == work.blocks && work.end.is_some() {
                if let Ending::Counter { .. } = shape.ending {
                    write_start(shape, &mut from, &mut states, width);
                }
                finish_block(self, work, group.lanes, input.alike, words, &mut states);
            }
            (kernel.advance)(shape, from, states.words_mut(), stride, words, count);
            from = LaneStart::Own;
        }
        write_start(shape, &mut from, &mut states, width);
    }
}

/// Writes the states at which the lanes start to their own.
fn write_start<W: Word>(
    shape: &Shape<W>,
    from: &mut LaneStart<'_, W>,
    states: &mut LaneStates<'_, W>,
    width: usize,
) {
    let stride = states.stride();
    match *from {
        LaneStart::Own => {}
        LaneStart::Same(start) => fill_rows(start, states.words_mut(), stride, width),
        LaneStart::Each(rows) => {
            for i in 0..shape.state_words {
                let row = &rows.words[i * rows.stride..][..width];
                states.row_mut(i, 0)[..width].copy_from_slice(row);
            }
        }
    }
    *from = LaneStart::Own;
}
