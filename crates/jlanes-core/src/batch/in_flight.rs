//! Lanes of messages that arrive in pieces: what does not depend on where they come from.

use super::{Usage, hashing::Hashing};
use crate::{
    engine::messages::Messages,
    hash::{Descriptor, compression::LaneBuffer, padding::Padding},
    kernel::{Kernels, MAX_LANES},
    simd::lanes::{Array, Word, copy},
    wipe,
};

/// The message in a lane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lane {
    /// Bytes absorbed or held.
    total: u128,
    /// Bytes of an incomplete block that are held.
    held: usize,
    /// How many of the held blocks are ready to be compressed, and where they start.
    ready: usize,
    at: usize,
    /// Whether the blocks to be compressed are not held, but lie in the source's piece.
    pub(super) direct: bool,
    end: End,
}

/// How far the end of a message is.
#[derive(Clone, Copy, Debug, Default)]
enum End {
    /// More may come.
    #[default]
    Open,
    /// Nothing more comes.
    Closed,
    /// The padding is made.
    Padded,
    /// The output transform is made too.
    Transformed,
}

/// The lanes. The first `live` have messages.
pub struct LanesInFlight<W: Word> {
    pub(super) kernels: Kernels<W>,
    pub(super) hash: &'static Descriptor<W>,
    states: LaneBuffer<W>,
    /// For each lane the block or two that it assembles: pieces that end within a block, the padding.
    held: W::HeldBlocks,
    pub(super) lanes: [Lane; MAX_LANES],
    pub(super) live: usize,
    pub(super) usage: Usage,
}

impl<W: Word> LanesInFlight<W> {
    pub(super) fn new(hashing: &Hashing<'_, W>) -> Self {
        Self {
            kernels: hashing.kernels,
            hash: hashing.hash,
            states: LaneBuffer::new(&hashing.hash.shape),
            held: Array::splat(0),
            lanes: [Lane::default(); MAX_LANES],
            live: 0,
            usage: Usage::default(),
        }
    }

    /// The state in lane `l`, with room for more words.
    pub(super) fn state(&self, l: usize) -> W::State {
        let mut state = W::State::splat(W::default());
        self.states.get_into(l, &mut state.as_mut()[..self.hash.shape.state]);
        state
    }

    /// Overwrites it.
    pub(super) fn set_state(&mut self, l: usize, state: &W::State) {
        self.states.states().set(l, &state.as_ref()[..self.hash.shape.state]);
    }

    /// The block or two that lane `l` assembles.
    pub(super) fn held(&mut self, l: usize) -> &mut [u8] {
        let room = 2 * self.hash.shape.block;
        &mut self.held.as_mut()[l * room..][..room]
    }

    /// Puts a message into lane `l`, which starts at `state` behind `total` bytes.
    pub(super) fn place(&mut self, l: usize, state: &W::State, total: u128) {
        self.set_state(l, state);
        self.lanes[l] = Lane { total, ..Lane::default() };
    }

    /// Moves the last live lane into lane `l`, which is free.
    pub(super) fn close_ranks(&mut self, l: usize) {
        self.live -= 1;
        let (last, room) = (self.live, 2 * self.hash.shape.block);
        self.set_state(l, &self.state(last));
        self.held.as_mut().copy_within(last * room..(last + 1) * room, l * room);
        self.lanes[l] = self.lanes[last];
    }

    /// Blocks of lane `l` that are held and ready: none at the end of its message, unknown while more
    /// has to be [offered](Self::offer).
    pub(super) fn held_ready(&mut self, l: usize) -> Option<usize> {
        let (hash, Lane { total, held, ready, end, .. }) = (self.hash, self.lanes[l]);
        match end {
            _ if ready > 0 => return Some(ready),
            End::Open => return None,
            End::Closed => {}
            End::Padded if hash.output_transform => {}
            End::Padded | End::Transformed => return Some(0),
        }
        let mut state = self.state(l);
        let (words, blocks) = (&mut state.as_mut()[..hash.shape.state], self.held(l));
        let (ready, end) = if let End::Closed = end {
            blocks[held..].fill(0);
            (hash.pad(words, held, total, blocks), End::Padded)
        } else {
            blocks.fill(0);
            (usize::from((hash.transform)(words)), End::Transformed)
        };
        // padding of other kinds does not show in the state
        if hash.padding == Padding::Zeros || hash.output_transform {
            self.set_state(l, &state);
        }
        wipe::words(state.as_mut());
        self.lanes[l] = Lane { ready, at: 0, direct: false, end, ..self.lanes[l] };
        Some(ready)
    }

    /// Offers lane `l` the next piece of its message, which is empty if the message is over. Tells how
    /// many blocks of it can be compressed where they are, or how many bytes of it are held now.
    pub(super) fn offer(&mut self, l: usize, piece: &[u8]) -> (usize, usize) {
        let (hash, lane) = (self.hash, &mut self.lanes[l]);
        let (block, blocks) = (hash.shape.block, hash.whole_blocks(piece.len()));
        lane.direct = false;
        if lane.held == block && hash.padding.hold_back() <= piece.len() {
            (lane.held, lane.ready, lane.at) = (0, 1, 0);
        } else if piece.is_empty() {
            lane.end = End::Closed;
        } else if lane.held == 0 && blocks > 0 {
            lane.direct = true;
            return (blocks, 0);
        } else {
            let n = piece.len().min(block - lane.held);
            let held = &mut self.held.as_mut()[2 * l * block + lane.held..];
            copy(held, &piece[..n]);
            lane.held += n;
            lane.total += n as u128;
            return (0, n);
        }
        (0, 0)
    }

    /// Advances every live lane by `run` blocks: of its piece, or of those that are held.
    pub(super) fn advance(&mut self, pieces: &[&[u8]; MAX_LANES], run: usize) {
        let (live, block) = (self.live, self.hash.shape.block);
        let (bytes, held) = (run * block, self.held.as_ref());
        let mut runs = *pieces;
        for (l, lane) in self.lanes[..live].iter_mut().enumerate() {
            if lane.direct {
                runs[l] = &runs[l][..bytes];
                lane.total += bytes as u128;
            } else {
                runs[l] = &held[2 * l * block + lane.at..][..bytes];
                lane.ready -= run;
                lane.at += bytes;
            }
        }
        let work = Messages::advance(self.states.states(), &runs[..live]);
        self.kernels.messages(Messages { blocks: run, ..work });
        self.usage.add(Usage::new((run * live) as u64, run as u64));
    }
}

impl<W: Word> Drop for LanesInFlight<W> {
    fn drop(&mut self) {
        self.states.wipe();
        wipe::bytes(self.held.as_mut());
    }
}
