//! Messages in lanes, under an algorithm that was chosen at run time.

use alloc::{boxed::Box, collections::VecDeque, vec, vec::Vec};
use core::task::Context;

use jlanes_core::{
    batch::{Batch, Progress, Source, Start, Usage, list},
    engine::Engine,
    hash::{HashFunction, Output},
};

use super::prefixed::Prefixed;

/// What is told of a message that is over.
pub(super) type Done<'d, S> =
    dyn FnMut(<S as Source>::Key, Result<Box<[u8]>, <S as Source>::Error>) + 'd;

/// Messages under way under some algorithm: no more than a schedule needs, so that programs that
/// have no other jobs do not carry them.
pub(super) trait AnyBatch<S: Source> {
    fn advance(
        &mut self,
        cx: &mut Context<'_>,
        waiting: &mut VecDeque<Prefixed<S>>,
        done: &mut Done<'_, S>,
    ) -> Progress;
    fn live(&self) -> usize;
    fn lanes(&self) -> usize;
    fn usage(&self) -> Usage;
    fn digests(&self, messages: &[&[u8]]) -> Vec<Box<[u8]>>;
}

/// A batch on the heap. This is a function by itself, as the batch is thousands of bytes on the stack
/// before it gets there, which no caller needs any longer.
#[inline(never)]
fn boxed<F: HashFunction, E: Engine<F::Compression>, S: Source>(
    engine: E,
    start: &Start<F>,
) -> Box<Batch<F, E, S>> {
    Box::new(Batch::new(engine, *start))
}

/// Makes a digest of what comes out of the lanes.
pub(super) type Cut = Box<dyn Fn(&[u8]) -> Box<[u8]>>;

pub(super) struct BatchOf<F: HashFunction, E, S: Source> {
    engine: E,
    start: Start<F>,
    batch: Box<Batch<F, E, Prefixed<S>>>,
    digest: Cut,
}

impl<F: HashFunction, E: Engine<F::Compression>, S: Source> BatchOf<F, E, S> {
    /// A batch of messages that begin at `start`; `digest` makes a digest of what comes out.
    pub(super) fn new(engine: E, start: Start<F>, digest: Cut) -> Self {
        Self { engine, start, batch: boxed(engine, &start), digest }
    }
}

impl<F: HashFunction, E: Engine<F::Compression>, S: Source> AnyBatch<S> for BatchOf<F, E, S> {
    fn advance(
        &mut self,
        cx: &mut Context<'_>,
        waiting: &mut VecDeque<Prefixed<S>>,
        done: &mut Done<'_, S>,
    ) -> Progress {
        let Self { start, batch, digest, .. } = self;
        batch.poll_step(
            cx,
            || Some((waiting.pop_front()?, *start)),
            |source, result| done(source.into_key(), result.map(|end| digest(&end))),
        )
    }

    fn live(&self) -> usize {
        self.batch.live()
    }

    fn lanes(&self) -> usize {
        self.engine.lanes()
    }

    fn usage(&self) -> Usage {
        self.batch.usage()
    }

    fn digests(&self, messages: &[&[u8]]) -> Vec<Box<[u8]>> {
        let mut ends = vec![Output::<F>::default(); messages.len()];
        list::digest(self.engine, &self.start, |i| [messages[i]], &mut ends);
        ends.iter().map(|end| (self.digest)(end)).collect()
    }
}
