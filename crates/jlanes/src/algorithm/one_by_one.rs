//! Messages that take turns, under an algorithm that fills the lanes with one message.

use alloc::{boxed::Box, collections::VecDeque};
use core::task::{Context, Poll};

use jlanes_core::batch::{Poison, Progress, Source, Usage};

use super::{
    AnyHasher,
    any_batch::{AnyBatch, Done},
    prefixed::Prefixed,
};

/// The maximum number of bytes that a message advances in one step.
const TURN: usize = 256 << 10;

/// Bytes that count as a block.
const BLOCK: u64 = 64;

pub(super) struct OneByOne<S: Source> {
    /// A hasher in its initial state.
    hasher: Box<dyn AnyHasher>,
    /// The current message, followed by the ones waiting for their sources.
    messages: VecDeque<Message<S>>,
    bytes: u64,
    poison: Poison,
}

struct Message<S: Source> {
    source: Prefixed<S>,
    buffer: S::Buffer,
    hasher: Box<dyn AnyHasher>,
}

impl<S: Source> OneByOne<S> {
    pub(super) fn new(hasher: Box<dyn AnyHasher>) -> Self {
        Self { hasher, messages: VecDeque::new(), bytes: 0, poison: Poison::default() }
    }

    fn step(
        &mut self,
        cx: &mut Context<'_>,
        waiting: &mut VecDeque<Prefixed<S>>,
        done: &mut Done<'_, S>,
    ) -> Progress {
        let mut asked = 0;
        loop {
            if asked == self.messages.len() {
                // all messages wait: start the next one
                let Some(source) = waiting.pop_front() else { break };
                let (buffer, hasher) = (S::Buffer::default(), self.hasher.clone());
                self.messages.push_front(Message { source, buffer, hasher });
            }
            let Some(mut message) = self.messages.pop_front() else { break };
            match message.source.fill(cx, &mut message.buffer) {
                Poll::Pending => {
                    self.messages.push_back(message);
                    asked += 1;
                    continue;
                }
                Poll::Ready(Err(error)) => done(message.source.into_key(), Err(error)),
                Poll::Ready(Ok(())) => {
                    let piece = message.source.piece(&message.buffer);
                    let n = piece.len().min(TURN);
                    if n == 0 {
                        done(message.source.into_key(), Ok(message.hasher.finalize()));
                    } else {
                        message.hasher.update(&piece[..n]);
                        message.source.consume(&mut message.buffer, n);
                        self.bytes += n as u64;
                        self.messages.push_front(message);
                    }
                }
            }
            return Progress::Advanced;
        }
        if self.messages.is_empty() { Progress::Idle } else { Progress::Waiting }
    }
}

impl<S: Source> AnyBatch<S> for OneByOne<S> {
    fn advance(
        &mut self,
        cx: &mut Context<'_>,
        waiting: &mut VecDeque<Prefixed<S>>,
        done: &mut Done<'_, S>,
    ) -> Progress {
        Poison::step(self, |batch| &mut batch.poison, |batch| batch.step(cx, waiting, done))
    }

    fn live(&self) -> usize {
        self.messages.len()
    }

    fn lanes(&self) -> usize {
        1
    }

    fn usage(&self) -> Usage {
        let blocks = self.bytes.div_ceil(BLOCK);
        Usage::new(blocks, blocks)
    }
}
