//! Engines: how a CPU advances many lanes, without saying which instructions do it.
//!
//! What is to be done is a piece of [`Work`]. It knows how to run on any instruction set, and an
//! [`Engine`] knows which one, and how many registers side by side, is best for how many lanes.

use core::marker::PhantomData;

use crate::{
    hash::{
        HashFunction, Output,
        compression::{Compression, LaneStates},
    },
    simd::{
        groups::{Groups, One},
        isa::Isa,
        layout::{Interleaved, Runs},
        portable::Portable,
    },
};

pub mod interleaved;
pub mod messages;
pub mod rehash;

use interleaved::{Advance, InterleavedLanes};
use messages::Messages;
use rehash::Rehash;

/// The most lanes that any engine fills for any function.
pub const MAX_LANES: usize = 32;

/// Something to be done in lanes, each of which is independent of the others.
pub enum Work<'a, C: Compression> {
    /// Messages, or parts of messages.
    Messages(Messages<'a, C>),
    /// The words of one message, dealt out to the lanes in turn.
    Interleaved(InterleavedLanes<'a, C>),
    /// Digests that are hashed again.
    Rehash(Rehash<'a, C>),
}

impl<C: Compression> Work<'_, C> {
    /// Number of lanes.
    #[inline]
    #[must_use]
    pub fn lanes(&self) -> usize {
        match self {
            Self::Messages(work) => work.messages.len(),
            Self::Interleaved(work) => work.live,
            Self::Rehash(work) => work.live,
        }
    }

    /// Whether there may be more lanes than an engine fills, so that it is called for many groups
    /// of lanes at once.
    #[inline]
    #[must_use]
    pub fn is_stream_of_groups(&self) -> bool {
        matches!(self, Self::Messages(work) if work.digests.is_some())
    }

    /// Does what is to be done for the lanes `first..end`, on `G` registers of `isa` at a time.
    #[inline]
    pub fn on<I: Isa, G: Groups>(&mut self, isa: I, first: usize, end: usize) {
        match self {
            Self::Messages(work) => work.on::<I, G>(isa, first, end),
            Self::Interleaved(work) if const { C::INTERLEAVED } => work.on::<I, G>(isa, first, end),
            Self::Interleaved(work) => work.on::<_, One>(Portable::<1>, first, end),
            Self::Rehash(work) => work.on::<I, G>(isa, first, end),
        }
    }
}

/// What the lanes are fed.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A run of bytes per lane, which begins with whole blocks.
    Runs(&'a [&'a [u8]]),
    /// The words of one message, in turn.
    Interleaved(Interleaved<'a>),
}

/// A way to run a compression function over lanes, and over one stream.
pub trait Engine<C: Compression>: Copy + Send + Sync + 'static {
    /// How many lanes it pays to keep filled.
    fn lanes(&self) -> usize;

    /// Does `work` for all its lanes.
    fn run(&self, work: Work<'_, C>);

    /// Advances one stream by the whole blocks in `data`.
    fn advance_one(&self, state: &mut C::State<C::Word>, data: &[u8]);

    /// The name of the kernel that `live` lanes run on, for `--debug`.
    fn kernel_name(&self, live: usize) -> &'static str;

    /// About how long one block in each of `live` lanes takes, in any unit: for whoever deals
    /// messages out to threads. By default lanes gain nothing.
    fn step_cycles(&self, live: usize) -> u32 {
        u32::try_from(live).unwrap_or(u32::MAX)
    }

    /// Advances the lanes `0..live` by `blocks` blocks of `input`, then by a block that they share.
    ///
    /// Interleaved rows may be of any width from `live` up; the data holds `blocks` blocks of the
    /// live lanes. The states of lanes that are not live may be overwritten.
    fn advance(
        &self,
        states: LaneStates<'_, C::Word>,
        input: Input<'_>,
        live: usize,
        blocks: usize,
        last: Option<&C::Shared>,
    ) {
        self.run(match input {
            Input::Runs(runs) => Work::Messages(Messages {
                blocks,
                last,
                ..Messages::advance(states, &runs[..live])
            }),
            Input::Interleaved(rows) => {
                Work::Interleaved(InterleavedLanes { states, rows, live, blocks, last })
            }
        });
    }

    /// Advances the lanes `0..live` by a block that they share.
    fn advance_shared(&self, states: LaneStates<'_, C::Word>, live: usize, block: &C::Shared) {
        self.advance(states, Input::Runs(&[&[] as &[u8]; MAX_LANES]), live, 0, Some(block));
    }
}

/// A hasher that can also hash many messages at once.
///
/// This is the one type parameter of the batch functions: it names the hash function and the
/// engine that computes it.
pub trait MultiDigest:
    digest::Digest + digest::OutputSizeUser<OutputSize = <Self::Function as HashFunction>::OutputSize>
{
    /// The hash function.
    type Function: HashFunction;
    /// What computes it.
    type Engine: Engine<<Self::Function as HashFunction>::Compression>;

    /// The engine for this CPU.
    fn engine() -> Self::Engine;
}

/// The digest of `H`, as the engine's hash function returns it.
pub type OutputOf<H> = Output<<H as MultiDigest>::Function>;

/// `N` lanes at a time, of which [`max_lanes`](crate::hash::compression::max_lanes) is a multiple;
/// a single stream on one.
impl<C: Compression, const N: usize> Engine<C> for Portable<N> {
    fn lanes(&self) -> usize {
        N
    }

    fn run(&self, mut work: Work<'_, C>) {
        let lanes = work.lanes();
        work.on::<_, One>(*self, 0, lanes);
    }

    fn advance_one(&self, state: &mut C::State<C::Word>, data: &[u8]) {
        one_on::<_, C>(Portable::<1>, state, data);
    }

    fn kernel_name(&self, _live: usize) -> &'static str {
        "portable"
    }
}

/// Advances one stream on an instruction set of one lane.
#[inline]
pub fn one_on<I: Isa, C: Compression>(isa: I, state: &mut C::State<C::Word>, data: &[u8]) {
    isa.run(Advance::<C, _, One> {
        states: LaneStates::new(state.as_mut(), 1),
        layout: Runs::new(&[data]),
        first: 0,
        blocks: data.len() / C::BLOCK,
        last: None,
        groups: PhantomData,
    });
}
