//! Messages from readers, and from functions that poll readers.

use core::{
    ops::Range,
    task::{Context, Poll, ready},
};
use std::io::{self, ErrorKind, Read};

use jlanes_core::{function::Source, wipe::Buffer};

/// A message that is read to its end from a reader: `ReadSource(key, reader)`.
///
/// The lane of the message provides a buffer of 64 KiB. A reader that would block
/// ([`ErrorKind::WouldBlock`]) is asked again with the next step; nothing says when it is ready, so
/// [`drain`](super::Scheduler::drain) does not sleep meanwhile.
///
/// ```
/// use jlanes::{Digest, Sha256, multi::{ReadSource, Scheduler}};
///
/// let mut scheduler = Scheduler::<Sha256, _>::new();
/// scheduler.submit(ReadSource("name", &b"any std::io::Read"[..]));
/// for (name, digest) in scheduler.drain() {
///     assert_eq!(name, "name");
///     assert_eq!(digest?, Sha256::digest(b"any std::io::Read"));
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ReadSource<K, R>(pub K, pub R);

/// Bytes that have been read and not yet hashed.
#[derive(Debug, Default)]
pub struct ReadBuffer {
    bytes: Buffer,
    filled: Range<usize>,
}

#[cfg(feature = "zeroize")]
impl digest::zeroize::ZeroizeOnDrop for ReadBuffer {}

/// Bytes of a lane's buffer: the buffers of 16 lanes fit a second-level cache of 1 MiB.
const BUFFER_BYTES: usize = 64 << 10;

impl ReadBuffer {
    /// Reads until there are bytes or the reader ends.
    fn fill(
        &mut self,
        mut read: impl FnMut(&mut [u8]) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<()>> {
        self.bytes.resize(BUFFER_BYTES);
        while self.filled.is_empty() {
            match ready!(read(&mut self.bytes)) {
                Ok(0) => break,
                Ok(n) => self.filled = 0..n,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Ready(Ok(()))
    }

    fn piece(&self) -> &[u8] {
        &self.bytes[self.filled.clone()]
    }
}

impl<K, R: Read> Source for ReadSource<K, R> {
    type Key = K;
    type Error = io::Error;
    type Buffer = ReadBuffer;

    fn fill(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuffer) -> Poll<io::Result<()>> {
        buffer.fill(|bytes| match self.1.read(bytes) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            read => Poll::Ready(read),
        })
    }

    fn piece<'a>(&'a self, buffer: &'a ReadBuffer) -> &'a [u8] {
        buffer.piece()
    }

    fn consume(&mut self, buffer: &mut ReadBuffer, n: usize) {
        buffer.filled.start += n;
    }

    fn into_key(self) -> K {
        self.0
    }
}

/// A message that is read to its end from an asynchronous reader of any crate: `PollSource(key, poll_read)`.
///
/// The function is the reader's `poll_read`. While a reader is pending, its lane goes to another message. Readers
/// that need a runtime, such as tokio's, make progress on that runtime's threads.
///
/// ```
/// use std::{io::Read, task::{Context, Poll}};
///
/// use jlanes::{Digest, Sha256, multi::{PollSource, Scheduler}};
///
/// let mut scheduler = Scheduler::<Sha256, _>::new();
/// // of futures-io: `|cx, bytes| Pin::new(&mut reader).poll_read(cx, bytes)`
/// let mut reader = &b"any AsyncRead"[..];
/// let poll_read = move |_: &mut Context<'_>, bytes: &mut [u8]| Poll::Ready(reader.read(bytes));
/// scheduler.submit(PollSource("name", poll_read));
/// for (name, digest) in scheduler.drain() {
///     assert_eq!(digest?, Sha256::digest(b"any AsyncRead"), "{name}");
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PollSource<K, F>(pub K, pub F);

impl<K, F> Source for PollSource<K, F>
where
    F: FnMut(&mut Context<'_>, &mut [u8]) -> Poll<io::Result<usize>>,
{
    type Key = K;
    type Error = io::Error;
    type Buffer = ReadBuffer;

    fn fill(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuffer) -> Poll<io::Result<()>> {
        buffer.fill(|bytes| (self.1)(cx, bytes))
    }

    fn piece<'a>(&'a self, buffer: &'a ReadBuffer) -> &'a [u8] {
        buffer.piece()
    }

    fn consume(&mut self, buffer: &mut ReadBuffer, n: usize) {
        buffer.filled.start += n;
    }

    fn into_key(self) -> K {
        self.0
    }
}
