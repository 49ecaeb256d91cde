//! [`InFlight`], messages that arrive in pieces: sources take lanes, are polled, and leave with their
//! digests.

use core::task::{Context, Poll};

#[cfg(feature = "alloc")]
use {
    super::lanes_in_flight::Lane,
    crate::{compression::MAX_BLOCK_BYTES, wipe},
    alloc::collections::VecDeque,
    core::mem,
};

use super::{
    hashing::Hashing,
    lanes_in_flight::{LaneMethods, LanesInFlight, OfferOutcome, Usage},
    source::Source,
};
use crate::{compression::MAX_LANES, hash::Descriptor, simd::vector::Word};

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// Messages advanced or ended.
    Advanced,
    /// All messages in flight wait for their sources.
    Waiting,
    /// No message is in flight.
    Idle,
}

/// Returns the next source, if any. It gets the start of its message, and may change it.
pub type NextSource<'n, W, S> = dyn FnMut(&mut [W]) -> Option<S> + 'n;

/// The state in which a message has ended, from which its digest is written.
#[derive(Debug)]
pub struct Ended<'e, W: Word> {
    hash: &'static Descriptor<W>,
    state: &'e [W],
}

impl<W: Word> Ended<'_, W> {
    /// Writes the start of the digest.
    #[inline]
    pub fn write(&self, digest: &mut [u8]) {
        (self.hash.output)(self.state, digest);
    }
}

/// Receives the sources of messages that have ended or failed.
pub type OnEnd<'d, W, S> = dyn FnMut(S, Result<Ended<'_, W>, <S as Source>::Error>) + 'd;

/// Messages in lanes, which arrive in pieces from their sources.
pub struct InFlight<W: Word, S: Source> {
    pub(crate) in_lanes: LanesInFlight<W>,
    /// `Some` for live lanes.
    sources: [Option<S>; MAX_LANES],
    buffers: [S::Buffer; MAX_LANES],
    /// Messages with sources that are not ready; the one that has waited longest comes first.
    #[cfg(feature = "alloc")]
    parked: VecDeque<Parked<W, S>>,
    /// The number of parked messages at which no new message is taken.
    #[cfg(feature = "alloc")]
    max_parked: usize,
    /// Set while a step runs: after a panic of a source, pieces and states do not match.
    poison: Poison,
}

/// A message outside the lanes, with everything that its lane held.
#[cfg(feature = "alloc")]
struct Parked<W: Word, S: Source> {
    source: Option<S>,
    buffer: S::Buffer,
    lane: Lane,
    state: W::State,
    blocks: [u8; 2 * MAX_BLOCK_BYTES],
}

#[cfg(feature = "alloc")]
impl<W: Word, S: Source> Drop for Parked<W, S> {
    fn drop(&mut self) {
        wipe::words(self.state.as_mut());
        wipe::bytes(&mut self.blocks);
    }
}

/// A flag that is set while a step over messages in flight runs. If it is set before a step, a source has
/// panicked, and no digest would be right.
#[derive(Debug, Default)]
pub struct Poison(bool);

impl Poison {
    /// Takes a step with `work`, which has the flag at `of`.
    ///
    /// # Panics
    /// If a step has panicked before.
    pub fn step<T, R>(
        work: &mut T,
        of: impl Fn(&mut T) -> &mut Self,
        step: impl FnOnce(&mut T) -> R,
    ) -> R {
        assert!(!of(work).0, "a source has panicked before, so no digest would be right");
        of(work).0 = true;
        let result = step(work);
        of(work).0 = false;
        result
    }
}

/// The number of parked messages that a step may retry.
struct Retries {
    /// Retries before new messages are taken, so that new messages cannot starve parked ones.
    before_new: usize,
    /// Retries in total: each parked message once.
    total: usize,
}

/// Parked messages that every step retries if there are free lanes.
const RETRIED_MESSAGES: usize = 4;

/// The maximum number of bytes that a lane advances before all sources are polled again: enough that polling
/// costs nothing, few enough that no source waits long.
const TURN_BYTES: usize = 256 << 10;

impl<W: Word, S: Source> InFlight<W, S> {
    /// [`InFlight::new`] with methods that are compiled elsewhere.
    pub(crate) fn with_methods(
        hashing: &Hashing<'_, W>,
        prefix: &[u8],
        methods: LaneMethods<W>,
    ) -> Self {
        Self {
            in_lanes: LanesInFlight::new(hashing, prefix, methods),
            sources: [const { None }; MAX_LANES],
            buffers: core::array::from_fn(|_| S::Buffer::default()),
            #[cfg(feature = "alloc")]
            parked: VecDeque::new(),
            #[cfg(feature = "alloc")]
            max_parked: usize::MAX,
            poison: Poison::default(),
        }
    }

    /// Messages in flight, in a lane or parked.
    #[must_use]
    pub fn live(&self) -> usize {
        self.in_lanes.live + self.parked()
    }

    /// Messages that wait for their sources.
    #[must_use]
    pub fn parked(&self) -> usize {
        #[cfg(feature = "alloc")]
        return self.parked.len();
        #[cfg(not(feature = "alloc"))]
        0
    }

    /// Takes no more messages while `most` wait for their sources, each with its own buffer; 0 counts as
    /// 1.
    #[cfg(feature = "alloc")]
    pub fn park_at_most(&mut self, most: usize) {
        self.max_parked = most.max(1);
    }

    /// The maximum number of messages that run at once.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.in_lanes.kernels.lanes_to_fill()
    }

    /// The use of the lanes so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.in_lanes.usage
    }

    /// Fills free lanes from `next`, advances every lane by at least one block, and passes each
    /// message that ended or failed to `done`.
    ///
    /// A source that is not ready leaves its lane, wakes the waker in `cx` when it can continue, and is polled by
    /// later steps that have a free lane. If the step returns [`Progress::Waiting`], every source in flight has
    /// seen `cx`. Without the feature `alloc` a message cannot leave its lane: the step polls the source until it
    /// is ready, and never returns `Waiting`.
    ///
    /// # Panics
    /// If a source's piece changes between calls of `fill` and `consume`, and after a panic of a source or
    /// of a closure.
    pub fn step(
        &mut self,
        cx: &mut Context<'_>,
        next: &mut NextSource<'_, W, S>,
        done: &mut OnEnd<'_, W, S>,
    ) -> Progress {
        Poison::step(self, |all| &mut all.poison, |all| all.step_unguarded(cx, next, done))
    }

    fn step_unguarded(
        &mut self,
        cx: &mut Context<'_>,
        next: &mut NextSource<'_, W, S>,
        done: &mut OnEnd<'_, W, S>,
    ) -> Progress {
        let hash = self.in_lanes.hash;
        let mut ended = false;
        let mut retries = Retries { before_new: RETRIED_MESSAGES, total: self.parked() };
        while self.in_lanes.live < self.lanes()
            && self.admit(self.in_lanes.live, &mut retries, next)
        {
            self.in_lanes.live += 1;
        }
        let mut blocks = (TURN_BYTES / hash.shape.block_bytes).max(1);
        let mut l = 0;
        while l < self.in_lanes.live {
            let result = match self.prepare(cx, l) {
                Poll::Ready(Ok(0)) => Ok(self.in_lanes.state(l)),
                Poll::Ready(Ok(ready)) => {
                    blocks = blocks.min(ready);
                    l += 1;
                    continue;
                }
                Poll::Ready(Err(error)) => Err(error),
                #[cfg(feature = "alloc")]
                Poll::Pending => {
                    self.park(l);
                    self.hand_over(l, &mut retries, next);
                    continue;
                }
                // without an allocator its lane is the only place, so the other lanes wait with it
                #[cfg(not(feature = "alloc"))]
                Poll::Pending => {
                    core::hint::spin_loop();
                    continue;
                }
            };
            let source = self.sources[l].take().expect("a live lane has a source");
            self.hand_over(l, &mut retries, next);
            match result {
                Ok(state) => {
                    let state = &state.as_ref()[..hash.shape.state_words];
                    done(source, Ok(Ended { hash, state }));
                }
                Err(error) => done(source, Err(error)),
            }
            ended = true;
        }
        if self.in_lanes.live > 0 {
            self.advance(blocks);
        } else if !ended {
            return if self.parked() > 0 { Progress::Waiting } else { Progress::Idle };
        }
        Progress::Advanced
    }

    /// Gives lane `l` to another message, a parked one or the next. Returns whether there is one.
    fn admit(&mut self, l: usize, retries: &mut Retries, next: &mut NextSource<'_, W, S>) -> bool {
        if retries.before_new > 0 && self.unpark(l, retries) {
            retries.before_new -= 1;
            return true;
        }
        #[cfg(feature = "alloc")]
        let full = self.parked.len() >= self.max_parked;
        #[cfg(not(feature = "alloc"))]
        let full = false;
        let mut state = self.in_lanes.start;
        let state_words = self.in_lanes.hash.shape.state_words;
        if !full && let Some(source) = next(&mut state.as_mut()[..state_words]) {
            self.in_lanes.place(l, &state);
            self.sources[l] = Some(source);
            return true;
        }
        self.unpark(l, retries)
    }

    /// Gives lane `l` to another message, or compacts the lanes.
    fn hand_over(&mut self, l: usize, retries: &mut Retries, next: &mut NextSource<'_, W, S>) {
        if !self.admit(l, retries, next) {
            self.in_lanes.swap_remove_lane(l);
            self.sources.swap(l, self.in_lanes.live);
            self.buffers.swap(l, self.in_lanes.live);
        }
    }

    /// Takes the message out of lane `l`.
    #[cfg(feature = "alloc")]
    fn park(&mut self, l: usize) {
        let mut blocks = [0; 2 * MAX_BLOCK_BYTES];
        let held = self.in_lanes.held(l);
        blocks[..held.len()].copy_from_slice(held);
        self.parked.push_back(Parked {
            source: self.sources[l].take(),
            buffer: mem::take(&mut self.buffers[l]),
            lane: self.in_lanes.lanes[l],
            state: self.in_lanes.state(l),
            blocks,
        });
    }

    /// Gives the free lane `l` to the message that has waited longest, if a retry is left.
    fn unpark(&mut self, l: usize, retries: &mut Retries) -> bool {
        #[cfg(feature = "alloc")]
        if retries.total > 0
            && let Some(mut parked) = self.parked.pop_front()
        {
            retries.total -= 1;
            self.sources[l] = parked.source.take();
            mem::swap(&mut self.buffers[l], &mut parked.buffer);
            self.in_lanes.lanes[l] = parked.lane;
            self.in_lanes.set_state(l, &parked.state);
            let held = self.in_lanes.held(l);
            held.copy_from_slice(&parked.blocks[..held.len()]);
            return true;
        }
        let _ = (l, retries.total); // without an allocator nothing is parked
        false
    }

    /// Blocks that lane `l` can advance by; 0 at the end of its message, pending while its source
    /// is not ready.
    fn prepare(&mut self, cx: &mut Context<'_>, l: usize) -> Poll<Result<usize, S::Error>> {
        let source = self.sources[l].as_mut().expect("a live lane has a source");
        let buffer = &mut self.buffers[l];
        loop {
            if let Some(blocks) = (self.in_lanes.methods.held_ready)(&mut self.in_lanes, l) {
                return Poll::Ready(Ok(blocks));
            }
            match source.fill(cx, buffer) {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => return Poll::Pending,
            }
            match (self.in_lanes.methods.offer)(&mut self.in_lanes, l, source.piece(buffer)) {
                OfferOutcome::Held(0) => {}
                OfferOutcome::Held(held) => source.consume(buffer, held),
                OfferOutcome::Blocks(blocks) => return Poll::Ready(Ok(blocks)),
            }
        }
    }

    /// Advances every live lane by `blocks` blocks.
    fn advance(&mut self, blocks: usize) {
        let Self { in_lanes, sources, buffers, .. } = self;
        let mut pieces = [&[] as &[u8]; MAX_LANES];
        for (l, source) in sources.iter().flatten().enumerate() {
            if in_lanes.lanes[l].in_piece {
                pieces[l] = source.piece(&buffers[l]);
            }
        }
        (in_lanes.methods.advance)(in_lanes, &pieces, blocks);
        for (l, source) in sources.iter_mut().flatten().enumerate() {
            if in_lanes.lanes[l].in_piece {
                source.consume(&mut buffers[l], blocks * in_lanes.hash.shape.block_bytes);
            }
        }
    }
}
