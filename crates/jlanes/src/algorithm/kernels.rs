//! Kernels that an algorithm runs on, by the number of messages, and the number of threads worth using.

use alloc::{vec, vec::Vec};

#[cfg(feature = "blake3")]
use jlanes_core::{function::Start, hashes::blake3::Chunk};
use jlanes_core::{
    function::{AnyFunction, batch_work::BatchWork},
    with_function,
};

#[cfg(feature = "sha3")]
use super::Fixed;
#[cfg(feature = "blake2")]
use super::parameters::Values;
use super::{Algorithm, kind::NodeHash};
use crate::Backend;

/// Blocks of a long message.
const LONG_MESSAGE_BLOCKS: u64 = 1 << 20;

impl Algorithm {
    /// The kernels of a backend for this algorithm's hash, each with the minimum number of messages
    /// for which it is selected. This is for diagnosing speed.
    ///
    /// ```
    /// use jlanes::{Algorithm, Backend};
    ///
    /// let kernels = Algorithm::SHA256.kernels_on(Backend::detect());
    /// assert_eq!(kernels[0].0, 1); // what a lone message runs on
    /// ```
    #[must_use]
    pub fn kernels_on(self, backend: Backend) -> Vec<(usize, &'static str)> {
        let Some(function) = self.function(backend) else { return vec![(1, "scalar")] };
        with_function!(function, |function| {
            let kernels = function.kernels();
            let kernel = |live| (live, kernels.name(live));
            let mut kernels: Vec<_> = (1..=kernels.lanes_to_fill()).map(kernel).collect();
            kernels.dedup_by_key(|(_, kernel)| *kernel);
            kernels
        })
    }

    /// The number of threads, at most `most`, for `messages` long messages: the smallest number
    /// that comes close to the best time. Half-filled lanes may take as long as full ones, and then
    /// two threads are no faster than one. Algorithms with messages that cannot share lanes get
    /// `most`.
    #[must_use]
    pub fn threads_on(self, backend: Backend, messages: usize, most: usize) -> usize {
        let (function, shared) = (self.function(backend), self.kind().shares_lanes_in_flight());
        let Some(function) = function.filter(|_| shared) else { return most };
        with_function!(function, |function| {
            let work = BatchWork::of_equal(messages, LONG_MESSAGE_BLOCKS);
            work.parts(&function.kernels(), most).min(most)
        })
    }

    /// The hash function of messages or of a tree's nodes; a checksum has none.
    fn function(self, backend: Backend) -> Option<AnyFunction> {
        Some(match self.node_hash() {
            NodeHash::Hash(hash) => hash.function(backend),
            #[cfg(feature = "blake2")]
            NodeHash::Blake2(blake2) => blake2.function(&Values::NONE, backend),
            #[cfg(feature = "blake3")]
            NodeHash::Blake3(_) => Start::<Chunk>::new().function(backend),
            // the permutation that all of them share
            #[cfg(feature = "sha3")]
            NodeHash::Xof(_) => Fixed::Sha3_256.function(backend),
            NodeHash::Checksum(_) => return None,
        })
    }
}
