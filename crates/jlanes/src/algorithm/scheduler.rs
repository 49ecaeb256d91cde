//! Messages that arrive in pieces, under an algorithm selected at run time.

use alloc::{boxed::Box, collections::VecDeque, vec};
use core::task::Context;

use jlanes_core::{
    function::{AnyFunction, Ended, Function, InFlight, Progress, Source},
    jobs::CompiledWord,
};

use super::{AnyHasher, AnyLanes, one_by_one::OneByOne, prefixed_function::PrefixedFunction};
use crate::multi::{
    Scheduler,
    scheduler::{InFlightStats, QueuedHash},
};

/// Hashes messages from [`Source`]s, as many at once as there are lanes:
/// [`Scheduler`](crate::multi::Scheduler) with the hash function as a value. [`AnyLanes::scheduler`]
/// creates one.
///
/// Hashes and BLAKE2 share the lanes. Trees and extendable-output functions hash one message after
/// the other, because each message fills the lanes.
///
/// ```
/// use jlanes::{Algorithm, Digest, Sha512};
///
/// let mut scheduler = "sha512".parse::<Algorithm>()?.lanes()?.scheduler();
/// for message in [("short", &b"a"[..]), ("empty", b"")] {
///     scheduler.submit(message);
/// }
/// while !scheduler.is_empty() {
///     for (name, digest) in scheduler.step() {
///         if name == "empty" {
///             assert_eq!(*digest.unwrap(), *Sha512::digest(b""));
///         }
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type AnyScheduler<S> = Scheduler<ByName, S>;

/// The hash function of an [`AnyScheduler`].
#[derive(Debug)]
pub enum ByName {}

/// Receives the keys of messages that have ended, each with its digest or with its source's error.
pub(super) type AnyDone<'d, S> =
    dyn FnMut(<S as Source>::Key, Result<Box<[u8]>, <S as Source>::Error>) + 'd;

/// Messages in flight.
pub enum AnyInFlight<S: Source> {
    U32(SharedLanes<u32, S>),
    U64(SharedLanes<u64, S>),
    OneByOne(OneByOne<S>),
}

/// Messages that share lanes.
pub struct SharedLanes<W: CompiledWord, S: Source> {
    in_flight: Box<InFlight<W, S>>,
    /// Bytes of a digest.
    size: usize,
    /// HMAC's second hash, after the key's block.
    outer: Option<Box<dyn AnyHasher>>,
}

/// Messages in flight, on the heap. This is a separate function because it needs thousands of bytes of stack,
/// which callers should not keep.
#[inline(never)]
fn boxed<W: CompiledWord, S: Source>(function: &Function<W>, prefix: &[u8]) -> Box<InFlight<W, S>> {
    Box::new(InFlight::new(function, prefix))
}

impl<W: CompiledWord, S: Source> SharedLanes<W, S> {
    fn new(mut function: Function<W>, prefix: &[u8], outer: Option<Box<dyn AnyHasher>>) -> Self {
        let (in_flight, size) = (boxed(&function, prefix), function.output_size());
        function.wipe();
        Self { in_flight, size, outer }
    }

    fn advance(
        &mut self,
        cx: &mut Context<'_>,
        waiting: &mut VecDeque<S>,
        done: &mut AnyDone<'_, S>,
    ) -> Progress {
        let Self { in_flight, size, outer } = self;
        in_flight.step(cx, &mut |_| waiting.pop_front(), &mut |source, end| {
            let finalize = |end: Ended<'_, W>| {
                let mut digest = vec![0; *size].into_boxed_slice();
                end.write(&mut digest);
                let Some(mut outer) = outer.clone() else { return digest };
                outer.update(&digest);
                outer.finalize()
            };
            done(source.into_key(), end.map(finalize));
        })
    }
}

impl QueuedHash for ByName {
    type Digest = Box<[u8]>;
    type InFlight<S: Source> = AnyInFlight<S>;

    fn advance<S: Source>(
        in_flight: &mut AnyInFlight<S>,
        cx: &mut Context<'_>,
        waiting: &mut VecDeque<S>,
        mut done: impl FnMut(S::Key, Result<Box<[u8]>, S::Error>),
    ) -> Progress {
        let done: &mut AnyDone<'_, S> = &mut done;
        match in_flight {
            AnyInFlight::U32(shared) => shared.advance(cx, waiting, done),
            AnyInFlight::U64(shared) => shared.advance(cx, waiting, done),
            AnyInFlight::OneByOne(messages) => messages.advance(cx, waiting, done),
        }
    }

    fn stats<S: Source>(in_flight: &AnyInFlight<S>) -> InFlightStats {
        match in_flight {
            AnyInFlight::U32(shared) => InFlightStats::of(&shared.in_flight),
            AnyInFlight::U64(shared) => InFlightStats::of(&shared.in_flight),
            AnyInFlight::OneByOne(messages) => messages.stats(),
        }
    }

    fn park_at_most<S: Source>(in_flight: &mut AnyInFlight<S>, most: usize) {
        match in_flight {
            AnyInFlight::U32(shared) => shared.in_flight.park_at_most(most),
            AnyInFlight::U64(shared) => shared.in_flight.park_at_most(most),
            AnyInFlight::OneByOne(messages) => messages.park_at_most(most),
        }
    }
}

impl AnyLanes {
    /// A scheduler for messages that arrive in pieces, with this backend and prefix, on the calling
    /// thread.
    ///
    /// ```
    /// use jlanes::{Algorithm, Backend, Digest, Sha512};
    ///
    /// let lanes = "sha512".parse::<Algorithm>()?.lanes()?.on(Backend::portable()).prefix(b"leaf:");
    /// let mut scheduler = lanes.scheduler();
    /// scheduler.submit(("key", &b"message"[..]));
    /// while !scheduler.is_empty() {
    ///     for (key, digest) in scheduler.step() {
    ///         assert_eq!((key, &*digest?), ("key", &*Sha512::digest("leaf:message")));
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn scheduler<S: Source>(&self) -> AnyScheduler<S> {
        let prefix = &*self.settings.prefix;
        match self.hash.prefixed_function(self.settings.backend) {
            Some(function) => function.scheduler(prefix),
            None => {
                let mut hasher = self.hasher();
                hasher.update(prefix);
                Scheduler::of(AnyInFlight::OneByOne(OneByOne::new(hasher)))
            }
        }
    }
}

impl PrefixedFunction {
    /// A scheduler, which prepends `prefix` to every message.
    pub(super) fn scheduler<S: Source>(self, prefix: &[u8]) -> AnyScheduler<S> {
        let Self { function, mut own_prefix, outer } = self;
        own_prefix.append(prefix);
        Scheduler::of(match function {
            AnyFunction::U32(f) => AnyInFlight::U32(SharedLanes::new(f, &own_prefix, outer)),
            AnyFunction::U64(f) => AnyInFlight::U64(SharedLanes::new(f, &own_prefix, outer)),
        })
    }
}
