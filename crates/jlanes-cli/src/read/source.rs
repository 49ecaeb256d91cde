//! Files as messages of lanes.

use std::{io, mem, ops::Range, os::fd::OwnedFd, sync::Arc};

use jlanes::multi::Source;
use rustix::{
    fs::{Advice, fadvise, fstat},
    io::{Errno, read, retry_on_intr},
};

use super::{
    Opened, Stream, Target,
    windows::{LARGE, Next, Windows, is_local},
};

/// Bytes of a lane's window. Windows of a quarter of it cost 7 % more time.
const WINDOW: usize = 2 << 20;

/// Bytes of a lane's buffer. 16 lanes' fit a second-level cache of 1 MiB and leave room in it.
const CAPACITY: usize = 32 << 10;

/// How files are read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) map: Map,
}

/// Which large files are mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Map {
    /// None.
    Never,
    /// Those on file systems of this machine.
    #[default]
    Local,
    /// All.
    Always,
}

/// Why a message was given up.
#[derive(Debug)]
pub(crate) enum ReadError {
    Io(io::Error),
    /// It is no regular file, and has to wait until it can be read alone and in its turn.
    Stream(Stream),
}

impl From<Errno> for ReadError {
    fn from(error: Errno) -> Self {
        Self::Io(error.into())
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What messages start with before their files, if anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head(Option<Arc<[u8]>>);

impl Head {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        Self((!bytes.is_empty()).then(|| Arc::from(bytes)))
    }
}

/// What a message is read into.
#[derive(Debug)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    filled: Range<usize>,
    capacity: usize,
    /// Bytes of a window of files that are mapped, and the alignment of its end.
    window: usize,
}

/// A lane's buffer.
impl Default for Buffer {
    fn default() -> Self {
        Self::new(CAPACITY, WINDOW)
    }
}

impl Buffer {
    /// A buffer for `capacity` bytes, which takes memory when it is first used, and windows of
    /// `window` bytes.
    pub(crate) fn new(capacity: usize, window: usize) -> Self {
        Self { bytes: Vec::new(), filled: 0..0, capacity, window }
    }

    /// Forgets what was read.
    pub(crate) fn clear(&mut self) {
        self.filled = 0..0;
    }

    /// Fills the buffer from `fd`, after `head`. Returns how many bytes were read, and whether the
    /// file may have more.
    fn read(&mut self, fd: &OwnedFd, head: &[u8]) -> Result<(usize, bool), Errno> {
        if self.bytes.is_empty() {
            self.bytes = vec![0; self.capacity];
        }
        let (first, rest) = self.bytes.split_at_mut(head.len());
        first.copy_from_slice(head);
        let n = fill(fd, rest)?;
        let more = n == rest.len();
        self.filled = 0..head.len() + n;
        Ok((n, more))
    }
}

#[derive(Debug)]
enum Input {
    Closed(Target),
    Open(OwnedFd),
    Mapped(Windows),
    Ended,
}

/// A file, or a stream, as a message of a lane. Its key is its number and its length.
#[derive(Debug)]
pub(crate) struct FileSource {
    number: u64,
    /// Until it has been taken into the buffer.
    head: Head,
    reading: Reading,
    input: Input,
    len: u64,
}

impl FileSource {
    /// The file at `target`, opened when it gets its lane.
    pub(crate) fn new(number: u64, target: Target, reading: Reading) -> Self {
        Self { number, head: Head::default(), reading, input: Input::Closed(target), len: 0 }
    }

    /// The message after `head`, which does not count as its bytes.
    pub(crate) fn after(self, head: &Head) -> Self {
        Self { head: head.clone(), ..self }
    }

    /// A stream, which is open and never mapped.
    pub(super) fn of_stream(number: u64, fd: OwnedFd) -> Self {
        let reading = Reading { map: Map::Never };
        Self { number, head: Head::default(), reading, input: Input::Open(fd), len: 0 }
    }

    /// Gets the next bytes, which go into `buffer` where the file is not mapped.
    fn refill(&mut self, buffer: &mut Buffer) -> Result<(), ReadError> {
        match mem::replace(&mut self.input, Input::Ended) {
            Input::Closed(target) => match target.open()? {
                Opened::Regular(fd) => self.read(fd, buffer)?,
                Opened::Stream(stream) => return Err(ReadError::Stream(stream)),
            },
            // a small file has ended in its first buffer
            Input::Open(fd) if self.is_to_be_mapped(&fd)? => {
                // where a window cannot be mapped, reading goes on for good
                self.reading.map = Map::Never;
                self.enter(Windows::open(fd, self.len, buffer.window)?, buffer)?;
            }
            Input::Open(fd) => self.read(fd, buffer)?,
            Input::Mapped(windows) => self.enter(windows.next()?, buffer)?,
            Input::Ended => {}
        }
        Ok(())
    }

    fn is_to_be_mapped(&self, fd: &OwnedFd) -> Result<bool, Errno> {
        Ok(match self.reading.map {
            Map::Never => false,
            Map::Local => fstat(fd)?.st_size >= LARGE && is_local(fd),
            Map::Always => fstat(fd)?.st_size >= LARGE,
        })
    }

    fn enter(&mut self, next: Next, buffer: &mut Buffer) -> Result<(), ReadError> {
        match next {
            Next::Window(windows) => {
                self.len += windows.piece().len() as u64;
                self.input = Input::Mapped(windows);
                Ok(())
            }
            Next::Plain(fd) => self.read(fd, buffer),
        }
    }

    fn read(&mut self, fd: OwnedFd, buffer: &mut Buffer) -> Result<(), ReadError> {
        let head = self.head.0.take();
        let (n, more) = buffer.read(&fd, head.as_deref().unwrap_or_default())?;
        if more {
            if self.len == 0 {
                // only advice: where it is not understood, reading goes on without it
                let _ = fadvise(&fd, 0, None, Advice::Sequential);
            }
            self.input = Input::Open(fd);
        }
        self.len += n as u64;
        Ok(())
    }
}

/// Reads until `buffer` is full or the file ends.
fn fill(fd: &OwnedFd, buffer: &mut [u8]) -> Result<usize, Errno> {
    let mut n = 0;
    while n < buffer.len() {
        match retry_on_intr(|| read(fd, &mut buffer[n..]))? {
            0 => break,
            more => n += more,
        }
    }
    Ok(n)
}

impl Source for FileSource {
    type Key = (u64, u64);
    type Error = ReadError;
    type Buffer = Buffer;

    fn fill(&mut self, buffer: &mut Buffer) -> Result<(), ReadError> {
        if self.piece(buffer).is_empty() {
            buffer.clear();
            self.refill(buffer)?;
        }
        Ok(())
    }

    fn piece<'a>(&'a self, buffer: &'a Buffer) -> &'a [u8] {
        match &self.input {
            Input::Mapped(windows) => windows.piece(),
            _ => &buffer.bytes[buffer.filled.clone()],
        }
    }

    fn consume(&mut self, buffer: &mut Buffer, n: usize) {
        match &mut self.input {
            Input::Mapped(windows) => windows.consume(n),
            _ => buffer.filled.start += n,
        }
    }

    fn into_key(self) -> (u64, u64) {
        (self.number, self.len)
    }
}
