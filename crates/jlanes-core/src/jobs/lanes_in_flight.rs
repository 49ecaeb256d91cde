//! The lanes of messages in flight, independent of their sources: states, held bytes, ends.

use super::hashing::Hashing;
use crate::{
    compression::{LaneBuffer, MAX_BLOCK_BYTES, MAX_LANES, padding::Padding},
    hash::Descriptor,
    kernel::Kernels,
    lanes::messages::{LaneWork, Route},
    simd::{
        copy::copy,
        vector::{Array, Word},
    },
    wipe,
};

/// Use of the lanes: how many of them had a message in each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// Blocks compressed for messages.
    pub blocks: u64,
    /// Kernel steps of one block, each of all lanes.
    pub steps: u64,
}

impl Usage {
    /// A usage that was counted elsewhere.
    #[must_use]
    pub const fn new(blocks: u64, steps: u64) -> Self {
        Self { blocks, steps }
    }

    /// Adds the usage of other lanes.
    pub fn add(&mut self, other: Self) {
        self.blocks += other.blocks;
        self.steps += other.steps;
    }
}

/// The progress of the message in a lane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lane {
    /// Bytes absorbed or held.
    total: u128,
    /// Bytes of an incomplete block that are held.
    held: usize,
    /// The number of held blocks that can be compressed, and their offset.
    ready_blocks: usize,
    ready_at: usize,
    /// Whether the blocks to be compressed are in the source's piece instead of the held ones.
    pub(super) in_piece: bool,
    end: End,
}

/// The progress of a message's end.
#[derive(Clone, Copy, Debug, Default)]
enum End {
    /// More may follow.
    #[default]
    Open,
    /// Nothing follows.
    Closed,
    /// The padding is done.
    Padded,
    /// The output transform is done too.
    Transformed,
}

/// The result of offering a piece to a lane.
pub(super) enum OfferOutcome {
    /// Number of its blocks that can be compressed in place.
    Blocks(usize),
    /// Number of its bytes that are held now.
    Held(usize),
}

/// The lanes. The first `live` have messages.
pub(crate) struct LanesInFlight<W: Word> {
    pub(super) kernels: Kernels<W>,
    pub(super) hash: &'static Descriptor<W>,
    /// The state of messages after the prefix's whole blocks.
    pub(super) start: W::State,
    /// The bytes before `start`.
    before: u128,
    /// The rest of the prefix.
    rest: [u8; MAX_BLOCK_BYTES],
    rest_bytes: usize,
    states: LaneBuffer<W>,
    /// For each lane the one or two blocks that it assembles: pieces that end within a block, the
    /// padding.
    held: W::HeldBlocks,
    pub(super) lanes: [Lane; MAX_LANES],
    pub(crate) live: usize,
    pub(crate) usage: Usage,
    pub(super) methods: LaneMethods<W>,
}

/// The methods of lanes that [`InFlight`](super::in_flight::InFlight) calls, as pointers: a crate with
/// sources of its own compiles `InFlight`, but not these methods again.
#[derive(Clone, Copy)]
pub struct LaneMethods<W: Word> {
    /// [`LanesInFlight::held_ready`].
    pub(super) held_ready: fn(&mut LanesInFlight<W>, usize) -> Option<usize>,
    /// [`LanesInFlight::offer`].
    pub(super) offer: fn(&mut LanesInFlight<W>, usize, &[u8]) -> OfferOutcome,
    /// [`LanesInFlight::advance`].
    pub(super) advance: fn(&mut LanesInFlight<W>, &[&[u8]; MAX_LANES], usize),
}

impl<W: Word> LaneMethods<W> {
    /// The methods as this crate compiles them.
    pub(crate) fn new() -> Self {
        Self {
            held_ready: LanesInFlight::held_ready,
            offer: LanesInFlight::offer,
            advance: LanesInFlight::advance,
        }
    }
}

impl<W: Word> LanesInFlight<W> {
    /// Lanes for messages of `hashing`, each after the bytes of `prefix`.
    pub(crate) fn new(hashing: &Hashing<'_, W>, prefix: &[u8], methods: LaneMethods<W>) -> Self {
        let (mut after, left) = hashing.after(prefix);
        let (start, before) = (after.start, after.before);
        after.wipe();
        let mut rest = [0; MAX_BLOCK_BYTES];
        rest[..left.len()].copy_from_slice(left);
        Self {
            kernels: hashing.kernels,
            hash: hashing.hash,
            start,
            before,
            rest,
            rest_bytes: left.len(),
            states: LaneBuffer::new(&hashing.hash.shape),
            held: Array::splat(0),
            lanes: [Lane::default(); MAX_LANES],
            live: 0,
            usage: Usage::default(),
            methods,
        }
    }

    /// The state in lane `l`, in the storage for the longest state.
    pub(super) fn state(&self, l: usize) -> W::State {
        let mut state = W::State::splat(W::default());
        self.states.get_into(l, &mut state.as_mut()[..self.hash.shape.state_words]);
        state
    }

    /// Overwrites the state in lane `l`.
    pub(super) fn set_state(&mut self, l: usize, state: &W::State) {
        self.states.states().set(l, &state.as_ref()[..self.hash.shape.state_words]);
    }

    /// The one or two blocks that lane `l` assembles.
    pub(super) fn held(&mut self, l: usize) -> &mut [u8] {
        let room = 2 * self.hash.shape.block_bytes;
        &mut self.held.as_mut()[l * room..][..room]
    }

    /// Places a message into lane `l`. It starts at `state`, and continues with the rest of the prefix.
    pub(super) fn place(&mut self, l: usize, state: &W::State) {
        self.set_state(l, state);
        let (held, room) = (self.rest_bytes, 2 * self.hash.shape.block_bytes);
        self.held.as_mut()[l * room..][..held].copy_from_slice(&self.rest[..held]);
        let total = self.before + held as u128;
        self.lanes[l] = Lane { total, held, ..Lane::default() };
    }

    /// Moves the last live lane into the free lane `l`.
    pub(super) fn swap_remove_lane(&mut self, l: usize) {
        self.live -= 1;
        let (last, room) = (self.live, 2 * self.hash.shape.block_bytes);
        self.set_state(l, &self.state(last));
        self.held.as_mut().copy_within(last * room..(last + 1) * room, l * room);
        self.lanes[l] = self.lanes[last];
    }

    /// Held blocks of lane `l` that are ready: 0 at the end of its message, `None` while more has
    /// to be [offered](Self::offer).
    fn held_ready(&mut self, l: usize) -> Option<usize> {
        let (hash, Lane { total, held, ready_blocks, end, .. }) = (self.hash, self.lanes[l]);
        match end {
            _ if ready_blocks > 0 => return Some(ready_blocks),
            End::Open => return None,
            End::Closed => {}
            End::Padded if hash.has_output_transform => {}
            End::Padded | End::Transformed => return Some(0),
        }
        let mut state = self.state(l);
        let (words, blocks) = (&mut state.as_mut()[..hash.shape.state_words], self.held(l));
        let (ready_blocks, end) = if let End::Closed = end {
            blocks[held..].fill(0);
            (hash.pad(words, held, total, blocks), End::Padded)
        } else {
            blocks.fill(0);
            (usize::from((hash.transform)(words)), End::Transformed)
        };
        // other kinds of padding do not change the state
        if hash.padding == Padding::Zeros || hash.has_output_transform {
            self.set_state(l, &state);
        }
        wipe::words(state.as_mut());
        self.lanes[l] = Lane { ready_blocks, ready_at: 0, in_piece: false, end, ..self.lanes[l] };
        Some(ready_blocks)
    }

    /// Offers lane `l` the next piece of its message; an empty piece is the end.
    fn offer(&mut self, l: usize, piece: &[u8]) -> OfferOutcome {
        let (hash, lane) = (self.hash, &mut self.lanes[l]);
        let (block, blocks) = (hash.shape.block_bytes, hash.whole_blocks(piece.len()));
        lane.in_piece = false;
        if lane.held == block && hash.padding.held_back() <= piece.len() {
            (lane.held, lane.ready_blocks, lane.ready_at) = (0, 1, 0);
        } else if piece.is_empty() {
            lane.end = End::Closed;
        } else if lane.held == 0 && blocks > 0 {
            lane.in_piece = true;
            return OfferOutcome::Blocks(blocks);
        } else {
            let n = piece.len().min(block - lane.held);
            let held = &mut self.held.as_mut()[2 * l * block + lane.held..];
            copy(held, &piece[..n]);
            lane.held += n;
            lane.total += n as u128;
            return OfferOutcome::Held(n);
        }
        OfferOutcome::Held(0)
    }

    /// Advances every live lane by `blocks` blocks of its piece or of its held blocks.
    fn advance(&mut self, pieces: &[&[u8]; MAX_LANES], blocks: usize) {
        let (live, block) = (self.live, self.hash.shape.block_bytes);
        let (bytes, held) = (blocks * block, self.held.as_ref());
        let mut runs = *pieces;
        for (l, lane) in self.lanes[..live].iter_mut().enumerate() {
            if lane.in_piece {
                runs[l] = &runs[l][..bytes];
                lane.total += bytes as u128;
            } else {
                runs[l] = &held[2 * l * block + lane.ready_at..][..bytes];
                lane.ready_blocks -= blocks;
                lane.ready_at += bytes;
            }
        }
        let route = Route::StatesToStates(self.states.states());
        LaneWork::new(&runs[..live], blocks).run(route, &self.kernels);
        self.usage.add(Usage::new((blocks * live) as u64, blocks as u64));
    }
}

impl<W: Word> Drop for LanesInFlight<W> {
    fn drop(&mut self) {
        wipe::words(self.start.as_mut());
        wipe::bytes(&mut self.rest);
        self.states.wipe();
        wipe::bytes(self.held.as_mut());
    }
}
