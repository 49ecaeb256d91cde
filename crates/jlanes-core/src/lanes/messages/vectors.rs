//! Messages on kernels of vectors, with one message per lane.

use super::work::{Messages, number_words};
use crate::{
    compression::{LaneStart, LaneStates, Rows, Shape},
    kernel::{Kernel, RunBlocks, SecondHash, Vectors, VectorsFn, WordsFn, feed::BlockShape},
    simd::{runs::Runs, vector::Word},
};

/// Lends `run` space for `words` words, at the start of a cache line.
pub(in crate::lanes) fn with_room<W: Word>(words: usize, run: &mut dyn FnMut(&mut [W])) {
    // no more space than needed, because it is cleared each time
    match words {
        0 => run(&mut []),
        1..=128 => run(&mut Aligned([W::default(); 128]).0),
        129..=256 => run(&mut Aligned([W::default(); 256]).0),
        257..=512 => run(&mut Aligned([W::default(); 512]).0),
        513..=768 => run(&mut Aligned([W::default(); 768]).0),
        769..=1280 => run(&mut Aligned([W::default(); 1280]).0),
        _ => run(&mut Aligned([W::default(); 1792]).0),
    }
}

/// The maximum number of words that are fed at once, unless one block has more: eight blocks of TurboSHAKE128
/// in eight lanes, which are whole squares and whole cache lines.
const FED: usize = 1344;

/// Words with the alignment of whole vectors.
#[repr(align(64))]
struct Aligned<T>(T);

/// A kernel of vectors, and its compression function.
#[derive(Clone, Copy)]
pub(in crate::lanes) struct OnVectors<'k, W: 'static> {
    pub(in crate::lanes) shape: &'k Shape<W>,
    pub(in crate::lanes) kernel: &'k Kernel<W>,
    pub(in crate::lanes) vectors: &'k Vectors<W>,
}

impl<W: Word> OnVectors<'_, W> {
    /// Performs the work for the lanes `first..end`.
    pub(super) fn run(self, work: &mut Messages<'_, W>, lanes: (usize, usize)) {
        let (shape, width, (first, end)) = (self.shape, self.kernel.lanes, lanes);
        let fed = self.fed_at_once(work.blocks);
        if work.start.is_none() || work.digests.is_none() {
            return with_room(fed, &mut |words| self.in_place(work, lanes, words));
        }
        let state = shape.state * width;
        let kernel = match self.vectors.run {
            VectorsFn::Words(kernel) => kernel,
            VectorsFn::Bytes(_) => {
                let numbered = if work.numbers.is_some() { state } else { 0 };
                return with_room(numbered, &mut |room| self.fused_to_digests(work, lanes, room));
            }
        };
        // for one group the kernel copies the start to its lanes; for several the rows are filled once
        let rows = if work.numbers.is_some() || first + width < end { state } else { 0 };
        with_room(rows + state + fed, &mut |room| {
            let (starts, room) = room.split_at_mut(rows);
            let (states, words) = room.split_at_mut(state);
            self.to_digests(kernel, work, lanes, (starts, states, words));
        });
    }

    /// [`run`](Self::run) from one start to digests. A fused kernel keeps states and words in
    /// registers, and takes all groups of equal messages in one call. `starts` has room for the starts
    /// of numbered messages.
    fn fused_to_digests<'a>(
        self,
        work: &mut Messages<'a, W>,
        (mut first, end): (usize, usize),
        starts: &mut [W],
    ) {
        let (Some(start), width) = (work.start, self.kernel.lanes) else { return };
        let second = [LaneStart::Same(work.again.map_or(&[] as &[W], |(_, start)| start))];
        let again = work.again.map(|(block, _)| block.second_hash(&second, 1));
        let mut from = LaneStart::Same(start);
        if work.numbers.is_some() {
            fill_rows(start, starts, width, width);
            from = LaneStart::Own;
        }
        while first < end {
            let groups = work.alike_groups(first, end, width).max(1);
            let stop = end.min(first + groups * width);
            self.write_numbers(work, first, starts);
            self.advance_messages(
                work,
                (first, stop, end),
                (from, again),
                (&mut *starts, width),
                &mut [],
            );
            first = stop;
        }
    }

    /// [`run`](Self::run) from one start to digests. `starts` has room for a start of each lane, or is empty
    /// if the kernel copies the one start to its lanes.
    fn to_digests<'a>(
        self,
        kernel: WordsFn<W>,
        work: &mut Messages<'a, W>,
        (mut first, end): (usize, usize),
        (starts, states, words): (&mut [W], &mut [W], &mut [W]),
    ) {
        let (Some(start), width) = (work.start, self.kernel.lanes) else { return };
        let second = [LaneStart::Same(work.again.map_or(&[] as &[W], |(_, start)| start))];
        let again = work.again.map(|(block, _)| block.second_hash(&second, 1));
        if !starts.is_empty() {
            fill_rows(start, starts, width, width);
        }
        while first < end {
            let stop = end.min(first + width);
            self.write_numbers(work, first, starts);
            let from = match &*starts {
                [] => LaneStart::Same(start),
                words => LaneStart::Each(Rows { words, stride: width }),
            };
            self.advance_messages(
                work,
                (first, stop, end),
                (from, None),
                (&mut *states, width),
                words,
            );
            self.advance_shared(work.last, (states, width), words);
            if let Some(again) = &again {
                self.hash_again(kernel, again, (&mut *states, width), words);
            }
            if let Some((out, size)) = &mut work.digests {
                self.digests((states, width), *size, &mut out[first * *size..stop * *size]);
            }
            first = stop;
        }
    }

    /// Writes the numbers of the messages from lane `first` on, if they have any, to their starts.
    fn write_numbers(self, work: &Messages<'_, W>, first: usize, starts: &mut [W]) {
        let width = self.kernel.lanes;
        let Some((word, number)) = work.numbers else { return };
        for (l, number) in (0..width).zip(number + first as u64..) {
            let [low, high] = number_words(number);
            (starts[word * width + l], starts[(word + 1) * width + l]) = (low, high);
        }
    }

    /// Hashes the digests in the states once more.
    fn hash_again(
        self,
        kernel: WordsFn<W>,
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
        (kernel.advance)(shape, again.starts[0], states, stride, words, 1);
    }

    /// [`run`](Self::run) for states in the lanes' own storage.
    fn in_place<'a>(
        self,
        work: &mut Messages<'a, W>,
        (first, end): (usize, usize),
        words: &mut [W],
    ) {
        let width = self.kernel.lanes;
        let mut all = core::mem::replace(&mut work.states, LaneStates::new(&mut [], 0));
        let stride = all.stride();
        for first in (first..end).step_by(width) {
            let stop = end.min(first + width);
            let states = all.from(first);
            let from = work.start.map_or(LaneStart::Own, LaneStart::Same);
            self.advance_messages(
                work,
                (first, stop, end),
                (from, None),
                (&mut *states, stride),
                words,
            );
            if let VectorsFn::Words(_) = self.vectors.run {
                self.advance_shared(work.last, (states, stride), words);
                if let Some((out, size)) = &mut work.digests {
                    self.digests((states, stride), *size, &mut out[first * *size..stop * *size]);
                }
            }
        }
        work.states = all;
    }

    /// Advances the lanes by the shared block, if any.
    pub(in crate::lanes) fn advance_shared(
        self,
        last: &[W],
        (states, stride): (&mut [W], usize),
        words: &mut [W],
    ) {
        if last.is_empty() {
            return;
        }
        match self.vectors.run {
            VectorsFn::Bytes(fused) => {
                let runs = Runs::of_equal_length(&[]);
                let mut job = RunBlocks { last, ..RunBlocks::new(self.shape, &runs, 0) };
                fused(LaneStart::Own, states, stride, &mut job);
            }
            VectorsFn::Words(WordsFn { shared: Some(advance), .. }) => {
                advance(self.shape, states, stride, last);
            }
            // without a schedule, the shared words are the block itself
            VectorsFn::Words(WordsFn { advance, shared: None }) => {
                let width = self.kernel.lanes;
                let words = &mut words[..self.shape.words * width];
                fill_rows(last, words, width, width);
                advance(self.shape, LaneStart::Own, states, stride, words, 1);
            }
        }
    }

    /// Writes digests of `size` bytes, until `out` is full.
    pub(in crate::lanes) fn digests(
        self,
        (states, stride): (&[W], usize),
        size: usize,
        out: &mut [u8],
    ) {
        let feed = self.vectors.feed;
        for (i, out) in out.chunks_mut(feed.lanes * size).enumerate() {
            (feed.digests)(self.shape.order, &states[i * feed.lanes..], stride, size, out);
        }
    }

    /// Words of the blocks that are fed before they are compressed in one call, so that the states
    /// go through memory less often. A fused kernel keeps its blocks in registers.
    fn fed_at_once(self, blocks: usize) -> usize {
        match self.vectors.run {
            VectorsFn::Bytes(_) => 0,
            VectorsFn::Words(_) => {
                self.block_size() * blocks.clamp(1, (FED / self.block_size()).max(1))
            }
        }
    }

    /// Words of one block in all lanes.
    pub(in crate::lanes) fn block_size(self) -> usize {
        self.shape.words * self.kernel.lanes
    }

    /// The layout of a block for the feed.
    pub(in crate::lanes) fn block(self) -> BlockShape {
        BlockShape { words: self.shape.words, order: self.shape.order }
    }
}

/// The words of a state, each in `width` lanes of its row.
pub(in crate::lanes) fn fill_rows<W: Word>(
    state: &[W],
    rows: &mut [W],
    stride: usize,
    width: usize,
) {
    for (i, word) in state.iter().enumerate() {
        rows[i * stride..][..width].fill(*word);
    }
}
