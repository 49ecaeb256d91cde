//! The typed door to [`jobs`](crate::jobs): hash functions as values, with a method for each job.
//!
//! Messages in memory are a batch, and [`Function`](function::Function) has the jobs on them, from a
//! [`MessageSource`]. Messages that arrive in pieces, each from a [`Source`], are [`InFlight`]. Here a
//! hash is still a type, and lengths are checked.

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
