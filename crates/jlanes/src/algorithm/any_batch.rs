//! Messages in lanes, under an algorithm that was chosen at run time.

use alloc::{boxed::Box, collections::VecDeque, vec, vec::Vec};
use core::task::Context;

use jlanes_core::{
    batch::{
        Progress, Source, Usage,
        function::{Function, FunctionBatch},
    },
    simd::lanes::Word,
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
fn boxed<W: Word, S: Source>(function: Function<W>) -> Box<FunctionBatch<W, S>> {
    Box::new(FunctionBatch::new(function))
}

/// Makes a digest of what comes out of the lanes.
pub(super) type Cut = Box<dyn Fn(&[u8]) -> Box<[u8]>>;

pub(super) struct BatchOf<W: Word, S: Source> {
    batch: Box<FunctionBatch<W, Prefixed<S>>>,
    digest: Cut,
}

impl<W: Word, S: Source> BatchOf<W, S> {
    /// A batch of messages under `function`; `digest` makes a digest of what comes out.
    pub(super) fn new(function: Function<W>, digest: Cut) -> Self {
        Self { batch: boxed(function), digest }
    }
}

impl<W: Word, S: Source> AnyBatch<S> for BatchOf<W, S> {
    fn advance(
        &mut self,
        cx: &mut Context<'_>,
        waiting: &mut VecDeque<Prefixed<S>>,
        done: &mut Done<'_, S>,
    ) -> Progress {
        let Self { batch, digest } = self;
        batch.poll_step(
            cx,
            || waiting.pop_front(),
            |source, result| done(source.into_key(), result.map(&*digest)),
        )
    }

    fn live(&self) -> usize {
        self.batch.live()
    }

    fn lanes(&self) -> usize {
        self.batch.function().kernels().lanes()
    }

    fn usage(&self) -> Usage {
        self.batch.usage()
    }

    fn digests(&self, messages: &[&[u8]]) -> Vec<Box<[u8]>> {
        let function = self.batch.function();
        let size = function.descriptor().digest;
        let mut ends = vec![0; messages.len() * size];
        function.slices(&[], messages, &mut ends);
        ends.chunks_exact(size).map(&*self.digest).collect()
    }
}
