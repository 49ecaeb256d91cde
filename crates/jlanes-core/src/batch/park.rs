//! Messages that wait for their sources, outside the lanes.

#[cfg(feature = "alloc")]
use {
    super::{Blocks, Lane},
    crate::{hash::State, wipe},
    alloc::collections::VecDeque,
    core::mem,
};

use super::{Batch, Retries, Source};
use crate::{engine::Engine, hash::HashFunction};

/// The messages, the one that waited longest first.
#[cfg(feature = "alloc")]
pub(super) struct Parked<H: HashFunction, S: Source> {
    messages: VecDeque<Message<H, S>>,
    /// How many there may be before no new message is taken.
    pub(super) most: usize,
}

/// A message with everything that its lane held.
#[cfg(feature = "alloc")]
struct Message<H: HashFunction, S: Source> {
    lane: Option<Lane<S>>,
    state: State<H>,
    blocks: Blocks,
    buffer: S::Buffer,
}

#[cfg(feature = "alloc")]
impl<H: HashFunction, S: Source> Drop for Message<H, S> {
    fn drop(&mut self) {
        wipe::words(self.state.as_mut());
        wipe::bytes(&mut self.blocks);
    }
}

#[cfg(feature = "alloc")]
impl<H: HashFunction, S: Source> Default for Parked<H, S> {
    fn default() -> Self {
        Self { messages: VecDeque::new(), most: usize::MAX }
    }
}

#[cfg(feature = "alloc")]
impl<H: HashFunction, S: Source> Parked<H, S> {
    pub(super) fn len(&self) -> usize {
        self.messages.len()
    }
}

impl<H: HashFunction, E: Engine<H::Compression>, S: Source> Batch<H, E, S> {
    /// Takes the message out of lane `l`.
    #[cfg(feature = "alloc")]
    pub(super) fn park(&mut self, l: usize) {
        self.parked.messages.push_back(Message {
            lane: self.lanes[l].take(),
            state: self.states.states().get(l),
            blocks: self.blocks.as_ref()[l],
            buffer: mem::take(&mut self.buffers[l]),
        });
    }

    /// Gives the free lane `l` to the message that waited longest, if one may be tried again.
    pub(super) fn unpark(&mut self, l: usize, retries: &mut Retries) -> bool {
        #[cfg(feature = "alloc")]
        if retries.all > 0
            && let Some(mut message) = self.parked.messages.pop_front()
        {
            retries.all -= 1;
            self.states.states().set(l, &message.state);
            self.blocks.as_mut()[l] = message.blocks;
            mem::swap(&mut self.buffers[l], &mut message.buffer);
            self.lanes[l] = message.lane.take();
            return true;
        }
        let _ = (l, retries.all); // without an allocator nothing is parked
        false
    }

    /// Whether new messages may be taken.
    pub(super) fn has_room(&self) -> bool {
        #[cfg(feature = "alloc")]
        return self.parked.len() < self.parked.most;
        #[cfg(not(feature = "alloc"))]
        true
    }
}
