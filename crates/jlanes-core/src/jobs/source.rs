//! [`Source`], a message that arrives in pieces, and its implementations for messages in memory.

use core::{
    convert::Infallible,
    task::{Context, Poll},
};

/// A message that arrives in pieces.
pub trait Source {
    /// Identifies the message.
    type Key;
    /// The error of a failed message.
    type Error;
    /// Storage for pieces outside the source. It belongs to the lane and is reused by one message
    /// after the other, so none of them allocates.
    type Buffer: Default;

    /// Makes [`piece`](Self::piece) non-empty unless the message is over.
    ///
    /// A source that has to wait returns [`Poll::Pending`] and arranges for the waker in `cx` to be
    /// woken when it can continue, as a future does. Meanwhile another message takes its lane. Without the
    /// feature `alloc` no place is left for the message, so the step calls `fill` until it is ready, and the
    /// other lanes wait. Sources that are always ready, or that block, don't need `cx`.
    ///
    /// # Errors
    /// The source's own. The message is then abandoned and must leave the buffer empty; other
    /// messages continue.
    fn fill(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut Self::Buffer,
    ) -> Poll<Result<(), Self::Error>>;

    /// The next bytes; empty at the end of the message, and before the first `fill`.
    fn piece<'a>(&'a self, buffer: &'a Self::Buffer) -> &'a [u8];

    /// Drops the first `n` bytes of the piece.
    fn consume(&mut self, buffer: &mut Self::Buffer, n: usize);

    /// The key of the finished message.
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

/// A message in memory that the source owns. The lane's buffer is the number of bytes that are hashed.
#[cfg(feature = "alloc")]
impl<K> Source for (K, alloc::vec::Vec<u8>) {
    type Key = K;
    type Error = Infallible;
    type Buffer = usize;

    #[inline]
    fn fill(&mut self, _: &mut Context<'_>, _: &mut usize) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    #[inline]
    fn piece<'a>(&'a self, hashed: &'a usize) -> &'a [u8] {
        &self.1[*hashed..]
    }

    #[inline]
    fn consume(&mut self, hashed: &mut usize, n: usize) {
        *hashed += n;
        if *hashed == self.1.len() {
            // the lane's next message begins with an empty buffer
            self.1.clear();
            *hashed = 0;
        }
    }

    #[inline]
    fn into_key(self) -> K {
        self.0
    }
}
