//! Messages that arrive in pieces, under an algorithm selected at run time.

use alloc::{boxed::Box, collections::VecDeque, rc::Rc};
use core::{
    fmt, iter,
    task::{Context, Poll, Waker},
};

use jlanes_core::{
    batch::{Progress, Source, Usage},
    wipe::Buffer,
};

use super::{
    AnyHasher, AnyLanes,
    any_batch::{AnyBatch, BatchOf},
    function::with,
    on_lanes::OnLanes,
    one_by_one::OneByOne,
    prefixed::Prefixed,
};
use crate::multi::PATIENCE;

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
    prefix: Option<Rc<Buffer>>,
    waiting: VecDeque<Prefixed<S>>,
    finished: VecDeque<Finished<S>>,
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
    pub fn scheduler<'s, S: Source + 's>(&self) -> AnyScheduler<'s, S> {
        let (prefix, backend) = (&*self.settings.prefix, self.settings.backend);
        if let Some(key) = self.hash.parameters().hmac_key() {
            let algorithm = self.algorithm();
            let [mut inner, outer] = algorithm.pads(key, backend);
            let mut hasher = algorithm.plain_hasher_on(backend);
            hasher.update(&outer);
            inner.append(prefix);
            let scheduler = self.without_parameters().prefix(&inner).scheduler();
            return AnyScheduler { outer: Some(hasher), ..scheduler };
        }
        match self.hash.on_lanes(backend) {
            Some(lanes) => AnyScheduler::of_lanes(lanes, prefix, self.output_size()),
            None => AnyScheduler::of(Box::new(OneByOne::new(self.hasher())), prefix),
        }
    }
}

impl<'s, S: Source + 's> AnyScheduler<'s, S> {
    /// A scheduler of digests of `size` bytes, which prepends `prefix` to every message.
    pub(super) fn of_lanes(lanes: OnLanes, prefix: &[u8], size: usize) -> Self {
        let OnLanes { function, mut first, digest } = lanes;
        first.append(prefix);
        with!(function, |function| {
            let (function, rest) = function.after(&first);
            Self::of(Box::new(BatchOf::new(function, digest, size)), rest)
        })
    }

    fn of(batch: Box<dyn AnyBatch<S> + 's>, prefix: &[u8]) -> Self {
        Self {
            batch,
            outer: None,
            prefix: (!prefix.is_empty()).then(|| Rc::new(prefix.into())),
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
    /// in which they did. The next step polls sources that are not ready, and returns first what
    /// the iterator still has when it is dropped.
    ///
    /// # Panics
    /// After a panic of a source, as the other methods that hash: the messages in flight are lost.
    pub fn step(&mut self) -> impl Iterator<Item = Finished<S>> {
        self.advance(&mut Context::from_waker(Waker::noop()));
        iter::from_fn(|| self.finished.pop_front())
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
