//! Blocks of messages on their way to a kernel of vectors: through a feed, block by block, or all at once if
//! the kernel is fused with its feed.

use super::{
    ends::{self, finish_block},
    vectors::{OnVectors, fill_rows},
    work::Messages,
};
use crate::{
    compression::{Ending, LaneStart, MAX_LANES, Shape, padding::divide},
    kernel::{AHEAD, RunBlocks, SecondHash, VectorsFn, feed::BlockShape},
    simd::{runs::Runs, vector::Word},
};

impl<W: Word> OnVectors<'_, W> {
    /// Advances the lanes `first..stop` by their blocks of messages, from `from`; the lanes
    /// `stop..end` follow.
    pub(super) fn advance_messages<'a>(
        self,
        work: &mut Messages<'a, W>,
        (first, stop, end): (usize, usize, usize),
        (from, again): (LaneStart<'_, W>, Option<SecondHash<'_, W>>),
        (states, stride): (&mut [W], usize),
        words: &mut [W],
    ) {
        let Self { shape, vectors, .. } = self;
        let (width, live, feed) = (self.kernel.lanes, stop - first, vectors.feed);
        let mut pads = [work.end.map_or(0, |(padding, _)| padding.byte()); MAX_LANES];
        let mut own;
        let runs = if live < width || !work.skip.is_empty() {
            own = [&[] as &[u8]; MAX_LANES];
            for l in 0..live {
                (own[l], pads[l]) = work.rest(shape, first + l);
            }
            // lanes without a message repeat the message of lane 0
            let idle = own[0];
            own[live..width].fill(idle);
            &own[..width]
        } else {
            &work.messages[first..stop]
        };
        let runs = if work.equal { Runs::of_equal_length(runs) } else { Runs::new(runs) };
        let direct = work.blocks.min(divide(runs.shortest(), shape.block).0);
        let alike = work.skip.is_empty() && runs.are_equal();
        let next = &work.messages[stop..end.min(stop + width)];
        let kernel = match vectors.run {
            VectorsFn::Words(kernel) => kernel,
            VectorsFn::Bytes(fused) => {
                if !next.is_empty() {
                    (feed.prefetch)(next, 0, work.blocks.min(AHEAD) * shape.block);
                }
                let all_ends;
                let mut job = RunBlocks::new(shape, &runs, work.blocks);
                if work.end.is_some() {
                    all_ends = ends::ends(shape, work, (first, live, alike));
                    job.ends = Some(&all_ends);
                }
                job.groups = live.div_ceil(width);
                job.pads = &pads;
                (job.direct, job.alike) = (direct, alike);
                job.last = work.last;
                job.counter = work.numbers.map(|(word, _)| word);
                job.again = again;
                if let Some((out, size)) = &mut work.digests {
                    job.digests = Some((&mut out[first * *size..stop * *size], *size));
                }
                return fused(from, states, stride, &mut job);
            }
        };
        let size = self.block_size();
        let at_once = words.len() / size;
        // the last block of a message is changed before it is compressed
        let plain = direct.min(work.blocks - usize::from(work.end.is_some()));
        let mut from = from;
        let (mut b, mut ahead) = (0, 0);
        while b < work.blocks {
            let count = plain.saturating_sub(b).clamp(1, at_once);
            let at = b * shape.block;
            // one block at a time: the core waits for more lines than it can fetch at once
            if ahead < AHEAD && !next.is_empty() {
                (feed.prefetch)(next, ahead * shape.block, shape.block);
                ahead += 1;
            }
            // whole blocks are one longer block, with fewer incomplete squares
            let fed = BlockShape { words: count * shape.words, order: shape.order };
            for lane in (0..width).step_by(feed.lanes) {
                let (runs, out) = (&runs.from(lane), &mut words[lane..]);
                if b < direct {
                    (feed.blocks)(fed, runs, at, out, width);
                } else {
                    (feed.padded)(fed, runs, &pads[lane..], at, out, width);
                }
            }
            b += count;
            let words = &mut words[..count * size];
            if b == work.blocks && work.end.is_some() {
                if let Ending::Counter { .. } = shape.ending {
                    write_start(shape, &mut from, (&mut *states, stride), width);
                }
                finish_block(self, work, (first, live, alike), words, (&mut *states, stride));
            }
            (kernel.advance)(shape, from, states, stride, words, count);
            from = LaneStart::Own;
        }
        write_start(shape, &mut from, (states, stride), width);
    }
}

/// Writes the states at which the lanes start to their own.
fn write_start<W: Word>(
    shape: &Shape<W>,
    from: &mut LaneStart<'_, W>,
    (states, stride): (&mut [W], usize),
    width: usize,
) {
    match *from {
        LaneStart::Own => {}
        LaneStart::Same(start) => fill_rows(start, states, stride, width),
        LaneStart::Each(rows) => {
            for i in 0..shape.state {
                let row = &rows.words[i * rows.stride..][..width];
                states[i * stride..][..width].copy_from_slice(row);
            }
        }
    }
    *from = LaneStart::Own;
}
