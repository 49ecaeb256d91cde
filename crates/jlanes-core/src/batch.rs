//! S-HASH: many messages at once, each with its ordinary digest (\[SH\], Algorithm 1).
//!
//! Up to [`Engine::lanes`] messages run side by side. Each [`step`](Batch::step) advances all of
//! them by the smallest number of whole blocks that is ready in any; a message that ends gives its
//! lane to the next one at once. When no message is left to take a lane, the live lanes close
//! ranks and the engine goes on with the kernel that is best for so many: this is where the paper
//! finishes the last messages one by one.
//!
//! [`Batch`] pulls messages in pieces from [`Source`]s; [`list`] is the short way for messages
//! that are in memory.

use core::{
    marker::PhantomData,
    task::{Context, Waker},
};

use crate::{
    engine::Engine,
    hash::{HashFunction, Output, WordOf, of_slice},
};

pub mod chain;
mod flow;
pub mod function;
pub(crate) mod hashing;
mod in_flight;
pub(crate) mod jobs;
pub mod list;
pub mod load;
mod source;
mod start;

use flow::Flow;
pub use source::Source;
pub use start::Start;

/// How well the lanes were filled.
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

    /// Adds another batch's usage.
    pub fn add(&mut self, other: Self) {
        self.blocks += other.blocks;
        self.steps += other.steps;
    }
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// Messages went on, or ended.
    Advanced,
    /// All messages under way wait for their sources.
    Waiting,
    /// No message is under way.
    Idle,
}

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

/// Not of the sources, nor of their buffers, which are theirs to wipe.
#[cfg(feature = "zeroize")]
impl<H: HashFunction, E, S: Source> digest::zeroize::ZeroizeOnDrop for Batch<H, E, S> {}

impl<H: HashFunction, E: Engine<H::Compression>, S: Source> Batch<H, E, S> {
    /// A batch without messages, whose messages start at `start`.
    #[must_use]
    pub fn new(engine: E, start: Start<H>) -> Self {
        Self { start, flow: Flow::new(&start.on(engine)), engine: PhantomData }
    }

    /// Messages under way, in a lane or not.
    #[must_use]
    pub fn live(&self) -> usize {
        self.flow.lanes.live + self.parked()
    }

    /// Messages that wait for their sources.
    #[must_use]
    pub fn parked(&self) -> usize {
        self.flow.parked()
    }

    /// Takes no more messages while `most` wait for their sources, each with a buffer of its own.
    #[cfg(feature = "alloc")]
    pub fn park_at_most(&mut self, most: usize) {
        self.flow.most_parked = most;
    }

    /// How well the lanes were filled so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.flow.lanes.usage
    }

    /// Fills free lanes from `next`, advances every lane by at least a block, and hands each
    /// message that ended or failed to `done`. Returns whether messages are still under way.
    ///
    /// Sources that are not ready are asked again by the next step.
    ///
    /// # Panics
    /// If a source's piece changes between calls of `fill` and `consume`.
    pub fn step(
        &mut self,
        mut next: impl FnMut() -> Option<S>,
        done: impl FnMut(S, Result<Output<H>, S::Error>),
    ) -> bool {
        let start = self.start;
        let cx = &mut Context::from_waker(Waker::noop());
        self.poll_step(cx, || next().map(|source| (source, start)), done) != Progress::Idle
    }

    /// [`step`](Self::step) with sources that wake the waker in `cx`, and with messages that start
    /// each in its own place, as a tree's nodes do.
    ///
    /// If it returns [`Progress::Waiting`], every source that is under way has seen `cx`.
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
