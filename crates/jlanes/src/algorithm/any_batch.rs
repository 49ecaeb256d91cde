//! Messages in lanes, under an algorithm selected at run time.

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

/// The result for a finished message.
pub(super) type Done<'d, S> =
    dyn FnMut(<S as Source>::Key, Result<Box<[u8]>, <S as Source>::Error>) + 'd;

/// Messages in flight under some algorithm. The trait has no more methods than a schedule needs, to
/// keep other jobs out of programs that only schedule.
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

/// A batch on the heap. This is a separate function because it needs thousands of bytes of stack,
/// which callers should not keep.
#[inline(never)]
fn boxed<W: Word, S: Source>(function: Function<W>) -> Box<FunctionBatch<W, S>> {
    Box::new(FunctionBatch::new(function))
}

/// Converts the output of the lanes to a digest.
pub(super) type ToDigest = Box<dyn Fn(&[u8]) -> Box<[u8]>>;

pub(super) struct BatchOf<W: Word, S: Source> {
    batch: Box<FunctionBatch<W, Prefixed<S>>>,
    digest: ToDigest,
}

impl<W: Word, S: Source> BatchOf<W, S> {
    /// A batch of messages under `function`; `digest` converts the output of the lanes to a digest.
    pub(super) fn new(function: Function<W>, digest: ToDigest) -> Self {
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
