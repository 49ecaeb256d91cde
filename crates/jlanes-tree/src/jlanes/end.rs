//! The ends of j-lanes: the last bytes of the lanes, with lengths that differ by a word at most, and their padding.

use core::ops::Range;

use jlanes_core::{
    compression::{MAX_BLOCK_BYTES, MAX_LANES},
    function::Function,
    hash::{
        Descriptor,
        shared_block::{self, SharedBlock},
    },
    jobs::CompiledWord,
    kernel::Kernels,
    lanes::messages::{LaneWork, Route},
    simd::vector::Array,
    wipe,
};

use crate::{cost_model::slice_bytes, interleave::LaneGroup};

/// Finishes lanes: the values that the ends of all lanes share.
pub(super) struct LaneEnds<'a, W: CompiledWord> {
    function: &'a Function<W>,
    kernels: Kernels<W>,
    hash: &'static Descriptor<W>,
    /// Lanes of the tree.
    lanes: usize,
    /// The bytes after the last whole super-block.
    tail: &'a [u8],
    /// Bytes of the message.
    total: u64,
    /// The prefix of every lane: empty, or a block.
    prefix: &'a [u8],
    /// The last block, if it is the same in every lane.
    shared: Option<SharedBlock<W>>,
}

/// The number of lanes from which expanding a shared block pays.
const MIN_LANES_TO_SHARE: usize = 8;

/// The last bytes of a lane: up to two blocks.
type Blocks = [u8; 2 * MAX_BLOCK_BYTES];

impl<'a, W: CompiledWord> LaneEnds<'a, W> {
    /// The ends of `lanes` lanes of a message of `total` bytes, with `tail` left.
    pub(super) fn new(
        function: &'a Function<W>,
        lanes: usize,
        tail: &'a [u8],
        total: u64,
        prefix: &'a [u8],
    ) -> Self {
        let (kernels, hash) = (function.kernels(), function.descriptor());
        let mut ends = Self { function, kernels, hash, lanes, tail, total, prefix, shared: None };
        let equal = tail.len().is_multiple_of(lanes * W::BYTES);
        if equal && lanes >= MIN_LANES_TO_SHARE {
            let slice = u128::from(total / lanes as u64);
            ends.shared = shared_block::of_length(hash, prefix.len() as u128 + slice);
        }
        ends
    }

    /// Finishes the group's lanes.
    pub(super) fn finish(&self, group: &mut LaneGroup<W>) {
        let shared = self.shared.as_ref().map_or(&[] as &[W], SharedBlock::words);
        if !shared.is_empty() && self.tail.is_empty() {
            let none = [&[] as &[u8]; MAX_LANES];
            let work = LaneWork { shared, ..LaneWork::new(&none[..group.live], 0) };
            return self.kernels.advance_messages(work, Route::StatesToStates(group.states()));
        }
        let (block, live) = (self.hash.shape.block_bytes, group.live);
        let mut blocks = [[0; 2 * MAX_BLOCK_BYTES]; MAX_LANES];
        let mut tails = [0; MAX_LANES];
        let mut whole = [0; MAX_LANES];
        for l in 0..live {
            tails[l] = self.copy_tail(group, l, &mut blocks[l]);
            whole[l] = self.hash.whole_blocks(tails[l]);
        }
        self.run(group, &blocks, 0..1, &[], &|l| whole[l] > 0);
        let mut counts = [0; MAX_LANES];
        let mut state = W::State::splat(W::default());
        let state = &mut state.as_mut()[..self.hash.shape.state_words];
        for l in 0..live {
            blocks[l].copy_within(whole[l] * block..tails[l], 0);
            tails[l] -= whole[l] * block;
            blocks[l][tails[l]..].fill(0);
            let total = self.prefix.len() as u128 + u128::from(self.slice_bytes(group, l));
            group.states().get_into(l, state);
            counts[l] = self.hash.pad(state, tails[l], total, &mut blocks[l]);
            group.states().set(l, state);
        }
        let least = counts[..live].iter().copied().min().unwrap_or(0);
        let own = if shared.is_empty() { least } else { least - 1 };
        self.run(group, &blocks, 0..own, shared, &|_| true);
        // an end is one or two blocks
        self.run(group, &blocks, least..least + 1, &[], &|l| counts[l] > least);
        if self.hash.has_output_transform {
            self.kernels.transform(self.hash, group.states(), live);
        }
        wipe::bytes(blocks.as_flattened_mut());
    }

    /// Copies the rest of lane `l` into its blocks, and returns its number of bytes.
    fn copy_tail(&self, group: &mut LaneGroup<W>, l: usize, blocks: &mut Blocks) -> usize {
        if self.hash.padding.held_back() > 0 && self.slice_bytes(group, l) == 0 {
            // the slice is empty, so the prefix itself is held back
            group.states().set(l, self.function.start());
            blocks[..self.prefix.len()].copy_from_slice(self.prefix);
            return self.prefix.len();
        }
        let mut tail = 0;
        let own = self.tail.get((group.first + l) * W::BYTES..).unwrap_or_default();
        for bytes in own.chunks(self.lanes * W::BYTES) {
            let bytes = &bytes[..bytes.len().min(W::BYTES)];
            blocks[tail..][..bytes.len()].copy_from_slice(bytes);
            tail += bytes.len();
        }
        tail
    }

    /// Bytes of lane `l`'s slice.
    fn slice_bytes(&self, group: &LaneGroup<W>, l: usize) -> u64 {
        let (lanes, lane) = (self.lanes as u64, (group.first + l) as u64);
        slice_bytes(W::BYTES, self.total, lanes, lane)
    }

    /// Advances the lanes in `wanted` by the blocks `range`, and then by a shared one.
    fn run(
        &self,
        group: &mut LaneGroup<W>,
        blocks: &[Blocks],
        range: Range<usize>,
        shared: &[W],
        wanted: &dyn Fn(usize) -> bool,
    ) {
        let Some(farthest) = (0..group.live).rfind(|l| wanted(*l)) else { return };
        let before = *group;
        let mut runs: [&[u8]; MAX_LANES] = [&[]; MAX_LANES];
        for (run, blocks) in runs.iter_mut().zip(blocks) {
            *run = &blocks[range.start * self.hash.shape.block_bytes..];
        }
        let work = LaneWork { shared, ..LaneWork::new(&runs[..=farthest], range.len()) };
        self.kernels.advance_messages(work, Route::StatesToStates(group.states()));
        for l in (0..group.live).filter(|l| !wanted(*l)) {
            group.restore(&before, l);
        }
    }
}
