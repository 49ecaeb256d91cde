//! What an algorithm runs on.

use alloc::vec::Vec;

#[cfg(feature = "blake2")]
use jlanes_core::hashes::blake2::Blake2 as Blake2Of;
use jlanes_core::{
    batch::load::Load,
    engine::Engine,
    hash::{HashFunction, compression::Compression},
    hashes::skein::{Threefish256, Threefish512, Threefish1024},
};

#[cfg(feature = "blake2")]
use super::Blake2Word;
use super::{Algorithm, Fixed, Hash, Kind, SkeinSize, fixed::Act};
use crate::{Backend, multi::MultiDigest};

impl Algorithm {
    /// The kernels on which a backend runs the hash that is at work, each with the least number of
    /// messages side by side for which it is taken: for people who ask why something is slow.
    ///
    /// ```
    /// use jlanes::{Algorithm, Backend};
    ///
    /// let kernels = Algorithm::SHA256.kernels_on(Backend::detect());
    /// assert_eq!(kernels[0].0, 1); // what a lone message runs on
    /// ```
    #[must_use]
    pub fn kernels_on(self, backend: Backend) -> Vec<(usize, &'static str)> {
        self.at_work(backend, Kernels)
    }

    /// Among how many of at most `most` threads so many long messages are best dealt: the fewest that
    /// come near the best time. Lanes that are half filled may take as long as full ones, and then
    /// two threads are no faster than one. Algorithms whose messages do not share lanes get `most`.
    #[must_use]
    pub fn threads_on(self, backend: Backend, messages: usize, most: usize) -> usize {
        match self.kind() {
            Kind::Hash(_) | Kind::JPointers { .. } => {}
            #[cfg(feature = "blake2")]
            Kind::Blake2(_) => {}
            _ => return most,
        }
        self.at_work(backend, Threads { messages, most })
    }

    /// Asks about the hash at work.
    fn at_work<Q: Question>(self, backend: Backend, question: Q) -> Q::Answer {
        let hash = match self.kind() {
            Kind::Hash(hash) | Kind::JLanes { hash, .. } | Kind::JPointers { hash, .. } => hash,
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => {
                return match blake2.word() {
                    Blake2Word::U32 => question.answer::<Blake2Of<u32>, _>(backend),
                    Blake2Word::U64 => question.answer::<Blake2Of<u64>, _>(backend),
                };
            }
            Kind::SkeinTree(skein, _) => Hash::Skein(skein),
            Kind::FsVerity { hash, .. } | Kind::DmVerity(hash) => Hash::Fixed(hash),
            Kind::MhSha1 => Hash::Fixed(Fixed::Sha1),
            // the permutation that these have in common
            #[cfg(feature = "sha3")]
            Kind::Xof(_) => Hash::Fixed(Fixed::Sha3_256),
            Kind::MhSha256
            | Kind::BitTorrent
            | Kind::Glacier
            | Kind::S3 { .. }
            | Kind::Dropbox
            | Kind::Rfc6962 { .. } => Hash::Fixed(Fixed::Sha256),
        };
        match hash {
            Hash::Fixed(fixed) => fixed.act(Asked { backend, question }),
            Hash::Skein(skein) => match skein.size() {
                SkeinSize::Skein256 => question.answer::<Threefish256, _>(backend),
                SkeinSize::Skein512 => question.answer::<Threefish512, _>(backend),
                SkeinSize::Skein1024 => question.answer::<Threefish1024, _>(backend),
            },
        }
    }
}

/// What is asked of a compression function on an engine.
trait Question {
    type Answer;

    fn answer<C: Compression, E: Engine<C>>(self, engine: E) -> Self::Answer;
}

/// A question about a [`Fixed`].
struct Asked<Q> {
    backend: Backend,
    question: Q,
}

impl<Q: Question> Act for Asked<Q> {
    type Result = Q::Answer;

    fn on<H: MultiDigest<Engine = Backend> + 'static>(self) -> Q::Answer {
        answer::<H, Q>(self.backend, self.question)
    }
}

fn answer<H: MultiDigest, Q: Question>(engine: H::Engine, question: Q) -> Q::Answer {
    question.answer::<<H::Function as HashFunction>::Compression, _>(engine)
}

/// [`Algorithm::kernels_on`].
struct Kernels;

impl Question for Kernels {
    type Answer = Vec<(usize, &'static str)>;

    fn answer<C: Compression, E: Engine<C>>(self, engine: E) -> Self::Answer {
        let kernel = |live| (live, engine.kernel_name(live));
        let mut kernels: Vec<_> = (1..=engine.lanes()).map(kernel).collect();
        kernels.dedup_by_key(|(_, kernel)| *kernel);
        kernels
    }
}

/// [`Algorithm::threads_on`].
struct Threads {
    messages: usize,
    most: usize,
}

impl Question for Threads {
    type Answer = usize;

    fn answer<C: Compression, E: Engine<C>>(self, engine: E) -> usize {
        /// Blocks of a long message.
        const LONG: u64 = 1 << 20;
        Load::of_equal(self.messages, LONG).parts::<C, E>(engine, self.most).min(self.most)
    }
}
