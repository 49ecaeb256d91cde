//! From messages to lanes' order, block by block.

use super::{Messages, ends, ends::finish_block, lanes::OnLanes};
use crate::{
    hash::padding::divide,
    kernel::{AHEAD, Kernel, MAX_LANES, Rows, RunBlocks, SecondHash, Shape, feed::Runs},
    simd::lanes::Word,
};

/// The input of lanes, lane by lane.
pub(super) struct Feeding<'a> {
    runs: [&'a [u8]; MAX_LANES],
    pads: [u8; MAX_LANES],
}

impl<'a> Feeding<'a> {
    pub(super) fn new<W: Word>(work: &Messages<'a, W>) -> Self {
        let pad = work.end.map_or(0, |(padding, _)| padding.byte());
        Self { runs: [&[]; MAX_LANES], pads: [pad; MAX_LANES] }
    }

    /// Advances the lanes `first..stop` by their blocks of messages, from `from` or from their
    /// states; the lanes `stop..end` follow.
    #[allow(clippy::too_many_arguments)] // they do not form a group
    pub(super) fn advance<W: Word>(
        &mut self,
        lanes: OnLanes<'_, W>,
        work: &mut Messages<'a, W>,
        (first, stop, end): (usize, usize, usize),
        (from, again): (Option<Rows<'_, W>>, Option<SecondHash<'_, W>>),
        (states, stride): (&mut [W], usize),
        words: &mut [W],
    ) {
        let OnLanes { shape, kernel: Kernel { lanes: width, .. }, vectors } = lanes;
        let (width, live, feed) = (*width, stop - first, vectors.feed);
        let apart = live < width || !work.skip.is_empty();
        if apart {
            self.take(shape, work, first, live, width);
        }
        let runs = if apart { &self.runs[..width] } else { &work.messages[first..stop] };
        let runs = Runs::new(runs);
        let direct = work.blocks.min(divide(runs.shortest(), shape.block).0);
        let alike = work.skip.is_empty() && runs.are_equal();
        let next = &work.messages[stop..end.min(stop + width)];
        if let Some(fused) = lanes.fused() {
            if !next.is_empty() {
                (feed.prefetch)(next, 0, work.blocks.min(AHEAD) * shape.block);
            }
            let mut ends = [[W::default(); MAX_LANES]; 2];
            let ends = work.end.is_some().then(|| {
                ends::ends(shape, work, (first, live, alike), &mut ends);
                &ends
            });
            let digests = work.digests.as_mut();
            let digests = digests.map(|(out, size)| (&mut out[first * *size..stop * *size], *size));
            let mut job = RunBlocks {
                shape,
                runs: &runs,
                groups: live.div_ceil(width),
                pads: &self.pads,
                blocks: work.blocks,
                direct,
                alike,
                ends,
                last: work.last,
                counter: work.numbers.map(|(word, _)| word),
                again,
                sum: None,
                digests,
            };
            return fused(from, states, stride, &mut job);
        }
        let size = lanes.block_size();
        let at_once = words.len() / size;
        // the last block of a message is changed before it is compressed
        let plain = direct.min(work.blocks - usize::from(work.end.is_some()));
        let mut from = from;
        let mut b = 0;
        while b < work.blocks {
            let count = plain.saturating_sub(b).clamp(1, at_once);
            for (b, words) in (b..b + count).zip(words.chunks_exact_mut(size)) {
                let at = b * shape.block;
                if b < AHEAD && !next.is_empty() {
                    (feed.prefetch)(next, at, shape.block);
                }
                for lane in (0..width).step_by(feed.lanes) {
                    let (runs, out) = (&runs.from(lane), &mut words[lane..]);
                    if b < direct {
                        (feed.blocks)(lanes.block(), runs, at, out, width);
                    } else {
                        (feed.padded)(lanes.block(), runs, &self.pads[lane..], at, out, width);
                    }
                }
            }
            b += count;
            let words = &mut words[..count * size];
            if b == work.blocks && work.end.is_some() {
                if let Some(from) = from.take() {
                    copy_rows(shape, from, states, stride, width);
                }
                finish_block(lanes, work, (first, live, alike), words, (&mut *states, stride));
            }
            (vectors.advance)(shape, from.take(), states, stride, words, count);
        }
        if let Some(from) = from {
            copy_rows(shape, from, states, stride, width);
        }
    }

    /// Takes the runs of the `live` lanes from `first` on, at most `width`.
    fn take<W: Word>(
        &mut self,
        shape: &Shape<W>,
        work: &Messages<'a, W>,
        first: usize,
        live: usize,
        width: usize,
    ) {
        for l in 0..live {
            (self.runs[l], self.pads[l]) = work.rest(shape, first + l);
        }
        // lanes without a message repeat the message of lane 0
        let idle = self.runs[0];
        self.runs[live..width].fill(idle);
    }
}

/// Copies the states of a number of lanes.
fn copy_rows<W: Word>(
    shape: &Shape<W>,
    from: Rows<'_, W>,
    states: &mut [W],
    stride: usize,
    width: usize,
) {
    for i in 0..shape.state {
        states[i * stride..][..width].copy_from_slice(&from.words[i * from.stride..][..width]);
    }
}
