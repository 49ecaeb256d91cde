//! Messages on kernels of vectors, with one message per lane.

use super::{FullHash, LaneWork, Numbering, Route, feeding::LaneGroups};
use crate::{
    compression::{ContiguousDigests, LaneRange, LaneStart, LaneStates, Rows, Shape},
    kernel::{
        BlockInput, FedKernel, FusedEnding, FusedWork, Kernel, VectorKernel, VectorKernelCode,
        feed::BlockLayout,
    },
    lanes::rehash::OuterHash,
    simd::{runs::Runs, vector::Word},
};

/// Lends `run` space for `words` words, at the start of a cache line.
pub(in crate::lanes) fn with_storage<W: Word>(words: usize, run: &mut dyn FnMut(&mut [W])) {
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
const MAX_FED_WORDS: usize = 1344;

/// Words with the alignment of whole vectors.
#[repr(align(64))]
struct Aligned<T>(T);

/// Storage of [`VectorRunner::fed_to_digests`].
struct DigestStorage<'r, W> {
    /// The starts of the lanes; empty if the kernel copies the one start to its lanes.
    starts: &'r mut [W],
    /// The states.
    states: &'r mut [W],
    /// Blocks in lanes' order.
    words: &'r mut [W],
}

/// A kernel of vectors, and its compression function.
#[derive(Clone, Copy)]
pub(in crate::lanes) struct VectorRunner<'k, W: 'static> {
    pub(in crate::lanes) shape: &'k Shape<W>,
    pub(in crate::lanes) kernel: &'k Kernel<W>,
    pub(in crate::lanes) vectors: &'k VectorKernel<W>,
}

impl<W: Word> VectorRunner<'_, W> {
    /// Performs the work for `lanes`.
    pub(super) fn run(self, work: &LaneWork<'_, W>, route: &mut Route<'_, W>, lanes: LaneRange) {
        let (from, states, mut digests) = match route {
            Route::StatesToStates(states) => (LaneStart::Own, states, None),
            Route::StatesToDigests { states, digests } => (LaneStart::Own, states, Some(digests)),
            Route::StartToStates { start, states } => (LaneStart::Same(start), states, None),
            Route::StartToDigests(hash) => return self.full_hashes(work, hash, lanes),
        };
        with_storage(self.words_fed_at_once(work.blocks), &mut |words| {
            self.run_in_place(work, lanes, from, states, digests.as_deref_mut(), words);
        });
    }

    /// [`run`](Self::run) from one start to digests.
    fn full_hashes(self, work: &LaneWork<'_, W>, hash: &mut FullHash<'_, W>, lanes: LaneRange) {
        let (shape, width) = (self.shape, self.kernel.lanes);
        let state = shape.state_words * width;
        let kernel = match self.vectors.code {
            VectorKernelCode::Fed(kernel) => kernel,
            VectorKernelCode::Fused(_) => return self.fused_to_digests(work, hash, lanes),
        };
        // for one group the kernel copies the start to its lanes; for several, rows of starts are filled once
        let rows = if hash.numbers.is_some() || width < lanes.len() { state } else { 0 };
        with_storage(rows + state + self.words_fed_at_once(work.blocks), &mut |storage| {
            let (starts, storage) = storage.split_at_mut(rows);
            let (states, words) = storage.split_at_mut(state);
            self.fed_to_digests(kernel, work, hash, lanes, DigestStorage { starts, states, words });
        });
    }

    /// [`full_hashes`](Self::full_hashes) on a fused kernel, which keeps states and words in registers, and
    /// takes all groups of equal messages in one call.
    fn fused_to_digests(
        self,
        work: &LaneWork<'_, W>,
        hash: &mut FullHash<'_, W>,
        LaneRange { mut first, end }: LaneRange,
    ) {
        let width = self.kernel.lanes;
        let outer_starts = [LaneStart::Same(hash.outer.map_or(&[] as &[W], OuterHash::start))];
        let rehash = hash.outer.map(|outer| outer.block.rehash_rounds(&outer_starts, 1));
        let from = LaneStart::Same(hash.start);
        while first < end {
            let groups = hash.groups_of_equal_length(work, LaneRange { first, end }, width).max(1);
            let lanes = LaneRange { first, end: end.min(first + groups * width) };
            let first_number = hash.numbers.map(|numbers| numbers.first + first as u64);
            let groups = LaneGroups { lanes, last_end: end, from, first_number, rehash };
            let digests = Some(hash.digests.of_lanes(lanes));
            let states = LaneStates::new(&mut [], width);
            self.advance_messages(work, groups, digests, states, &mut []);
            first = lanes.end;
        }
    }

    /// [`full_hashes`](Self::full_hashes) on a kernel of words.
    fn fed_to_digests(
        self,
        kernel: FedKernel<W>,
        work: &LaneWork<'_, W>,
        hash: &mut FullHash<'_, W>,
        lanes: LaneRange,
        storage: DigestStorage<'_, W>,
    ) {
        let DigestStorage { starts, states, words } = storage;
        let width = self.kernel.lanes;
        if !starts.is_empty() {
            fill_rows(hash.start, starts, width, width);
        }
        for group in lanes.steps(width) {
            self.write_numbers(hash.numbers, group.first, starts);
            let from = match &*starts {
                [] => LaneStart::Same(hash.start),
                words => LaneStart::Each(Rows { words, stride: width }),
            };
            let groups = LaneGroups::one(group, lanes.end, from);
            let mut states = LaneStates::new(states, width);
            self.advance_messages(work, groups, None, states.reborrow(), words);
            self.advance_shared(work.shared, states.reborrow(), words);
            if let Some(outer) = hash.outer {
                self.apply_outer_hash(kernel, outer, states.reborrow(), words);
            }
            self.write_digests(states.rows(), hash.digests.of_lanes(group));
        }
    }

    /// Writes the numbers of the messages from lane `first` on, if they have any, to their starts.
    fn write_numbers(self, numbers: Option<Numbering>, first: usize, starts: &mut [W]) {
        let width = self.kernel.lanes;
        let Some(numbers) = numbers else { return };
        for l in 0..width {
            let [low, high] = numbers.words(first + l);
            (starts[numbers.word * width + l], starts[(numbers.word + 1) * width + l]) =
                (low, high);
        }
    }

    /// Hashes the digests in the states once more.
    fn apply_outer_hash(
        self,
        kernel: FedKernel<W>,
        outer: &OuterHash<W>,
        mut states: LaneStates<'_, W>,
        words: &mut [W],
    ) {
        let (shape, width) = (self.shape, self.kernel.lanes);
        let words = &mut words[..shape.block_words * width];
        let block = &outer.block;
        fill_rows(block.words(), words, width, width);
        for i in 0..block.digest_words {
            words[i * width..][..width].copy_from_slice(&states.row(i, 0)[..width]);
        }
        block.pad_last_words(&mut words[(block.digest_words - 1) * width..][..width]);
        let (start, stride) = (LaneStart::Same(outer.start()), states.stride());
        (kernel.advance)(shape, start, states.words_mut(), stride, words, 1);
    }

    /// [`run`](Self::run) for states in the lanes' own storage.
    fn run_in_place(
        self,
        work: &LaneWork<'_, W>,
        lanes: LaneRange,
        from: LaneStart<'_, W>,
        states: &mut LaneStates<'_, W>,
        mut digests: Option<&mut ContiguousDigests<'_>>,
        words: &mut [W],
    ) {
        let stride = states.stride();
        for group in lanes.steps(self.kernel.lanes) {
            let mut states = LaneStates::new(states.skip_lanes(group.first), stride);
            let groups = LaneGroups::one(group, lanes.end, from);
            let own = digests.as_mut().map(|digests| digests.of_lanes(group));
            self.advance_messages(work, groups, own, states.reborrow(), words);
            if let VectorKernelCode::Fed(_) = self.vectors.code {
                self.advance_shared(work.shared, states.reborrow(), words);
                if let Some(digests) = &mut digests {
                    self.write_digests(states.rows(), digests.of_lanes(group));
                }
            }
        }
    }

    /// Advances the lanes by the shared block, if any.
    pub(in crate::lanes) fn advance_shared(
        self,
        shared: &[W],
        mut states: LaneStates<'_, W>,
        words: &mut [W],
    ) {
        if shared.is_empty() {
            return;
        }
        let (stride, states) = (states.stride(), states.words_mut());
        match self.vectors.code {
            VectorKernelCode::Fused(fused) => {
                let runs = Runs::new(&[]);
                let ending = FusedEnding { lengths: None, shared };
                let none = FusedWork::new(self.shape, BlockInput::whole(&runs, 0));
                fused(LaneStart::Own, states, stride, &mut FusedWork { ending, ..none });
            }
            VectorKernelCode::Fed(FedKernel { shared: Some(advance), .. }) => {
                advance(self.shape, states, stride, shared);
            }
            // without a schedule, the shared words are the block itself
            VectorKernelCode::Fed(FedKernel { advance, shared: None }) => {
                let width = self.kernel.lanes;
                let words = &mut words[..self.shape.block_words * width];
                fill_rows(shared, words, width, width);
                advance(self.shape, LaneStart::Own, states, stride, words, 1);
            }
        }
    }

    /// Writes the digests of the first lanes of `states`.
    pub(in crate::lanes) fn write_digests(self, states: Rows<'_, W>, out: ContiguousDigests<'_>) {
        let (feed, ContiguousDigests { bytes, size }) = (self.vectors.feed, out);
        for (i, out) in bytes.chunks_mut(feed.lanes * size).enumerate() {
            let words = &states.words[i * feed.lanes..];
            (feed.digests)(self.shape.order, words, states.stride, size, out);
        }
    }

    /// Words of the blocks that are fed before they are compressed in one call, so that the states
    /// go through memory less often. A fused kernel keeps its blocks in registers.
    fn words_fed_at_once(self, blocks: usize) -> usize {
        match self.vectors.code {
            VectorKernelCode::Fused(_) => 0,
            VectorKernelCode::Fed(_) => {
                self.super_block_words()
                    * blocks.clamp(1, (MAX_FED_WORDS / self.super_block_words()).max(1))
            }
        }
    }

    /// Words of one block in all lanes.
    pub(in crate::lanes) fn super_block_words(self) -> usize {
        self.shape.block_words * self.kernel.lanes
    }

    /// The layout of a block for the feed.
    pub(in crate::lanes) fn block_layout(self) -> BlockLayout {
        BlockLayout { words: self.shape.block_words, order: self.shape.order }
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
        // in pieces of a length that the compiler knows
        let (pieces, rest) = rows[i * stride..][..width].as_chunks_mut::<8>();
        pieces.fill([*word; 8]);
        rest.fill(*word);
    }
}
