//! [`Interleaver`]: one message on `j` lanes that take turns at its words, as in j-lanes and multi-hash.
//!
//! The lanes are `j` serial chains that advance together, by *super-blocks*: `j` blocks, one per lane, which are
//! contiguous in the message. A kernel takes a [`LaneGroup`] at a time, as many lanes as it has.

use alloc::{boxed::Box, vec};

use jlanes_core::{
    compression::{LaneBuffer, LaneStates},
    function::Function,
    hash::Descriptor,
    jobs::CompiledWord,
    kernel::{Kernels, feed::Interleaved},
    lanes::interleaved::InterleavedLanes,
    wipe::{self, Buffer},
};

/// Bytes of the message that one group processes before the next group continues: the next group
/// then finds them in the first-level cache.
const TURN_BYTES: usize = 16 << 10;

/// The lanes of a message, with word `i` of lane `l` at `states[i * lanes + l]`.
pub(crate) struct AllLanes<'a, W: CompiledWord> {
    pub(crate) kernels: Kernels<W>,
    pub(crate) states: &'a mut [W],
    pub(crate) lanes: usize,
}

/// Adjacent lanes of the message, in a kernel.
#[derive(Clone, Copy)]
pub(crate) struct LaneGroup<W: CompiledWord> {
    /// First lane, and the number of lanes.
    pub(crate) first: usize,
    pub(crate) live: usize,
    kernels: Kernels<W>,
    states: LaneBuffer<W>,
}

impl<W: CompiledWord> LaneGroup<W> {
    /// Loads the lanes from `first` on, at most `width`.
    pub(crate) fn load(all: &AllLanes<'_, W>, first: usize, width: usize) -> Self {
        let (kernels, live) = (all.kernels, width.min(all.lanes - first));
        let mut group = Self { first, live, kernels, states: LaneBuffer::new(kernels.shape) };
        for (i, row) in all.states.chunks_exact(all.lanes).enumerate() {
            group.states().row_mut(i, 0)[..live].copy_from_slice(&row[first..][..live]);
        }
        group
    }

    /// Stores the group as the lanes from `first` on, of `lanes` in `states`.
    pub(crate) fn store(&mut self, states: &mut [W], lanes: usize, first: usize) {
        let live = self.live;
        for (i, row) in states.chunks_exact_mut(lanes).enumerate() {
            row[first..][..live].copy_from_slice(&self.states().row(i, 0)[..live]);
        }
    }

    /// The lanes' states.
    pub(crate) fn states(&mut self) -> LaneStates<'_, W> {
        self.states.states()
    }

    /// Advances the group by its share of the super-blocks in `data`, of `lanes` lanes.
    pub(crate) fn advance(&mut self, data: &[u8], lanes: usize) {
        self.kernels.advance_interleaved(InterleavedLanes {
            rows: Interleaved { data: &data[self.first * W::BYTES..], lanes },
            live: self.live,
            blocks: data.len() / (lanes * self.kernels.shape.block_bytes),
            shared: &[],
            states: self.states.states(),
        });
    }

    /// Restores lane `l` from `before`.
    pub(crate) fn restore(&mut self, before: &Self, l: usize) {
        let mut state = [W::default(); MAX_STATE_WORDS];
        let state = &mut state[..self.kernels.shape.state_words];
        before.states.get_into(l, state);
        self.states().set(l, state);
    }

    /// The digest of lane `l`.
    pub(crate) fn output(&mut self, hash: &Descriptor<W>, l: usize, out: &mut [u8]) {
        jlanes_core::lanes::rehash::get_digest(hash, &self.states(), l, out);
    }
}

/// Words of the longest state.
const MAX_STATE_WORDS: usize = 25;

/// Advances all lanes by the super-blocks in `data`.
pub(crate) fn advance<W: CompiledWord>(all: &mut AllLanes<'_, W>, data: &[u8]) {
    let (lanes, most) = (all.lanes, all.kernels.shape.max_lanes);
    let super_block = lanes * all.kernels.shape.block_bytes;
    let turn = if lanes <= most { data.len() } else { TURN_BYTES };
    let turn = (turn / super_block).max(1) * super_block;
    for data in data.chunks(turn) {
        for first in (0..lanes).step_by(most) {
            let mut group = LaneGroup::load(all, first, most);
            group.advance(data, lanes);
            group.store(all.states, lanes, first);
        }
    }
}

/// Calls `run` with the whole super-blocks of `buffer` followed by `data`, if `enough` bytes follow to
/// know that they are whole, and keeps the rest, which is less than `enough`.
fn take_super_blocks(
    mut data: &[u8],
    buffer: &mut Buffer,
    (super_block, enough): (usize, usize),
    run: &mut dyn FnMut(&[u8]),
) {
    while !buffer.is_empty() {
        let fill = data.len().min(super_block.saturating_sub(buffer.len()));
        buffer.append_within(&data[..fill], enough);
        data = &data[fill..];
        if buffer.len() + data.len() < enough {
            break;
        }
        run(&buffer[..super_block]);
        buffer.remove_front(super_block);
    }
    let whole = match buffer.len() {
        0 => data.len().saturating_sub(enough - super_block) / super_block * super_block,
        _ => 0,
    };
    let (whole, rest) = data.split_at(whole);
    if !whole.is_empty() {
        run(whole);
    }
    buffer.append_within(rest, enough);
}

/// Lanes, and the bytes that wait for a whole super-block.
///
/// Hash functions that hold the last block back hold a super-block back until every lane has one
/// more byte. The waiting bytes may then exceed a super-block by less than a row.
#[derive(Clone)]
pub(crate) struct Interleaver<W: CompiledWord> {
    function: Function<W>,
    lanes: usize,
    /// The chaining values, as in [`AllLanes`].
    states: Box<[W]>,
    buffer: Buffer,
}

impl<W: CompiledWord> Interleaver<W> {
    /// All lanes at `start`.
    pub(crate) fn new(function: Function<W>, lanes: usize, start: &[W]) -> Self {
        let states = vec![W::default(); lanes * start.len()].into();
        let mut interleaver = Self { function, lanes, states, buffer: Buffer::new() };
        interleaver.restart(start);
        interleaver
    }

    /// Resets all lanes to `start`.
    pub(crate) fn restart(&mut self, start: &[W]) {
        for (row, word) in self.states.chunks_exact_mut(self.lanes).zip(start) {
            row.fill(*word);
        }
        self.buffer.clear();
    }

    /// The hash function.
    pub(crate) fn function(&self) -> &Function<W> {
        &self.function
    }

    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// Absorbs more of the message; `advance` takes all lanes through whole super-blocks.
    pub(crate) fn update_with(&mut self, data: &[u8], advance: fn(&mut AllLanes<'_, W>, &[u8])) {
        let (kernels, hash) = (self.function.kernels(), self.function.descriptor());
        let lanes = self.lanes;
        let super_block = lanes * hash.shape.block_bytes;
        // bytes that must follow a super-block before it can be compressed
        let after = hash.padding.held_back() * ((lanes - 1) * W::BYTES + 1);
        let all = &mut AllLanes { kernels, states: &mut self.states, lanes };
        let run = &mut |super_blocks: &[u8]| advance(all, super_blocks);
        take_super_blocks(data, &mut self.buffer, (super_block, super_block + after), run);
    }

    /// Absorbs more of the message.
    pub(crate) fn update(&mut self, data: &[u8]) {
        self.update_with(data, advance);
    }

    /// The function, the chaining values, and the bytes that wait.
    pub(crate) fn split(&mut self) -> (&Function<W>, &mut [W], &mut Buffer) {
        (&self.function, &mut self.states, &mut self.buffer)
    }
}

impl<W: CompiledWord> Drop for Interleaver<W> {
    fn drop(&mut self) {
        wipe::words(&mut self.states);
    }
}
