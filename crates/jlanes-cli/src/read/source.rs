//! Files as messages of lanes.

use std::{io, mem, ops::Range, os::fd::OwnedFd};

use jlanes::multi::Source;
use rustix::{
    fs::{Advice, fadvise, fstat},
    io::{Errno, read, retry_on_intr},
};

use super::{
    Opened, Stream, Target,
    windows::{LARGE, Next, Windows, is_local},
};

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

/// A lane's buffer.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    filled: Range<usize>,
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
    reading: Reading,
    input: Input,
    len: u64,
}

impl FileSource {
    /// The file at `target`, opened when it gets its lane.
    pub(crate) fn new(number: u64, target: Target, reading: Reading) -> Self {
        Self { number, reading, input: Input::Closed(target), len: 0 }
    }

    /// A stream, which is open and never mapped.
    pub(super) fn of_stream(number: u64, fd: OwnedFd) -> Self {
        Self { number, reading: Reading { map: Map::Never }, input: Input::Open(fd), len: 0 }
    }

    /// Gets the next bytes, which go into `buffer` where the file is not mapped.
    fn refill(&mut self, buffer: &mut Buffer) -> Result<(), ReadError> {
        match mem::replace(&mut self.input, Input::Ended) {
            Input::Closed(target) => match target.open()? {
                Opened::Regular(fd) => self.read(fd, buffer)?,
                Opened::Stream(stream) => return Err(ReadError::Stream(stream)),
            },
            // a small file has ended in its first buffer
            Input::Open(fd) if self.len == CAPACITY as u64 && self.is_to_be_mapped(&fd)? => {
                self.enter(Windows::open(fd, self.len)?, buffer)?;
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
        buffer.bytes.resize(CAPACITY, 0);
        let n = fill(&fd, &mut buffer.bytes)?;
        buffer.filled = 0..n;
        if n == CAPACITY {
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
            buffer.filled = 0..0;
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
