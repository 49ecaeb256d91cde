//! The kernels and threads that an algorithm runs on.

use alloc::vec::Vec;

use jlanes_core::batch::{function::AnyFunction, load::Load};
#[cfg(feature = "blake3")]
use jlanes_core::{batch::Start, hashes::blake3::Chunk};

#[cfg(feature = "blake2")]
use super::Blake2Word;
use super::{
    Algorithm, Fixed, Hash, Kind, SkeinSize,
    job::{function, with},
};
use crate::{
    Backend,
    skein::{Skein256, Skein512, Skein1024},
};
#[cfg(feature = "blake2")]
use crate::{Blake2b512, Blake2s256};

/// Blocks of a long message.
const LONG: u64 = 1 << 20;

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
        with!(self.at_work(backend), |function| {
            let kernels = function.kernels();
            let kernel = |live| (live, kernels.name(live));
            let mut kernels: Vec<_> = (1..=kernels.lanes()).map(kernel).collect();
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
        match self.kind() {
            Kind::Hash(_) | Kind::JPointers { .. } => {}
            #[cfg(feature = "blake2")]
            Kind::Blake2(_) => {}
            _ => return most,
        }
        with!(self.at_work(backend), |function| {
            Load::of_equal(messages, LONG).parts_on(&function.kernels(), most).min(most)
        })
    }

    /// The hash that does the work.
    fn at_work(self, backend: Backend) -> AnyFunction {
        let hash = match self.kind() {
            Kind::Hash(hash) | Kind::JLanes { hash, .. } | Kind::JPointers { hash, .. } => hash,
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => {
                return match blake2.word() {
                    Blake2Word::U32 => function::<Blake2s256>(backend),
                    Blake2Word::U64 => function::<Blake2b512>(backend),
                };
            }
            #[cfg(feature = "blake3")]
            Kind::Blake3(_) => {
                return Start::<Chunk>::new().function(backend);
            }
            Kind::SkeinTree(skein, _) => Hash::Skein(skein),
            Kind::FsVerity { hash, .. } | Kind::DmVerity(hash) => Hash::Fixed(hash),
            Kind::MhSha1 => Hash::Fixed(Fixed::Sha1),
            #[cfg(feature = "md5")]
            Kind::ETag { .. } => Hash::Fixed(Fixed::Md5),
            // the permutation that these share
            #[cfg(feature = "sha3")]
            Kind::Xof(_) => Hash::Fixed(Fixed::Sha3_256),
            Kind::MhSha256
            | Kind::BitTorrent
            | Kind::Sha256Tree
            | Kind::Glacier
            | Kind::S3 { .. }
            | Kind::Dropbox
            | Kind::Rfc6962 { .. } => Hash::Fixed(Fixed::Sha256),
        };
        match hash {
            Hash::Fixed(fixed) => fixed.function()(backend),
            Hash::Skein(skein) => match skein.size() {
                SkeinSize::Skein256 => function::<Skein256>(backend),
                SkeinSize::Skein512 => function::<Skein512>(backend),
                SkeinSize::Skein1024 => function::<Skein1024>(backend),
            },
        }
    }
}
