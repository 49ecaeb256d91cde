//! Messages from readers.

use core::{
    ops::Range,
    task::{Context, Poll},
};
use std::io::{self, ErrorKind, Read};

use jlanes_core::{batch::Source, wipe::Buffer};

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

/// Bytes of a lane's buffer: those of 16 lanes fit a second-level cache of 1 MiB.
const CAPACITY: usize = 64 << 10;

impl<K, R: Read> Source for ReadSource<K, R> {
    type Key = K;
    type Error = io::Error;
    type Buffer = ReadBuffer;

    fn fill(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuffer) -> Poll<io::Result<()>> {
        buffer.bytes.resize(CAPACITY);
        while buffer.filled.is_empty() {
            match self.1.read(&mut buffer.bytes) {
                Ok(0) => break,
                Ok(n) => buffer.filled = 0..n,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Ready(Ok(()))
    }

    fn piece<'a>(&'a self, buffer: &'a ReadBuffer) -> &'a [u8] {
        &buffer.bytes[buffer.filled.clone()]
    }

    fn consume(&mut self, buffer: &mut ReadBuffer, n: usize) {
        buffer.filled.start += n;
    }

    fn into_key(self) -> K {
        self.0
    }
}
