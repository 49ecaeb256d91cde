//! [`Scheduler`], messages that arrive in pieces: submitted one by one, hashed on shared lanes, returned as
//! they end.

use alloc::collections::VecDeque;
use core::{
    fmt, iter,
    task::{Context, Poll, Waker},
};

use digest::Output;
use jlanes_core::{
    function::{InFlight, Progress, Source, Usage},
    hash::WordOf,
    jobs::CompiledWord,
};

use super::{Lanes, MultiDigest, sleep::Sleeper};

type Finished<H, S> = (<S as Source>::Key, Result<<H as QueuedHash>::Digest, <S as Source>::Error>);

/// The hash function of a [`Scheduler`]: a hasher's, or one that is selected at run time. It is sealed.
pub trait QueuedHash {
    /// A message's digest.
    type Digest;
    /// Messages in flight.
    type InFlight<S: Source>;

    /// Advances messages, and takes others from `waiting`. Messages that end or fail go to `done`.
    fn advance<S: Source>(
        in_flight: &mut Self::InFlight<S>,
        cx: &mut Context<'_>,
        waiting: &mut VecDeque<S>,
        done: impl FnMut(S::Key, Result<Self::Digest, S::Error>),
    ) -> Progress;

    /// The numbers of the messages in flight, and the use of the lanes.
    fn stats<S: Source>(in_flight: &Self::InFlight<S>) -> InFlightStats;

    /// Takes no more messages while `most` wait for their sources.
    fn park_at_most<S: Source>(in_flight: &mut Self::InFlight<S>, most: usize);
}

/// Numbers of the messages in flight, and the use of the lanes so far.
pub struct InFlightStats {
    /// Messages, in a lane or parked.
    pub messages: usize,
    pub parked: usize,
    /// The maximum number of messages that run at once.
    pub lanes: usize,
    pub usage: Usage,
}

impl<H: MultiDigest> QueuedHash for H {
    type Digest = Output<H>;
    type InFlight<S: Source> = InFlight<WordOf<H::Hash>, S>;

    fn advance<S: Source>(
        in_flight: &mut Self::InFlight<S>,
        cx: &mut Context<'_>,
        waiting: &mut VecDeque<S>,
        mut done: impl FnMut(S::Key, Result<Output<H>, S::Error>),
    ) -> Progress {
        in_flight.step(cx, &mut |_| waiting.pop_front(), &mut |source, end| {
            let digest = end.map(|end| {
                let mut digest = Output::<H>::default();
                end.write(&mut digest);
                digest
            });
            done(source.into_key(), digest);
        })
    }

    fn stats<S: Source>(in_flight: &Self::InFlight<S>) -> InFlightStats {
        InFlightStats::of(in_flight)
    }

    fn park_at_most<S: Source>(in_flight: &mut Self::InFlight<S>, most: usize) {
        in_flight.park_at_most(most);
    }
}

impl InFlightStats {
    pub(crate) fn of<W: CompiledWord, S: Source>(in_flight: &InFlight<W, S>) -> Self {
        let (messages, parked) = (in_flight.live(), in_flight.parked());
        Self { messages, parked, lanes: in_flight.lanes(), usage: in_flight.usage() }
    }
}

/// Hashes messages from [`Source`]s, as many at once as there are lanes.
///
/// [`Lanes::scheduler`] creates one, and so does the handle of an algorithm that is selected at run time.
///
/// ```
/// use jlanes::{Sha256, multi::Scheduler};
///
/// let mut scheduler = Scheduler::<Sha256, _>::new();
/// scheduler.submit((7, &b"abc"[..]));
/// scheduler.submit((8, &b""[..]));
/// let mut digests: Vec<_> = scheduler.drain().collect();
/// digests.sort_by_key(|(key, _)| *key);
/// assert_eq!(digests[0].1.as_ref().unwrap()[..4], [0xba, 0x78, 0x16, 0xbf]);
/// ```
pub struct Scheduler<H: QueuedHash, S: Source> {
    in_flight: H::InFlight<S>,
    waiting: VecDeque<S>,
    finished: VecDeque<Finished<H, S>>,
}

impl<H: MultiDigest, S: Source> Default for Scheduler<H, S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: MultiDigest, S: Source> Scheduler<H, S> {
    /// An empty scheduler on the detected backend. [`Lanes::scheduler`] creates others.
    #[must_use]
    pub fn new() -> Self {
        Lanes::<H>::new().scheduler()
    }
}

impl<H: QueuedHash, S: Source> Scheduler<H, S> {
    pub(crate) fn of(in_flight: H::InFlight<S>) -> Self {
        Self { in_flight, waiting: VecDeque::new(), finished: VecDeque::new() }
    }

    /// Queues a message. Hashing starts with [`drain`](Self::drain) or [`step`](Self::step).
    pub fn submit(&mut self, source: S) {
        self.waiting.push_back(source);
    }

    /// Messages that have been submitted and not yet returned.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len() + H::stats(&self.in_flight).messages + self.finished.len()
    }

    /// Whether all submitted messages have been returned.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Messages that have been submitted and have no lane yet. Keep this above zero while there are
    /// more messages, or lanes run empty.
    ///
    /// ```
    /// use jlanes::{Sha256, multi::Scheduler};
    ///
    /// let mut messages = (0..100).zip([&b"of any number"[..]; 100]);
    /// let (mut scheduler, mut done) = (Scheduler::<Sha256, _>::new(), 0);
    /// loop {
    ///     while scheduler.waiting() < 4 && let Some(message) = messages.next() {
    ///         scheduler.submit(message);
    ///     }
    ///     if scheduler.is_empty() {
    ///         break;
    ///     }
    ///     done += scheduler.step().count();
    /// }
    /// assert_eq!(done, 100);
    /// ```
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The maximum number of messages that run at once.
    #[must_use]
    pub fn lanes(&self) -> usize {
        H::stats(&self.in_flight).lanes
    }

    /// The use of the lanes so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        H::stats(&self.in_flight).usage
    }

    /// Messages that wait for their sources.
    #[must_use]
    pub fn parked(&self) -> usize {
        H::stats(&self.in_flight).parked
    }

    /// Takes no more messages while `most` wait for their sources. Each waiting message keeps a
    /// buffer, so this bounds the memory of a scheduler with slow sources; 0 counts as 1. There is no
    /// bound by default.
    pub fn park_at_most(&mut self, most: usize) {
        H::park_at_most(&mut self.in_flight, most);
    }

    /// Advances every lane by at least one block and returns the messages that ended, in the order
    /// in which they did. The next step polls sources that are not ready, and returns first what
    /// the iterator still has when it is dropped.
    ///
    /// # Panics
    /// After a panic of a source, as the other methods that hash: the messages in flight are lost.
    pub fn step(&mut self) -> impl Iterator<Item = Finished<H, S>> {
        self.advance(&mut Context::from_waker(Waker::noop()));
        iter::from_fn(|| self.finished.pop_front())
    }

    /// Hashes everything that has been submitted and returns messages as they end. While all
    /// messages wait for their sources, the thread sleeps until a source wakes it.
    pub fn drain(&mut self) -> impl Iterator<Item = Finished<H, S>> {
        Drain { scheduler: self, sleeper: Sleeper::new() }
    }

    /// The next message that ends, for callers that must not block: an async task, or a loop with
    /// other work. `Ready(None)` if all submitted messages have been returned.
    ///
    /// A call hashes for about a millisecond at most. If it is pending, the waker in `cx` is woken
    /// when there is more to do: at once if only the time is over, otherwise by a source that
    /// becomes ready. Messages can be submitted between calls. Dropping the scheduler drops its
    /// sources. With the feature `async`, the scheduler is a
    #[cfg_attr(feature = "async", doc = "[`Stream`](futures_core::Stream).")]
    #[cfg_attr(not(feature = "async"), doc = "`Stream`.")]
    ///
    /// ```
    /// use jlanes::{Sha256, multi::Scheduler};
    /// use std::future::poll_fn;
    ///
    /// async fn digests(mut scheduler: Scheduler<Sha256, (u32, &[u8])>) {
    ///     while let Some((key, digest)) = poll_fn(|cx| scheduler.poll(cx)).await {
    ///         println!("{key}: {digest:x?}");
    ///     }
    /// }
    /// ```
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Finished<H, S>>> {
        let until = self.usage().blocks + BLOCKS_PER_POLL;
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
        let Self { in_flight, waiting, finished } = self;
        H::advance(in_flight, cx, waiting, |key, digest| finished.push_back((key, digest)))
    }
}

impl<H: QueuedHash, S: Source> fmt::Debug for Scheduler<H, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // the prefix may be a secret
        write!(f, "Scheduler {{ {} messages, .. }}", self.len())
    }
}

/// Blocks that one call of [`Scheduler::poll`] hashes before it yields: 2 MiB of SHA-256.
const BLOCKS_PER_POLL: u64 = 1 << 15;

#[cfg(feature = "async")]
impl<H: QueuedHash, S: Source> futures_core::Stream for Scheduler<H, S>
where
    Self: Unpin,
{
    type Item = Finished<H, S>;

    fn poll_next(
        self: core::pin::Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Self::Item>> {
        self.get_mut().poll(cx)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

/// The results of a [`Scheduler`], one after the other.
struct Drain<'a, H: QueuedHash, S: Source> {
    scheduler: &'a mut Scheduler<H, S>,
    sleeper: Sleeper,
}

impl<H: QueuedHash, S: Source> Iterator for Drain<'_, H, S> {
    type Item = Finished<H, S>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut cx = Context::from_waker(self.sleeper.waker());
        while self.scheduler.finished.is_empty() {
            match self.scheduler.advance(&mut cx) {
                Progress::Idle => break,
                Progress::Waiting => self.sleeper.sleep(),
                _ => {}
            }
        }
        self.scheduler.finished.pop_front()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.scheduler.len(), Some(self.scheduler.len()))
    }
}
