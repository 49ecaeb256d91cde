//! Hash functions as values: the jobs of [`list`](super::list) and [`mac`](crate::mac) for a
//! function selected at run time. Digests are contiguous.

use core::task::Context;

use super::start::Start;
use crate::{
    compression::{Compression, padding::divide},
    engine::Engine,
    hash::{Descriptor, MAX_DIGEST, WordOf},
    jobs::{
        BatchFunction, Jobs,
        flow::{Flow, Progress},
        in_flight::Usage,
        list::source::{MessageSource, filling},
        pbkdf2::Passwords,
        source::Source,
    },
    kernel::Kernels,
};

pub use crate::jobs::hashing::{AnyFunction, Function};

/// Returns the message with an index.
pub type Message<'m, 'a> = dyn Fn(usize) -> &'a [u8] + 'm;

/// Returns the two sides of the pair with an index.
pub type Pair<'m, 'a> = dyn Fn(usize) -> [&'a [u8]; 2] + 'm;

/// Messages in memory.
#[derive(Clone, Copy)]
pub enum List<'m, 'a> {
    /// One slice per message.
    Slices(&'m [&'a [u8]]),
    /// Contiguous records of a number of bytes.
    Records(&'a [u8], usize),
    /// A function that is called for each message.
    Each(&'m Message<'m, 'a>),
    /// A function that is called for the two sides of each message.
    Pairs(&'m Pair<'m, 'a>),
}

impl<'a> List<'_, 'a> {
    /// Calls `run` with the places of `count` messages.
    fn source(self, count: usize, run: impl FnOnce(&MessageSource<'_, 'a>)) {
        match self {
            Self::Slices(slices) => {
                assert_eq!(count, slices.len(), "as many digests as messages");
                run(&MessageSource::slices(slices));
            }
            Self::Records(records, width) => {
                assert_eq!(records.len(), width * count, "as many digests as records");
                run(&MessageSource::records(count, records, width));
            }
            Self::Each(message) => {
                let fill = filling(|i| [message(i)]);
                run(&MessageSource::filled(count, 1, &fill));
            }
            Self::Pairs(pair) => {
                let fill = filling(pair);
                run(&MessageSource::filled(count, 2, &fill));
            }
        }
    }
}

impl AnyFunction {
    /// Bytes of a digest.
    #[must_use]
    pub fn output_size(&self) -> usize {
        match self {
            Self::U32(function) => function.descriptor().digest,
            Self::U64(function) => function.descriptor().digest,
        }
    }

    /// [`Function::digest`].
    ///
    /// # Panics
    /// As [`Function::digest`].
    pub fn digest(&self, prefix: &[u8], list: List<'_, '_>, out: &mut [u8]) {
        match self {
            Self::U32(function) => function.digest(prefix, list, out),
            Self::U64(function) => function.digest(prefix, list, out),
        }
    }

    /// [`Function::double`].
    ///
    /// # Panics
    /// As [`Function::digest`].
    pub fn double(&self, prefix: &[u8], list: List<'_, '_>, out: &mut [u8]) {
        match self {
            Self::U32(function) => function.double(prefix, list, out),
            Self::U64(function) => function.double(prefix, list, out),
        }
    }
}

impl<H: BatchFunction> Start<H> {
    /// `H` for messages that start here, as a value.
    pub fn function<E: Engine<H::Compression>>(&self, engine: E) -> AnyFunction {
        WordOf::<H>::any(self.on(engine))
    }
}

impl<W: Jobs> Function<W> {
    /// `H` for messages that start at `start`, as a value.
    pub fn new<H, E>(start: &Start<H>, engine: E) -> Self
    where
        H: BatchFunction<Compression: Compression<Word = W>>,
        E: Engine<H::Compression>,
    {
        Self(start.on(engine))
    }

    /// The hash function as a value.
    #[must_use]
    pub fn descriptor(&self) -> &'static Descriptor<W> {
        self.0.hash
    }

    /// The kernels.
    #[must_use]
    pub fn kernels(&self) -> Kernels<W> {
        self.0.kernels
    }

    /// The state that messages start at.
    #[must_use]
    pub fn start(&self) -> &[W] {
        self.0.start()
    }

    /// The same function for messages that start at `state`.
    ///
    /// # Panics
    /// If `state` does not have the function's size.
    #[must_use]
    pub fn starting_at(mut self, state: &[W]) -> Self {
        self.0.start.as_mut()[..self.0.hash.shape.state].copy_from_slice(state);
        self
    }

    /// Overwrites the start, which may come from a key, with the feature `zeroize`.
    pub fn wipe(&mut self) {
        self.0.wipe();
    }

    /// The same function after the whole blocks of `prefix`, and the rest of `prefix`.
    #[must_use]
    pub fn after<'p>(&self, prefix: &'p [u8]) -> (Self, &'p [u8]) {
        let (after, rest) = self.0.after(prefix);
        (Self(after), rest)
    }

    /// The number of digests that fit `out`.
    ///
    /// # Panics
    /// If `out` is not whole digests.
    pub fn count(&self, out: &[u8]) -> usize {
        let (count, rest) = divide(out.len(), self.0.hash.digest);
        assert!(rest == 0, "room for whole digests");
        count
    }

    /// Hashes messages, each after `prefix`, until `out` is full.
    ///
    /// # Panics
    /// If `out` is not whole digests, or not one for each slice or record.
    pub fn digest(&self, prefix: &[u8], list: List<'_, '_>, out: &mut [u8]) {
        list.source(self.count(out), |messages| {
            W::digest_prefixed(&self.0, prefix, messages, out);
        });
    }

    /// The digests of the digests of messages, each after `prefix`, until `out` is full.
    ///
    /// # Panics
    /// As [`digest`](Self::digest).
    pub fn double(&self, prefix: &[u8], list: List<'_, '_>, out: &mut [u8]) {
        let (mut after, rest) = self.0.after(prefix);
        list.source(self.count(out), |messages| {
            W::digest_twice(&after, &messages.behind(&[rest]), out);
        });
        after.wipe();
    }

    /// Replaces every digest `d` by the digest of `prefix || d`, `steps` times.
    ///
    /// # Panics
    /// If `digests` is not whole digests.
    pub fn chains(&self, prefix: &[u8], digests: &mut [u8], steps: u64) {
        self.count(digests);
        W::chains(&self.0, prefix, digests, steps);
    }

    /// [`tweaked::digest`](super::tweaked::digest) of this function.
    ///
    /// # Panics
    /// As `digest`.
    #[cfg(feature = "alloc")]
    pub fn tweaked_chains(
        &self,
        prefix: &[u8],
        chains: &super::tweaked::TweakedChains<'_>,
        count: usize,
        values: &mut dyn crate::engine::outputs::Destinations,
    ) {
        super::tweaked::run(&self.0, prefix, chains, count, values);
    }

    /// HMAC tags of messages under one key, each after `prefix`, until `out` is full.
    ///
    /// # Panics
    /// If `out` is not whole digests.
    pub fn hmac(&self, key: &[u8], prefix: &[u8], message: &Message<'_, '_>, out: &mut [u8]) {
        let fill = filling(|i| [message(i)]);
        let messages = MessageSource::filled(self.count(out), 1, &fill);
        W::hmac(&self.0, key, prefix, &messages, out);
    }

    /// [`hmac`](Self::hmac) under one key per message.
    ///
    /// # Panics
    /// If `out` is not whole digests.
    pub fn hmac_keyed(
        &self,
        key: &Message<'_, '_>,
        prefix: &[u8],
        message: &Message<'_, '_>,
        out: &mut [u8],
    ) {
        let (fill_key, fill) = (filling(|i| [key(i)]), filling(|i| [message(i)]));
        let keys = MessageSource::filled(self.count(out), 1, &fill_key);
        let messages = MessageSource::filled(keys.len(), 1, &fill);
        W::hmac_keyed(&self.0, &keys, prefix, &messages, out);
    }

    /// [`derive`](crate::mac::pbkdf2::derive) of this function.
    ///
    /// # Panics
    /// As `derive`.
    pub fn pbkdf2(&self, passwords: &Passwords<'_, '_>, outs: &mut [&mut [u8]]) {
        W::pbkdf2(&self.0, passwords, outs);
    }
}

/// [`Batch`](super::Batch) of a function selected at run time.
pub struct FunctionBatch<W: Jobs, S: Source> {
    function: Function<W>,
    flow: Flow<W, S>,
}

impl<W: Jobs, S: Source> Drop for FunctionBatch<W, S> {
    fn drop(&mut self) {
        self.function.0.wipe();
    }
}

impl<W: Jobs, S: Source> FunctionBatch<W, S> {
    /// An empty batch.
    #[must_use]
    pub fn new(function: Function<W>) -> Self {
        Self { function, flow: Flow::new(&function.0, W::lane_methods()) }
    }

    /// The hash function.
    #[must_use]
    pub fn function(&self) -> &Function<W> {
        &self.function
    }

    /// [`Batch::live`](super::Batch::live).
    #[must_use]
    pub fn live(&self) -> usize {
        self.flow.lanes.live + self.flow.parked()
    }

    /// [`Batch::usage`](super::Batch::usage).
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.flow.lanes.usage
    }

    /// [`Batch::poll_step`](super::Batch::poll_step). `next` gets the function's start, and may change it for
    /// its message.
    ///
    /// # Panics
    /// As `poll_step`.
    pub fn poll_step(
        &mut self,
        cx: &mut Context<'_>,
        mut next: impl FnMut(&mut [W]) -> Option<S>,
        mut done: impl FnMut(S, Result<&[u8], S::Error>),
    ) -> Progress {
        let hashing = &self.function.0;
        let mut next = |state: &mut [W]| {
            state.copy_from_slice(hashing.start());
            Some((next(state)?, hashing.before))
        };
        let mut done = |source: S, result: Result<&[W], S::Error>| {
            let mut digest = [0; MAX_DIGEST];
            let digest = &mut digest[..hashing.hash.digest];
            let result = result.map(|state| {
                (hashing.hash.output)(state, digest);
                &*digest
            });
            done(source, result);
        };
        self.flow.poll(cx, &mut next, &mut done)
    }
}
