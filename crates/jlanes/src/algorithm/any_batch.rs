//! Messages in lanes, under an algorithm selected at run time.

use alloc::{boxed::Box, collections::VecDeque, vec};
use core::task::Context;

use jlanes_core::{
    batch::{
        Progress, Source, Usage,
        function::{Function, FunctionBatch},
    },
    jobs::Jobs,
};

use super::{on_lanes::ToDigest, prefixed::Prefixed};

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
}

/// A batch on the heap. This is a separate function because it needs thousands of bytes of stack,
/// which callers should not keep.
#[inline(never)]
fn boxed<W: Jobs, S: Source>(function: Function<W>) -> Box<FunctionBatch<W, S>> {
    Box::new(FunctionBatch::new(function))
}

pub(super) struct BatchOf<W: Jobs, S: Source> {
    batch: Box<FunctionBatch<W, Prefixed<S>>>,
    digest: ToDigest,
    /// Bytes of a digest.
    size: usize,
}

impl<W: Jobs, S: Source> BatchOf<W, S> {
    /// A batch of messages under `function`; `digest` writes digests of `size` bytes.
    pub(super) fn new(function: Function<W>, digest: ToDigest, size: usize) -> Self {
        Self { batch: boxed(function), digest, size }
    }
}

impl<W: Jobs, S: Source> AnyBatch<S> for BatchOf<W, S> {
    fn advance(
        &mut self,
        cx: &mut Context<'_>,
        waiting: &mut VecDeque<Prefixed<S>>,
        done: &mut Done<'_, S>,
    ) -> Progress {
        let Self { batch, digest, size } = self;
        batch.poll_step(
            cx,
            |_| waiting.pop_front(),
            |source, result| {
                let boxed = |end: &[u8]| {
                    let mut out = vec![0; *size].into_boxed_slice();
                    digest(end, &mut out);
                    out
                };
                done(source.into_key(), result.map(boxed));
            },
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
}
