//! Messages that arrive in pieces, under an algorithm selected at run time.

use alloc::{boxed::Box, collections::VecDeque, rc::Rc, vec::Vec};
use core::{
    fmt,
    task::{Context, Poll, Waker},
};

use jlanes_core::{
    batch::{Progress, Source, Usage, function::AnyFunction},
    engine::Engine,
    hash::Output,
    hashes::skein::Node,
};
use jlanes_tree::skein::{SkeinConfig, SkeinDigest, TreeParams};

use super::{
    AnyHasher, AnyLanes, Hash, HmacUnsupported, Kind, Skein, SkeinSize,
    any_batch::{AnyBatch, BatchOf, ToDigest},
    hmac::wipe,
    job::with,
    one_by_one::OneByOne,
    prefixed::Prefixed,
};
#[cfg(feature = "blake2")]
use super::{Blake2, Blake2Word};
use crate::{
    Backend,
    multi::PATIENCE,
    skein::{Skein256, Skein512, Skein1024},
};

/// A finished message: its key, and its digest or its source's error.
type Finished<S> = (<S as Source>::Key, Result<Box<[u8]>, <S as Source>::Error>);

/// Hashes messages from [`Source`]s, as many at once as there are lanes:
/// [`Scheduler`](crate::multi::Scheduler) with the hash function as a value. [`AnyLanes::scheduler`]
/// creates one.
///
/// Hashes and BLAKE2 share the lanes. Trees and extendable-output functions hash one message after
/// the other, because each message fills the lanes. A scheduler stays on the thread that created
/// it.
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
pub struct AnyScheduler<'s, S: Source> {
    batch: Box<dyn AnyBatch<S> + 's>,
    /// HMAC's second hash, after the key's block.
    outer: Option<Box<dyn AnyHasher>>,
    /// The rest of the prefix, after the whole blocks that have been hashed.
    prefix: Option<Rc<[u8]>>,
    waiting: VecDeque<Prefixed<S>>,
    finished: VecDeque<Finished<S>>,
}

impl AnyLanes {
    /// A scheduler for messages that arrive in pieces, with this backend, prefix and
    /// [key](Self::keyed), on the calling thread.
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
    pub fn scheduler<'s, S: Source + 's>(&self) -> AnyScheduler<'s, S> {
        let (prefix, backend) = (&*self.settings.prefix, self.settings.backend);
        match self.algorithm().kind() {
            Kind::Hash(Hash::Fixed(fixed)) => {
                let digest = Box::new(|end: &[u8]| end.into());
                AnyScheduler::of_function(fixed.function()(backend), prefix, digest)
            }
            Kind::Hash(Hash::Skein(skein)) => AnyScheduler::plain_skein(skein, prefix, backend),
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => {
                AnyScheduler::blake2(blake2, &self.settings.key, prefix, backend)
            }
            _ => AnyScheduler::of(Box::new(OneByOne::new(self.hasher())), prefix),
        }
    }

    /// A scheduler of HMAC tags under a key of any length.
    ///
    /// # Errors
    /// If HMAC is not defined for the algorithm.
    pub fn hmac_scheduler<'s, S: Source + 's>(
        &self,
        key: &[u8],
    ) -> Result<AnyScheduler<'s, S>, HmacUnsupported> {
        let [mut inner, mut outer] = self.algorithm().pads(key, self.settings.backend)?;
        let mut hasher = self.hasher();
        hasher.update(&outer);
        let prefix = [&inner[..], &self.settings.prefix].concat();
        let scheduler = self.clone().prefix(&prefix).scheduler();
        for secret in [&mut inner[..], &mut outer[..]] {
            wipe(secret);
        }
        Ok(AnyScheduler { outer: Some(hasher), ..scheduler })
    }
}

impl<'s, S: Source + 's> AnyScheduler<'s, S> {
    /// A scheduler under Skein with the arguments of `config`, which prepends `prefix` to every
    /// message.
    ///
    /// # Panics
    /// If the configuration has a tree.
    #[must_use]
    pub fn skein<H>(config: SkeinConfig<H, Backend>, prefix: &[u8]) -> Self
    where
        H: SkeinDigest + 'static,
        Backend: Engine<H::Threefish>,
    {
        assert!(!config.tree().is_tree(), "the messages of a tree do not share lanes");
        let (backend, start) = (config.engine(), config.start());
        let digest = move |end: &[u8]| {
            let end = Output::<Node<H::Threefish>>::try_from(end);
            config.digest_of(&end.expect("the lanes leave nodes"))
        };
        Self::of_function(start.function(backend), prefix, Box::new(digest))
    }

    fn plain_skein(skein: Skein, prefix: &[u8], backend: Backend) -> Self {
        let tree = TreeParams::default();
        match skein.size() {
            SkeinSize::Skein256 => Self::skein(skein.config::<Skein256>(tree, backend), prefix),
            SkeinSize::Skein512 => Self::skein(skein.config::<Skein512>(tree, backend), prefix),
            SkeinSize::Skein1024 => Self::skein(skein.config::<Skein1024>(tree, backend), prefix),
        }
    }

    #[cfg(feature = "blake2")]
    fn blake2(blake2: Blake2, key: &[u8], prefix: &[u8], backend: Backend) -> Self {
        let digest = Box::new(move |whole: &[u8]| whole[..blake2.output_size()].into());
        match blake2.word() {
            Blake2Word::U32 => {
                let (start, first) = blake2.start::<u32>(key, prefix);
                Self::of_function(start.function(backend), &first, digest)
            }
            Blake2Word::U64 => {
                let (start, first) = blake2.start::<u64>(key, prefix);
                Self::of_function(start.function(backend), &first, digest)
            }
        }
    }

    /// A scheduler under `function`, which prepends `prefix`; `digest` converts the output of the
    /// lanes to a digest.
    pub(super) fn of_function(function: AnyFunction, prefix: &[u8], digest: ToDigest) -> Self {
        with!(function, |function| {
            let (function, rest) = function.after(prefix);
            Self::of(Box::new(BatchOf::new(function, digest)), rest)
        })
    }

    fn of(batch: Box<dyn AnyBatch<S> + 's>, prefix: &[u8]) -> Self {
        Self {
            batch,
            outer: None,
            prefix: (!prefix.is_empty()).then(|| prefix.into()),
            waiting: VecDeque::new(),
            finished: VecDeque::new(),
        }
    }
}

impl<S: Source> AnyScheduler<'_, S> {
    /// Queues a message. Hashing starts with [`step`](Self::step) or [`poll`](Self::poll).
    pub fn submit(&mut self, source: S) {
        self.waiting.push_back(Prefixed::new(source, self.prefix.clone()));
    }

    /// Messages that have been submitted and not yet returned.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len() + self.batch.live() + self.finished.len()
    }

    /// Whether all submitted messages have been returned.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Messages that have been submitted and have no lane yet. Keep this above zero while there are
    /// more messages, or lanes run empty.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The maximum number of messages that run at once.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.batch.lanes()
    }

    /// How well the lanes were filled so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.batch.usage()
    }

    /// Advances every lane by at least one block and returns the messages that ended, in the order
    /// in which they did. The next step polls sources that are not ready.
    pub fn step(&mut self) -> impl Iterator<Item = Finished<S>> {
        self.advance(&mut Context::from_waker(Waker::noop()));
        self.finished.drain(..)
    }

    /// The next message that ends, for callers that must not block, as
    /// [`Scheduler::poll`](crate::multi::Scheduler::poll).
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Finished<S>>> {
        let until = self.usage().blocks + PATIENCE;
        loop {
            if let Some(finished) = self.finished.pop_front() {
                return Poll::Ready(Some(finished));
            }
            match self.advance(cx) {
                Progress::Idle => return Poll::Ready(None),
                Progress::Waiting => return Poll::Pending,
                Progress::Advanced if self.usage().blocks >= until && self.finished.is_empty() => {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                _ => {}
            }
        }
    }

    /// The digests of messages in memory under this scheduler's settings, in order, independent of
    /// the schedule.
    #[must_use]
    pub fn digests(&self, messages: &[&[u8]]) -> Vec<Box<[u8]>> {
        let mut digests = match &self.prefix {
            None => self.batch.digests(messages),
            Some(prefix) => {
                let whole = messages.iter().map(|message| [prefix, *message].concat());
                let whole: Vec<Vec<u8>> = whole.collect();
                let whole: Vec<&[u8]> = whole.iter().map(|message| &message[..]).collect();
                self.batch.digests(&whole)
            }
        };
        if let Some(outer) = &self.outer {
            digests.iter_mut().for_each(|digest| *digest = tag(outer.clone(), digest));
        }
        digests
    }

    fn advance(&mut self, cx: &mut Context<'_>) -> Progress {
        let Self { batch, outer, waiting, finished, .. } = self;
        batch.advance(cx, waiting, &mut |key, digest| {
            let digest = match outer {
                Some(outer) => digest.map(|digest| tag(outer.clone(), &digest)),
                None => digest,
            };
            finished.push_back((key, digest));
        })
    }
}

fn tag(mut outer: Box<dyn AnyHasher>, digest: &[u8]) -> Box<[u8]> {
    outer.update(digest);
    outer.finalize()
}

impl<S: Source> fmt::Debug for AnyScheduler<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // the prefix may be a secret
        write!(f, "AnyScheduler {{ {} messages, .. }}", self.len())
    }
}
