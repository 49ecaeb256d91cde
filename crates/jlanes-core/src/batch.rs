//! S-HASH: many messages at once, each with its standard digest (\[SH\], Algorithm 1).
//!
//! Up to [`lanes`](InFlight::lanes) messages run at once. Each [`step`](InFlight::step) advances all of them by
//! the smallest number of whole blocks that is ready in any. When a message ends, the next one
//! takes its lane. When no message is left to take a lane, the live lanes are compacted and the
//! batch continues with the best kernel for their number; here the paper finishes the last
//! messages one by one.
//!
//! [`InFlight`] pulls messages in pieces from [`Source`]s; [`Function`](function::Function) has the jobs of
//! messages in memory, a [`MessageSource`].

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
    /// An empty batch of messages under `function`, each after `prefix`, of which the whole blocks are
    /// hashed once.
    #[must_use]
    pub fn new(function: &function::Function<W>, prefix: &[u8]) -> Self {
        Self::with_methods(&function.0, prefix, W::lane_methods())
    }
}

/// Excludes the sources and their buffers, which wipe themselves.
#[cfg(feature = "zeroize")]
impl<W: Jobs, S: Source> digest::zeroize::ZeroizeOnDrop for InFlight<W, S> {}
