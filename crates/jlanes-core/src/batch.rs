//! S-HASH: many messages at once, each with its standard digest (\[SH\], Algorithm 1).
//!
//! Up to [`Engine::lanes`] messages run at once. Each [`step`](Batch::step) advances all of them by
//! the smallest number of whole blocks that is ready in any. When a message ends, the next one
//! takes its lane. When no message is left to take a lane, the live lanes are compacted and the
//! engine continues with the best kernel for their number; here the paper finishes the last
//! messages one by one.
//!
//! [`Batch`] pulls messages in pieces from [`Source`]s; [`Function`](function::Function) has the jobs of
//! messages in memory, a [`MessageSource`].

use core::{
    marker::PhantomData,
    task::{Context, Waker},
};

use crate::{
    engine::Engine,
    hash::{HashFunction, Output, WordOf, of_slice},
    jobs::{Jobs as _, flow::Flow},
};

pub mod blocks;
mod digests;
pub mod function;
pub mod load;
mod start;
#[cfg(feature = "alloc")]
pub mod tweaked;

pub use digests::{BatchDigest, MultiDigest, MultiXof, OutputOf};
pub use start::Start;

pub use crate::jobs::{
    BatchFunction, Poison, Progress, Source, Usage,
    list::source::{Fill, MessageSource, filling},
};

/// Messages in lanes.
pub struct Batch<H: HashFunction, E, S: Source> {
    start: Start<H>,
    flow: Flow<WordOf<H>, S>,
    engine: PhantomData<fn() -> E>,
}

#[cfg(feature = "zeroize")]
impl<H: HashFunction, E, S: Source> Drop for Batch<H, E, S> {
    fn drop(&mut self) {
        crate::wipe::words(self.start.state.as_mut());
    }
}

/// Excludes the sources and their buffers, which wipe themselves.
#[cfg(feature = "zeroize")]
impl<H: HashFunction, E, S: Source> digest::zeroize::ZeroizeOnDrop for Batch<H, E, S> {}

impl<H: BatchFunction, E: Engine<H::Compression>, S: Source> Batch<H, E, S> {
    /// An empty batch of messages that start at `start`.
    #[must_use]
    pub fn new(engine: E, start: Start<H>) -> Self {
        Self {
            start,
            flow: Flow::new(&start.on(engine), WordOf::<H>::lane_methods()),
            engine: PhantomData,
        }
    }

    /// Messages in flight, in a lane or parked.
    #[must_use]
    pub fn live(&self) -> usize {
        self.flow.lanes.live + self.parked()
    }

    /// Messages that wait for their sources.
    #[must_use]
    pub fn parked(&self) -> usize {
        self.flow.parked()
    }

    /// Takes no more messages while `most` wait for their sources, each with its own buffer; 0 counts as
    /// 1.
    #[cfg(feature = "alloc")]
    pub fn park_at_most(&mut self, most: usize) {
        self.flow.most_parked = most.max(1);
    }

    /// How well the lanes were filled so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.flow.lanes.usage
    }

    /// Fills free lanes from `next`, advances every lane by at least one block, and passes each
    /// message that ended or failed to `done`. Returns whether messages are still in flight.
    ///
    /// The next step polls sources that are not ready.
    ///
    /// # Panics
    /// If a source's piece changes between calls of `fill` and `consume`, and after a panic of a source or
    /// of a closure.
    pub fn step(
        &mut self,
        mut next: impl FnMut() -> Option<S>,
        done: impl FnMut(S, Result<Output<H>, S::Error>),
    ) -> bool {
        let start = self.start;
        let cx = &mut Context::from_waker(Waker::noop());
        self.poll_step(cx, || next().map(|source| (source, start)), done) != Progress::Idle
    }

    /// [`step`](Self::step) with sources that wake the waker in `cx`, and with a start for each
    /// message, as a tree's nodes need.
    ///
    /// If it returns [`Progress::Waiting`], every source in flight has seen `cx`.
    ///
    /// # Panics
    /// As `step`.
    pub fn poll_step(
        &mut self,
        cx: &mut Context<'_>,
        mut next: impl FnMut() -> Option<(S, Start<H>)>,
        mut done: impl FnMut(S, Result<Output<H>, S::Error>),
    ) -> Progress {
        let mut next = |state: &mut [WordOf<H>]| {
            let (source, start) = next()?;
            state.copy_from_slice(start.state.as_ref());
            Some((source, start.total))
        };
        let mut done = |source: S, result: Result<&[WordOf<H>], S::Error>| {
            done(source, result.map(|state| H::output(&of_slice::<H>(state))));
        };
        self.flow.poll(cx, &mut next, &mut done)
    }
}
