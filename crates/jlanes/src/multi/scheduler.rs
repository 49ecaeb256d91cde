//! Messages that arrive in pieces.

use alloc::collections::VecDeque;

use digest::Output;
use jlanes_core::{
    batch::{Batch, Source, Start, Usage},
    engine::{Engine, MultiDigest},
    hash::HashFunction,
};

type EngineOf<H> = <H as MultiDigest>::Engine;
type Finished<H, S> = (<S as Source>::Key, Result<Output<H>, <S as Source>::Error>);

/// Hashes messages that come from [`Source`]s, as many at once as there are lanes.
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
pub struct Scheduler<H: MultiDigest, S: Source, E = EngineOf<H>> {
    batch: Batch<H::Function, E, S>,
    waiting: VecDeque<S>,
    finished: VecDeque<Finished<H, S>>,
}

impl<H: MultiDigest, S: Source> Scheduler<H, S> {
    /// A scheduler without messages, on the hash's own engine.
    #[must_use]
    pub fn new() -> Self {
        Self::with_engine(H::engine())
    }
}

impl<H: MultiDigest, S: Source> Default for Scheduler<H, S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H, S, E> Scheduler<H, S, E>
where
    H: MultiDigest,
    S: Source,
    E: Engine<<H::Function as HashFunction>::Compression>,
{
    /// A scheduler on a given engine, such as a forced [`Backend`](crate::Backend).
    #[must_use]
    pub fn with_engine(engine: E) -> Self {
        Self {
            batch: Batch::new(engine, Start::new()),
            waiting: VecDeque::new(),
            finished: VecDeque::new(),
        }
    }

    /// Lines a message up. Nothing is hashed before [`drain`](Self::drain) or
    /// [`step`](Self::step).
    pub fn submit(&mut self, source: S) {
        self.waiting.push_back(source);
    }

    /// Messages that have been submitted and not yet handed out.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len() + self.batch.live() + self.finished.len()
    }

    /// Whether all submitted messages have been handed out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Messages that have been submitted and have no lane yet. Whoever submits as messages end
    /// keeps this above zero, or lanes run empty.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// How well the lanes were filled so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.batch.usage()
    }

    /// Advances every lane by at least a block and returns the messages that ended, in the order
    /// in which they did.
    pub fn step(&mut self) -> impl Iterator<Item = Finished<H, S>> {
        self.advance();
        self.finished.drain(..)
    }

    /// Hashes everything that has been submitted; the messages come as they end.
    pub fn drain(&mut self) -> Drain<'_, H, S, E> {
        Drain { scheduler: self }
    }

    fn advance(&mut self) -> bool {
        let Self { batch, waiting, finished } = self;
        batch.step(
            || waiting.pop_front(),
            |source, result| finished.push_back((source.into_key(), result)),
        )
    }
}

/// Iterator over the digests of a [`Scheduler`]'s messages: each message's key, and its digest or
/// its source's error.
pub struct Drain<'a, H: MultiDigest, S: Source, E> {
    scheduler: &'a mut Scheduler<H, S, E>,
}

impl<H, S, E> Iterator for Drain<'_, H, S, E>
where
    H: MultiDigest,
    S: Source,
    E: Engine<<H::Function as HashFunction>::Compression>,
{
    type Item = Finished<H, S>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.scheduler.finished.is_empty() && self.scheduler.advance() {}
        self.scheduler.finished.pop_front()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.scheduler.len(), Some(self.scheduler.len()))
    }
}
