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

use core::task::{Context, Poll, Waker};

#[cfg(feature = "zeroize")]
use crate::wipe;
use crate::{
    engine::{Engine, Input, MAX_LANES},
    hash::{
        HashFunction, MAX_BLOCK, Output, State, assert_block,
        compression::{AllLanes, Compression},
        whole_blocks,
    },
    simd::lanes::Array,
};

pub mod chain;
pub mod list;
pub mod load;
mod park;
mod source;
mod start;

#[cfg(feature = "alloc")]
use park::Parked;
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

/// One message on its way.
#[derive(Debug)]
struct Lane<S> {
    source: S,
    /// Bytes absorbed or buffered.
    total: u128,
    /// Bytes of an incomplete block in the lane's `blocks`.
    held: usize,
    /// How many of `blocks` are ready to be compressed, and where they start.
    ready: usize,
    at: usize,
    /// Next part of the message's end, once the source is exhausted.
    part: Option<usize>,
}

impl<S> Lane<S> {
    #[inline]
    fn new(source: S, total: u128) -> Self {
        Self { source, total, held: 0, ready: 0, at: 0, part: None }
    }
}

/// The block or two that a lane assembles: pieces that end within a block, and the padding.
type Blocks = [u8; 2 * MAX_BLOCK];

/// Bytes that a lane goes on for at most before the others are asked again: long enough that asking
/// costs nothing, short enough that nobody waits long.
const TURN: usize = 256 << 10;

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
    engine: E,
    start: Start<H>,
    states: AllLanes<H::Compression>,
    blocks: <H::Compression as Compression>::PerLane<Blocks>,
    buffers: [S::Buffer; MAX_LANES],
    /// The first `live` are messages.
    lanes: [Option<Lane<S>>; MAX_LANES],
    live: usize,
    /// Messages whose sources are not ready, the one that waited longest first.
    #[cfg(feature = "alloc")]
    parked: Parked<H, S>,
    usage: Usage,
}

/// How many parked messages a step may try again.
struct Retries {
    /// Before new messages, so that these cannot keep them out for ever.
    first: usize,
    /// In all: each of them once.
    all: usize,
}

/// Parked messages that are tried again by every step, if there are free lanes.
const FIRST: usize = 4;

#[cfg(feature = "zeroize")]
impl<H: HashFunction, E, S: Source> Drop for Batch<H, E, S> {
    fn drop(&mut self) {
        self.start.wipe();
        self.states.wipe();
        wipe::bytes(self.blocks.as_mut().as_flattened_mut());
    }
}

/// Not of the sources, nor of their buffers, which are theirs to wipe.
#[cfg(feature = "zeroize")]
impl<H: HashFunction, E, S: Source> digest::zeroize::ZeroizeOnDrop for Batch<H, E, S> {}

impl<H: HashFunction, E: Engine<H::Compression>, S: Source> Batch<H, E, S> {
    /// A batch without messages, whose messages start at `start`.
    #[must_use]
    pub fn new(engine: E, start: Start<H>) -> Self {
        const { assert_block::<H>() };
        Self {
            engine,
            start,
            states: AllLanes::default(),
            blocks: Array::splat([0; 2 * MAX_BLOCK]),
            buffers: core::array::from_fn(|_| S::Buffer::default()),
            lanes: [const { None }; MAX_LANES],
            live: 0,
            #[cfg(feature = "alloc")]
            parked: Parked::default(),
            usage: Usage::default(),
        }
    }

    /// Messages under way, in a lane or not.
    #[must_use]
    pub fn live(&self) -> usize {
        self.live + self.parked()
    }

    /// Messages that wait for their sources.
    #[must_use]
    pub fn parked(&self) -> usize {
        #[cfg(feature = "alloc")]
        return self.parked.len();
        #[cfg(not(feature = "alloc"))]
        0
    }

    /// Takes no more messages while `most` wait for their sources, each with a buffer of its own.
    #[cfg(feature = "alloc")]
    pub fn park_at_most(&mut self, most: usize) {
        self.parked.most = most;
    }

    /// How well the lanes were filled so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
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
        self.poll(cx, &mut next, &mut done)
    }

    /// [`poll_step`](Self::poll_step), compiled once for all callers.
    fn poll(
        &mut self,
        cx: &mut Context<'_>,
        next: &mut dyn FnMut() -> Option<(S, Start<H>)>,
        done: &mut dyn FnMut(S, Result<Output<H>, S::Error>),
    ) -> Progress {
        let mut ended = false;
        let mut retries = Retries { first: FIRST, all: self.parked() };
        while self.live < self.engine.lanes() && self.admit(self.live, &mut retries, next) {
            self.live += 1;
        }
        let mut run = (TURN / H::Compression::BLOCK).max(1);
        let mut l = 0;
        while l < self.live {
            let result = match self.prepare(cx, l) {
                Poll::Ready(Ok(Some(blocks))) => {
                    run = run.min(blocks);
                    l += 1;
                    continue;
                }
                Poll::Ready(Ok(None)) => Ok(H::output(&self.states.states().get(l))),
                Poll::Ready(Err(error)) => Err(error),
                #[cfg(feature = "alloc")]
                Poll::Pending => {
                    self.park(l);
                    self.succeed(l, &mut retries, next);
                    continue;
                }
                // there is no room but its lane, and so the others wait with it
                #[cfg(not(feature = "alloc"))]
                Poll::Pending => {
                    core::hint::spin_loop();
                    continue;
                }
            };
            let lane = self.lanes[l].take().expect("a live lane has a message");
            self.succeed(l, &mut retries, next);
            done(lane.source, result);
            ended = true;
        }
        if self.live > 0 {
            self.advance(run);
        } else if !ended {
            return if self.parked() > 0 { Progress::Waiting } else { Progress::Idle };
        }
        Progress::Advanced
    }

    /// Gives lane `l` to another message: one that was parked, or the next. Returns whether there is
    /// one.
    fn admit(
        &mut self,
        l: usize,
        retries: &mut Retries,
        next: &mut dyn FnMut() -> Option<(S, Start<H>)>,
    ) -> bool {
        if retries.first > 0 && self.unpark(l, retries) {
            retries.first -= 1;
            return true;
        }
        if self.has_room()
            && let Some((source, start)) = next()
        {
            self.place(l, source, &start);
            return true;
        }
        self.unpark(l, retries)
    }

    /// Gives lane `l` to another message, or lets the others close ranks.
    fn succeed(
        &mut self,
        l: usize,
        retries: &mut Retries,
        next: &mut dyn FnMut() -> Option<(S, Start<H>)>,
    ) {
        if !self.admit(l, retries, next) {
            self.close_ranks(l);
        }
    }

    fn place(&mut self, l: usize, source: S, start: &Start<H>) {
        self.states.states().set(l, &start.state);
        self.lanes[l] = Some(Lane::new(source, start.total));
    }

    /// Moves the last live lane into lane `l`, which is free.
    fn close_ranks(&mut self, l: usize) {
        self.live -= 1;
        let last = self.live;
        if l != last {
            let state: State<H> = self.states.states().get(last);
            self.states.states().set(l, &state);
            let blocks = self.blocks.as_mut();
            blocks[l] = blocks[last];
            self.buffers.swap(l, last);
            self.lanes[l] = self.lanes[last].take();
        }
    }

    /// Blocks that lane `l` can be advanced by, or `None` at the end of its message; pending while its
    /// source is not ready.
    #[inline]
    fn prepare(&mut self, cx: &mut Context<'_>, l: usize) -> Poll<Result<Option<usize>, S::Error>> {
        let block = H::Compression::BLOCK;
        let lane = self.lanes[l].as_mut().expect("a live lane has a message");
        let (blocks, buffer) = (&mut self.blocks.as_mut()[l], &mut self.buffers[l]);
        while lane.ready == 0 {
            if let Some(part) = lane.part {
                if part == 0 {
                    blocks[lane.held..2 * block].fill(0);
                }
                let mut states = self.states.states();
                let mut state: State<H> = states.get(l);
                let ready = H::end(part, &mut state, lane.held, lane.total, blocks);
                states.set(l, &state);
                if ready == 0 {
                    return Poll::Ready(Ok(None));
                }
                (lane.part, lane.ready, lane.at) = (Some(part + 1), ready, 0);
                break;
            }
            match lane.source.fill(cx, buffer) {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => return Poll::Pending,
            }
            let piece = lane.source.piece(buffer);
            if lane.held == block && H::PADDING.hold_back() <= piece.len() {
                (lane.held, lane.ready, lane.at) = (0, 1, 0);
            } else if piece.is_empty() {
                lane.part = Some(0);
            } else if lane.held == 0 && whole_blocks::<H>(piece.len()) > 0 {
                return Poll::Ready(Ok(Some(whole_blocks::<H>(piece.len()))));
            } else {
                let n = piece.len().min(block - lane.held);
                blocks[lane.held..][..n].copy_from_slice(&piece[..n]);
                lane.source.consume(buffer, n);
                lane.held += n;
                lane.total += n as u128;
            }
        }
        Poll::Ready(Ok(Some(lane.ready)))
    }

    /// Advances every live lane by `run` blocks.
    #[inline]
    fn advance(&mut self, run: usize) {
        let bytes = run * H::Compression::BLOCK;
        let mut inputs = <H::Compression as Compression>::PerLane::<&[u8]>::splat(&[]);
        for (l, lane) in self.lanes[..self.live].iter().flatten().enumerate() {
            inputs.as_mut()[l] = match lane.ready {
                0 => &lane.source.piece(&self.buffers[l])[..bytes],
                _ => &self.blocks.as_ref()[l][lane.at..][..bytes],
            };
        }
        let input = Input::Runs(inputs.as_ref());
        self.engine.advance(self.states.states(), input, self.live, run, None);
        for (l, lane) in self.lanes[..self.live].iter_mut().flatten().enumerate() {
            if lane.ready == 0 {
                lane.source.consume(&mut self.buffers[l], bytes);
                lane.total += bytes as u128;
            } else {
                lane.ready -= run;
                lane.at += bytes;
            }
        }
        self.usage.blocks += (run * self.live) as u64;
        self.usage.steps += run as u64;
    }
}
