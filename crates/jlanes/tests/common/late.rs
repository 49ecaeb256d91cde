//! A source that comes as a test wants it: in pieces, not ready for a while, or never whole.

use std::task::{Context, Poll};

use jlanes::multi::Source;

/// The pieces of a message, and its delays.
#[derive(Clone, Copy)]
pub(crate) struct Arrival {
    /// Bytes of its pieces.
    pub(crate) portion: usize,
    /// The number of times that it is not ready before each piece.
    pub(crate) stalls: usize,
    /// Whether it fails in the place of its end.
    pub(crate) fails: bool,
}

/// All of it at once.
pub(crate) const READY: Arrival = Arrival { portion: usize::MAX, stalls: 0, fails: false };

/// A message in memory that comes in an [`Arrival`].
pub(crate) struct Late<'m> {
    key: usize,
    rest: &'m [u8],
    ready: usize,
    stalled: usize,
    arrival: Arrival,
}

impl<'m> Late<'m> {
    pub(crate) fn new(key: usize, message: &'m [u8], arrival: Arrival) -> Self {
        Self { key, rest: message, ready: 0, stalled: 0, arrival }
    }
}

impl Source for Late<'_> {
    type Key = usize;
    type Error = &'static str;
    /// Shows that a buffer stays with its message: the number of bytes that it has given.
    type Buffer = usize;

    fn fill(&mut self, cx: &mut Context<'_>, _: &mut usize) -> Poll<Result<(), &'static str>> {
        if self.ready > 0 {
            return Poll::Ready(Ok(()));
        }
        if self.stalled < self.arrival.stalls {
            self.stalled += 1;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.stalled = 0;
        if self.rest.is_empty() && self.arrival.fails {
            return Poll::Ready(Err("broken"));
        }
        self.ready = self.arrival.portion.min(self.rest.len());
        Poll::Ready(Ok(()))
    }

    fn piece<'a>(&'a self, _: &'a usize) -> &'a [u8] {
        &self.rest[..self.ready]
    }

    fn consume(&mut self, given: &mut usize, n: usize) {
        self.ready -= n;
        self.rest = &self.rest[n..];
        *given += n;
    }

    fn into_key(self) -> usize {
        self.key
    }
}
