//! Messages in flight that do not share lanes: a tree fills all lanes with the leaves of one message, and a checksum
//! has no lanes. A message advances until it ends or its source has to wait; then the next one has its turn.

use alloc::{boxed::Box, collections::VecDeque};
use core::task::{Context, Poll};

use jlanes_core::function::{Poison, Progress, Source, Usage};

use super::{AnyHasher, scheduler::AnyDone};
use crate::multi::scheduler::InFlightStats;

/// The maximum number of bytes that a message advances in one step.
const TURN_BYTES: usize = 256 << 10;

/// Bytes that [`Usage`] counts as a block.
const BLOCK_BYTES: u64 = 64;

pub struct OneByOne<S: Source> {
    /// The hasher of messages that have not begun.
    hasher: Box<dyn AnyHasher>,
    /// The current message, if any, followed by the messages that wait for their sources.
    messages: VecDeque<Message<S>>,
    has_current: bool,
    max_parked: usize,
    bytes: u64,
    poison: Poison,
}

struct Message<S: Source> {
    source: S,
    buffer: S::Buffer,
    hasher: Box<dyn AnyHasher>,
}

impl<S: Source> OneByOne<S> {
    pub(super) fn new(hasher: Box<dyn AnyHasher>) -> Self {
        Self {
            hasher,
            messages: VecDeque::new(),
            has_current: false,
            max_parked: usize::MAX,
            bytes: 0,
            poison: Poison::default(),
        }
    }

    pub(super) fn advance(
        &mut self,
        cx: &mut Context<'_>,
        waiting: &mut VecDeque<S>,
        done: &mut AnyDone<'_, S>,
    ) -> Progress {
        Poison::step(self, |this| &mut this.poison, |this| this.step(cx, waiting, done))
    }

    fn step(
        &mut self,
        cx: &mut Context<'_>,
        waiting: &mut VecDeque<S>,
        done: &mut AnyDone<'_, S>,
    ) -> Progress {
        self.has_current = false;
        let mut pending = 0;
        loop {
            if pending == self.messages.len() && pending < self.max_parked {
                // all messages wait: start the next one
                let Some(source) = waiting.pop_front() else { break };
                let (buffer, hasher) = (S::Buffer::default(), self.hasher.clone());
                self.messages.push_front(Message { source, buffer, hasher });
            } else if pending == self.messages.len() {
                break;
            }
            let Some(mut message) = self.messages.pop_front() else { break };
            match message.source.fill(cx, &mut message.buffer) {
                Poll::Pending => {
                    self.messages.push_back(message);
                    pending += 1;
                    continue;
                }
                Poll::Ready(Err(error)) => done(message.source.into_key(), Err(error)),
                Poll::Ready(Ok(())) => {
                    let piece = message.source.piece(&message.buffer);
                    let n = piece.len().min(TURN_BYTES);
                    if n == 0 {
                        done(message.source.into_key(), Ok(message.hasher.finalize()));
                    } else {
                        message.hasher.update(&piece[..n]);
                        message.source.consume(&mut message.buffer, n);
                        self.bytes += n as u64;
                        self.messages.push_front(message);
                        self.has_current = true;
                    }
                }
            }
            return Progress::Advanced;
        }
        if self.messages.is_empty() { Progress::Idle } else { Progress::Waiting }
    }

    pub(super) fn stats(&self) -> InFlightStats {
        let (messages, blocks) = (self.messages.len(), self.bytes.div_ceil(BLOCK_BYTES));
        let parked = messages - usize::from(self.has_current);
        InFlightStats { messages, parked, lanes: 1, usage: Usage::new(blocks, blocks) }
    }

    /// Takes no more messages while `most` wait; 0 counts as 1.
    pub(super) fn park_at_most(&mut self, most: usize) {
        self.max_parked = most.max(1);
    }
}
