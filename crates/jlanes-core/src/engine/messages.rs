//! Messages in lanes, from any block to any later block, or to the digest.

use super::rehash::DigestBlock;
use crate::{
    hash::{
        compression::LaneStates,
        padding::{Ending, Padding, count_end, divide, length_words},
    },
    kernel::{
        AHEAD, AdvanceRuns, Kernel, Kernels, MAX_LANES, Rows, Run, RunBlocks, SecondHash, Shape,
        Vectors,
        feed::{BlockShape, Runs},
        plan::Input,
    },
    simd::lanes::{ByteOrder, Word},
};

mod streams;

/// One message per lane; all advance by the same number of blocks.
///
/// ```text
/// for each lane:  state = start, or what the lane's state is
///                 absorb `blocks` blocks from block `skip` of the message on;
///                 if the message ends, the last of them are padded
///                 absorb `last`, if there is one
///                 write the digest, or keep the state
/// ```
#[derive(Debug)]
pub struct Messages<'a, W: Word> {
    /// The messages.
    pub messages: &'a [&'a [u8]],
    /// Blocks of each message that are already done; missing entries are 0.
    pub skip: &'a [usize],
    /// Blocks to do.
    pub blocks: usize,
    /// The padding, and the number of bytes before the messages. `None` if the messages contain all
    /// the blocks.
    pub end: Option<(Padding, u128)>,
    /// Whether these blocks are known to be the last ones of every message.
    pub all_end: bool,
    /// The shared last block; may be empty.
    pub last: &'a [W],
    /// The start of all lanes; if `None`, each lane starts at its state.
    pub start: Option<&'a [W]>,
    /// A counter of 64 bits in the start: its first word, of two, and the value for the first message.
    /// The next message has the next value. Only with a start and digests.
    pub numbers: Option<(usize, u64)>,
    /// The lanes' states. With a start and digests they may be fewer than the messages.
    pub states: LaneStates<'a, W>,
    /// A second hash of the digests, for messages with a start and digests: the block around a
    /// digest, and the start of the hash ([`DigestBlock::starting_at`]).
    pub again: Option<(&'a DigestBlock<W>, &'a [W])>,
    /// The destination of contiguous digests, and the bytes of each.
    pub digests: Option<(&'a mut [u8], usize)>,
}

/// The number of blocks from which many streams pay, unless the messages are whole blocks from a
/// start to digests: padded ends are copied one by one, and states go through memory.
const LONG: usize = 8;

impl<'a, W: Word> Messages<'a, W> {
    /// Work without blocks, from the lanes' states to the lanes' states.
    #[must_use]
    pub fn advance(states: LaneStates<'a, W>, messages: &'a [&'a [u8]]) -> Self {
        Self {
            messages,
            skip: &[],
            blocks: 0,
            end: None,
            all_end: false,
            last: &[],
            start: None,
            numbers: None,
            states,
            again: None,
            digests: None,
        }
    }

    /// Whether the work is only whole blocks of the messages, from one start to digests.
    fn is_whole(&self) -> bool {
        self.start.is_some()
            && self.digests.is_some()
            && self.again.is_none()
            && self.numbers.is_none()
            && self.end.is_none()
            && self.skip.is_empty()
    }

    /// Whether the messages `first..end` have equal lengths, and their numbers the same upper word.
    fn are_alike(&self, first: usize, end: usize) -> bool {
        let upper = |number: u64| number_words::<W>(number)[1];
        let numbers = self.numbers.map(|(_, number)| [number + first as u64, number + end as u64]);
        self.skip.is_empty()
            && numbers.is_none_or(|[first, end]| upper(first) == upper(end))
            && Runs::new(&self.messages[first..end]).are_equal()
    }

    /// The rest of lane `lane`'s message, and the byte after it.
    #[inline(always)]
    fn rest(&self, shape: &Shape<W>, lane: usize) -> (&'a [u8], u8) {
        let pad = self.end.map_or(0, |(padding, _)| padding.byte());
        let message = self.messages[lane];
        match self.skip.get(lane) {
            None | Some(0) => (message, pad),
            // a message that has ended has also passed its padding byte
            Some(skip) => message.get(skip * shape.block..).map_or((&[], 0), |rest| (rest, pad)),
        }
    }

    /// If the message of lane `lane` ends with these blocks: its bytes in the last one, and in
    /// total.
    #[inline(always)]
    fn end_lengths(&self, shape: &Shape<W>, lane: usize) -> Option<(usize, u128)> {
        let (padding, before) = self.end?;
        let len = self.messages[lane].len();
        if self.all_end {
            let tail = len.saturating_sub((self.blocks - 1) * shape.block);
            return Some((tail, before + len as u128));
        }
        let blocks = padding.blocks(shape.block, W::BYTES, len);
        let skip = self.skip.get(lane).copied().unwrap_or(0);
        (skip + self.blocks >= blocks)
            .then(|| (len.saturating_sub((blocks - 1) * shape.block), before + len as u128))
    }
}

impl<W: Word> Kernels<W> {
    /// Performs the work for all messages.
    pub fn messages(&self, mut work: Messages<'_, W>) {
        let input =
            if work.blocks < LONG && !work.is_whole() { Input::Short } else { Input::Apart };
        let groups = work.digests.is_some();
        let count = work.messages.len();
        self.each(input, count, groups, |kernel, first, end| match &kernel.run {
            Run::Vectors(vectors) => {
                OnLanes { shape: self.shape, kernel, vectors }.run(&mut work, (first, end));
            }
            Run::Streams(streams) => {
                streams::run(self.shape, streams, &mut work, first, end);
                if let (Some((block, start)), Some((out, size))) = (work.again, &mut work.digests) {
                    self.rehash_digests(block, start, &mut out[first * *size..end * *size], *size);
                }
            }
        });
    }
}

/// Lends `run` space for `words` words, at the start of a cache line.
pub(super) fn with_room<W: Word>(words: usize, run: &mut dyn FnMut(&mut [W])) {
    // no more space than needed, because it is cleared each time
    match words {
        ..=128 => run(&mut Aligned([W::default(); 128]).0),
        129..=256 => run(&mut Aligned([W::default(); 256]).0),
        257..=512 => run(&mut Aligned([W::default(); 512]).0),
        513..=768 => run(&mut Aligned([W::default(); 768]).0),
        _ => run(&mut Aligned([W::default(); 1280]).0),
    }
}

/// Words with the alignment of whole vectors.
#[repr(align(64))]
struct Aligned<T>(T);

/// A kernel over lanes, and its compression function.
#[derive(Clone, Copy)]
pub(super) struct OnLanes<'k, W: 'static> {
    pub(super) shape: &'k Shape<W>,
    pub(super) kernel: &'k Kernel<W>,
    pub(super) vectors: &'k Vectors<W>,
}

impl<W: Word> OnLanes<'_, W> {
    /// Performs the work for the lanes `first..end`.
    fn run(self, work: &mut Messages<'_, W>, lanes: (usize, usize)) {
        // a fused kernel keeps its blocks in registers
        let words = if self.fused().is_some() { 0 } else { self.block_size() };
        if work.start.is_none() || work.digests.is_none() {
            return with_room(words, &mut |words| self.in_place(work, lanes, words));
        }
        let (width, (first, end)) = (self.kernel.lanes, lanes);
        let together = match self.vectors.shared {
            _ if self.fused().is_some() => width,
            Some((_, lanes)) if !work.last.is_empty() && first + width < end => lanes,
            _ => width,
        };
        let state = self.shape.state;
        let again = if work.again.is_some() { state * width } else { 0 };
        let size = state * (together + width) + again + words;
        with_room(size, &mut |room| self.to_digests(work, lanes, together, room));
    }

    /// [`run`](Self::run) from one start to digests, for `together` lanes at once, which share
    /// their last block. `room` holds their states, the starts of both hashes, and a block.
    fn to_digests<'a>(
        self,
        work: &mut Messages<'a, W>,
        (mut first, end): (usize, usize),
        together: usize,
        room: &mut [W],
    ) {
        let Some(start) = work.start else { return };
        let (shape, width) = (self.shape, self.kernel.lanes);
        let (states, room) = room.split_at_mut(shape.state * together);
        let (rows, mut room) = room.split_at_mut(shape.state * width);
        fill_rows(start, rows, width, width);
        let again = work.again.map(|(block, start)| {
            let (rows, rest) = core::mem::take(&mut room).split_at_mut(shape.state * width);
            room = rest;
            fill_rows(start, rows, width, width);
            block.again(Rows { words: rows, stride: width })
        });
        let words = room;
        let fused = self.fused().is_some();
        let mut feed = Feeding::new(work);
        while first < end {
            // a fused kernel takes all groups of equal messages in one call
            let whole = if fused { first + (end - first) / width * width } else { first };
            let (stop, step) = if first < whole && work.are_alike(first, whole) {
                (whole, whole - first)
            } else {
                (end.min(first + together), width)
            };
            for at in (first..stop).step_by(step) {
                let range = (at, stop.min(at + step), end);
                let mut own = (&mut states[at - first..], together);
                let mut from = None;
                if let Some((word, number)) = work.numbers {
                    for (l, number) in (0..width).zip(number + at as u64..) {
                        let [low, high] = number_words(number);
                        (rows[word * width + l], rows[(word + 1) * width + l]) = (low, high);
                    }
                }
                if fused && work.numbers.is_some() {
                    own = (&mut *rows, width);
                } else {
                    from = Some(Rows { words: &*rows, stride: width });
                }
                feed.advance(self, work, range, (from, again), own, words);
            }
            if !fused {
                self.share(work.last, together, (states, together), words);
                if let Some(again) = &again {
                    for at in (0..stop - first).step_by(width) {
                        self.again(again, (&mut states[at..], together), words);
                    }
                }
                if let Some((out, size)) = &mut work.digests {
                    let out = &mut out[first * *size..stop * *size];
                    self.digests((states, together), *size, out);
                }
            }
            first = stop;
        }
    }

    /// Hashes the digests in the states once more.
    fn again(
        self,
        again: &SecondHash<'_, W>,
        (states, stride): (&mut [W], usize),
        words: &mut [W],
    ) {
        let (shape, width) = (self.shape, self.kernel.lanes);
        let words = &mut words[..shape.words * width];
        fill_rows(again.block, words, width, width);
        for i in 0..again.digest {
            let row = &states[i * stride..][..width];
            match again.kept {
                Some(kept) if i + 1 == again.digest => {
                    for (to, word) in words[i * width..].iter_mut().zip(row) {
                        *to = word.and(kept).or(again.block[i]);
                    }
                }
                _ => words[i * width..][..width].copy_from_slice(row),
            }
        }
        (self.vectors.advance)(shape, Some(again.start), states, stride, words, 1);
    }

    /// [`run`](Self::run) for states in the lanes' own storage.
    fn in_place<'a>(
        self,
        work: &mut Messages<'a, W>,
        (first, end): (usize, usize),
        words: &mut [W],
    ) {
        let width = self.kernel.lanes;
        let mut feed = Feeding::new(work);
        let mut all = core::mem::replace(&mut work.states, LaneStates::new(&mut [], 0));
        let stride = all.stride();
        for first in (first..end).step_by(width) {
            let stop = end.min(first + width);
            let states = all.from(first);
            if let Some(start) = work.start {
                fill_rows(start, states, stride, width);
            }
            feed.advance(self, work, (first, stop, end), (None, None), (states, stride), words);
            if self.fused().is_none() {
                self.share(work.last, width, (states, stride), words);
                if let Some((out, size)) = &mut work.digests {
                    self.digests((states, stride), *size, &mut out[first * *size..stop * *size]);
                }
            }
        }
        work.states = all;
    }

    /// Advances `count` lanes by the shared block, if any.
    pub(super) fn share(
        self,
        last: &[W],
        count: usize,
        (states, stride): (&mut [W], usize),
        words: &mut [W],
    ) {
        let width = self.kernel.lanes;
        match self.vectors.shared {
            _ if last.is_empty() => {}
            Some((advance, lanes)) if lanes == count => advance(self.shape, states, stride, last),
            Some((advance, lanes)) => with_room(self.shape.state * lanes, &mut |more| {
                // later lanes must not be advanced
                for i in 0..self.shape.state {
                    more[i * lanes..][..width].copy_from_slice(&states[i * stride..][..width]);
                }
                advance(self.shape, more, lanes, last);
                for i in 0..self.shape.state {
                    states[i * stride..][..width].copy_from_slice(&more[i * lanes..][..width]);
                }
            }),
            // without a schedule, the shared words are the block itself
            None => {
                let words = &mut words[..self.shape.words * width];
                fill_rows(last, words, width, width);
                (self.vectors.advance)(self.shape, None, states, stride, words, 1);
            }
        }
    }

    /// Writes digests of `size` bytes, until `out` is full.
    pub(super) fn digests(self, (states, stride): (&[W], usize), size: usize, out: &mut [u8]) {
        let feed = self.vectors.feed;
        for (i, out) in out.chunks_mut(feed.lanes * size).enumerate() {
            (feed.digests)(self.shape.order, &states[i * feed.lanes..], stride, size, out);
        }
    }

    /// The fused kernel and feed, if there is one for this function.
    fn fused(self) -> Option<AdvanceRuns<W>> {
        self.vectors.fused.filter(|_| !self.shape.whole_output)
    }

    /// Words of one block in all lanes.
    pub(super) fn block_size(self) -> usize {
        self.shape.words * self.kernel.lanes
    }

    /// The layout of a block for the feed.
    pub(super) fn block(self) -> BlockShape {
        BlockShape { words: self.shape.words, order: self.shape.order }
    }
}

/// The words of a state, each in `width` lanes of its row.
pub(super) fn fill_rows<W: Word>(state: &[W], rows: &mut [W], stride: usize, width: usize) {
    for (i, word) in state.iter().enumerate() {
        rows[i * stride..][..width].fill(*word);
    }
}

/// The input of lanes, lane by lane.
struct Feeding<'a> {
    runs: [&'a [u8]; MAX_LANES],
    pads: [u8; MAX_LANES],
}

impl<'a> Feeding<'a> {
    fn new<W: Word>(work: &Messages<'a, W>) -> Self {
        let pad = work.end.map_or(0, |(padding, _)| padding.byte());
        Self { runs: [&[]; MAX_LANES], pads: [pad; MAX_LANES] }
    }

    /// Advances the lanes `first..stop` by their blocks of messages, from `from` or from their
    /// states; the lanes `stop..end` follow.
    #[allow(clippy::too_many_arguments)] // they do not form a group
    fn advance<W: Word>(
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
                self::ends(shape, work, (first, live, alike), &mut ends);
                &ends
            });
            let digests = work.digests.as_mut();
            let digests = digests.map(|(out, size)| (&mut out[first * *size..stop * *size], *size));
            let mut job = RunBlocks {
                runs: &runs,
                groups: live.div_ceil(width),
                prefetch: feed.prefetch,
                pads: &self.pads,
                blocks: work.blocks,
                direct,
                alike,
                ends,
                last: work.last,
                counter: work.numbers.map(|(word, _)| word),
                again,
                digests,
            };
            return fused(from, states, stride, &mut job);
        }
        let size = shape.words * width;
        let mut from = from;
        let words = &mut words[..size];
        for b in 0..work.blocks {
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
            if b + 1 == work.blocks && work.end.is_some() {
                if let Some(from) = from.take() {
                    copy_rows(shape, from, states, stride, width);
                }
                finish_block(lanes, work, (first, live, alike), words, (&mut *states, stride));
            }
            (vectors.advance)(shape, from.take(), states, stride, words, 1);
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

/// The [`RunBlocks::ends`] of messages that end with these blocks. With `alike` lanes, all equal the
/// first one.
fn ends<W: Word>(
    shape: &Shape<W>,
    work: &Messages<'_, W>,
    (first, live, alike): (usize, usize, bool),
    out: &mut [[W; MAX_LANES]; 2],
) {
    let end = |(tail, total): (usize, u128)| match shape.ending {
        Ending::Counter { bits, .. } => {
            let short = W::truncate((shape.block - tail) as u128);
            [W::default().wrapping_sub(short), W::truncate(u128::from(bits))]
        }
        _ => length_words::<W>(total),
    };
    if alike {
        if let Some(closing) = work.end_lengths(shape, first) {
            *out = end(closing).map(|word| [word; MAX_LANES]);
        }
        return;
    }
    for l in 0..live {
        if let Some(closing) = work.end_lengths(shape, first + l) {
            [out[0][l], out[1][l]] = end(closing);
        }
    }
}

/// A number in two words, the lower one first.
fn number_words<W: Word>(number: u64) -> [W; 2] {
    let number = u128::from(number);
    [W::truncate(number), W::truncate(number >> (8 * W::BYTES))]
}

/// Completes the last block of lanes with an ending message: either `words`, which holds the
/// message and the byte after it, or the states. With `alike` lanes, all equal the first one.
fn finish_block<W: Word>(
    lanes: OnLanes<'_, W>,
    work: &Messages<'_, W>,
    (first, live, alike): (usize, usize, bool),
    words: &mut [W],
    (states, stride): (&mut [W], usize),
) {
    let (shape, width) = (lanes.shape, lanes.kernel.lanes);
    let last = shape.words - 1;
    let end_lengths = |l: usize| work.end_lengths(shape, if alike { first } else { first + l });
    match shape.ending {
        Ending::Length => {
            let (high, low) = match shape.order {
                ByteOrder::Big => (last - 1, last),
                ByteOrder::Little => (last, last - 1),
            };
            if alike {
                let Some((_, total)) = end_lengths(0) else { return };
                let [upper, lower] = length_words::<W>(total);
                words[high * width..][..width].fill(upper);
                words[low * width..][..width].fill(lower);
                return;
            }
            for l in 0..live {
                if let Some((_, total)) = end_lengths(l) {
                    let [upper, lower] = length_words::<W>(total);
                    (words[high * width + l], words[low * width + l]) = (upper, lower);
                }
            }
        }
        Ending::LastBit => {
            let bit = W::truncate(1 << (8 * W::BYTES - 1));
            for (l, word) in words[last * width..].iter_mut().enumerate().take(live) {
                if end_lengths(l).is_some() {
                    // the first byte of the padding may be in the same word
                    *word = word.xor(bit);
                }
            }
        }
        Ending::Counter { low, high, flag, .. } => {
            for l in 0..live {
                if let Some((tail, _)) = end_lengths(l) {
                    let high = high.unwrap_or(low);
                    let at = [low, high, flag].map(|word| word * stride + l);
                    let own = at.map(|at| states[at]);
                    let own = count_end(shape, own, tail);
                    (states[at[1]], states[at[0]], states[at[2]]) = (own[1], own[0], own[2]);
                }
            }
        }
    }
}
