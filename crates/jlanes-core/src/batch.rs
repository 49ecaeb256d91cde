//! S-HASH: many messages at once, each with its standard digest (\[SH\], Algorithm 1).
//!
//! Messages in memory are a batch, and [`Function`](function::Function) has the jobs on them, from a
//! [`MessageSource`]. Messages that arrive in pieces, each from a [`Source`], are [`InFlight`]: up to
//! [`lanes`](InFlight::lanes) of them have lanes, and each [`step`](InFlight::step) advances these by the
//! smallest number of whole blocks that is ready in any. When a message ends, the next one takes its lane.
//! When none is left, the live lanes are compacted and run on the best kernel for their number; here the
//! paper finishes the last messages one by one.

use crate::jobs::Jobs;

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
    in_flight::{Done, Ended, InFlight, Next},
    in_memory::source::{Fill, MessageSource, filling},
};

impl<W: Jobs, S: Source> InFlight<W, S> {
    /// No messages yet, under `function`, each after `prefix`, of which the whole blocks are hashed once.
    #[must_use]
    pub fn new(function: &function::Function<W>, prefix: &[u8]) -> Self {
        Self::with_methods(&function.0, prefix, W::lane_methods())
    }
}

/// Excludes the sources and their buffers, which wipe themselves.
#[cfg(feature = "zeroize")]
impl<W: Jobs, S: Source> digest::zeroize::ZeroizeOnDrop for InFlight<W, S> {}
