//! [`Function`], a hash function as a value, with a method for each of the [`jobs`](crate::jobs), and the traits of
//! hashers that have one. The layer below defines the type; this one has its methods.
//!
//! Messages in memory are a [`Batch`], on which `Function` has the jobs. Messages that arrive in
//! pieces, each from a [`Source`], are [`InFlight`]. Here a hash is still a type, and lengths are checked; the jobs
//! below see values.

use crate::jobs::CompiledWord;

pub mod batch_work;
mod blocks;
mod digests;
mod methods;
mod start;
#[cfg(feature = "alloc")]
pub mod tweaked;

pub use digests::{BatchOnKernels, DigestOnKernels, OutputOf, XofOnKernels};
pub use start::Start;

pub use crate::jobs::{
    BatchFunction, Poison, Progress, Source, Usage,
    hashing::{AnyFunction, Function},
    in_flight::{Ended, InFlight, NextSource, OnEnd},
    in_memory::batch::{Batch, Filling, filling},
};

impl<W: CompiledWord, S: Source> InFlight<W, S> {
    /// No messages yet, under `function`, each after `prefix`, of which the whole blocks are hashed once.
    #[must_use]
    pub fn new(function: &Function<W>, prefix: &[u8]) -> Self {
        Self::with_methods(&function.0, prefix, W::lane_methods())
    }
}

/// Excludes the sources and their buffers, which wipe themselves.
#[cfg(feature = "zeroize")]
impl<W: CompiledWord, S: Source> digest::zeroize::ZeroizeOnDrop for InFlight<W, S> {}
