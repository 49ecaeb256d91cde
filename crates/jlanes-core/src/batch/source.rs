//! Messages that arrive in pieces.

use core::{
    convert::Infallible,
    task::{Context, Poll},
};

/// A message that arrives in pieces.
pub trait Source {
    /// What tells this message from the others.
    type Key;
    /// Why a message could not be had.
    type Error;
    /// Where pieces are kept, if not in the source. It belongs to the lane: the messages that take
    /// the lane one after another use it in turn, so that none of them allocates.
    type Buffer: Default;

    /// Makes [`piece`](Self::piece) non-empty unless the message is over.
    ///
    /// A source that has to wait answers [`Poll::Pending`] and arranges for the waker in `cx` to be
    /// woken when it can go on, as a future does. Its lane goes to another message meanwhile.
    /// Sources that are always ready, or that block, don't need `cx`.
    ///
    /// # Errors
    /// The source's own. The message is given up then and the buffer must be left empty; the other
    /// messages go on.
    fn fill(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut Self::Buffer,
    ) -> Poll<Result<(), Self::Error>>;

    /// The bytes that come next; empty at the end of the message, or before the first `fill`.
    fn piece<'a>(&'a self, buffer: &'a Self::Buffer) -> &'a [u8];

    /// Drops the first `n` bytes of the piece.
    fn consume(&mut self, buffer: &mut Self::Buffer, n: usize);

    /// The key, when the message is done.
    fn into_key(self) -> Self::Key;
}

/// A message in memory.
impl<K> Source for (K, &[u8]) {
    type Key = K;
    type Error = Infallible;
    type Buffer = ();

    #[inline]
    fn fill(&mut self, _: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    #[inline]
    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        self.1
    }

    #[inline]
    fn consume(&mut self, (): &mut (), n: usize) {
        self.1 = &self.1[n..];
    }

    #[inline]
    fn into_key(self) -> K {
        self.0
    }
}
