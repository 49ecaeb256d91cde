//! Files as messages of lanes.

use std::{io, mem, num::NonZero, os::fd::OwnedFd, sync::Arc};

use jlanes::multi::Source;
use rustix::{
    fs::{Stat, fstat},
    io::Errno,
};

use super::{
    Buffer, Opened, Stream, Target,
    device::{self, Admission, Device, Turn},
    system::{is_local, read_in_line},
    windows::{LARGE, Next, Windows},
};

/// How files are read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) map: Map,
    /// Whether symbolic links are messages themselves, of what they say.
    pub(crate) links: bool,
    /// Whether to look if files change meanwhile.
    pub(crate) watch: bool,
    /// Whether files end where a buffer does: whoever looks for differences need not read on.
    pub(crate) heads: bool,
    /// Large files that are read at once from one device, if the user says so.
    pub(crate) jobs: Option<NonZero<usize>>,
    /// Who is told of bytes that have been read.
    pub(crate) meter: Option<fn(u64)>,
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
    /// It is large, and its device has no turn for it.
    Busy(Target, &'static Device),
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

#[derive(Debug)]
enum Input {
    Closed(Target),
    Open(OwnedFd),
    Mapped(Windows),
    Ended,
}

/// What is known of a message when it is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) number: u64,
    /// Bytes that were read.
    pub(crate) len: u64,
    /// Whether the file was seen to change meanwhile.
    pub(crate) changed: bool,
}

/// What changes with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    size: i64,
    seconds: i64,
    nanoseconds: i64,
}

impl Stamp {
    #[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
    fn of(fd: &OwnedFd) -> Result<Self, Errno> {
        let Stat { st_size, st_mtime, st_mtime_nsec, .. } = fstat(fd)?;
        Ok(Self { size: st_size, seconds: st_mtime as i64, nanoseconds: st_mtime_nsec as i64 })
    }
}

/// A file, or a stream, as a message of a lane.
#[derive(Debug)]
pub(crate) struct FileSource {
    end: End,
    /// How the file was when it was opened, if it is watched.
    stamp: Option<Stamp>,
    /// Until it has been taken into the buffer.
    head: Head,
    /// The length that the head tells, if it does.
    announced: Option<u64>,
    reading: Reading,
    /// What a large file has to have on some devices.
    turn: Option<Turn>,
    input: Input,
}

impl FileSource {
    /// The file at `target`, opened when it gets its lane; `turn` is what it has waited for.
    pub(crate) fn new(number: u64, target: Target, reading: Reading, turn: Option<Turn>) -> Self {
        Self { turn, ..Self::with(number, reading, Input::Closed(target)) }
    }

    fn with(number: u64, reading: Reading, input: Input) -> Self {
        let end = End { number, len: 0, changed: false };
        Self {
            end,
            stamp: None,
            head: Head::default(),
            announced: None,
            reading,
            turn: None,
            input,
        }
    }

    /// The message after `head`, which does not count as its bytes.
    pub(crate) fn after(self, head: &Head) -> Self {
        Self { head: head.clone(), ..self }
    }

    /// A stream, which is open and never mapped.
    pub(super) fn of_stream(number: u64, fd: OwnedFd, reading: Reading) -> Self {
        let reading = Reading { map: Map::Never, meter: reading.meter, ..Reading::default() };
        Self::with(number, reading, Input::Open(fd))
    }

    /// Gets the next bytes, which go into `buffer` where the file is not mapped.
    fn refill(&mut self, buffer: &mut Buffer) -> Result<(), ReadError> {
        match mem::replace(&mut self.input, Input::Ended) {
            Input::Closed(target) => self.open(target, buffer),
            // a small file has ended in its first buffer
            Input::Open(fd) if self.is_to_be_mapped(&fd)? => {
                // where a window cannot be mapped, reading goes on for good
                self.reading.map = Map::Never;
                self.enter(Windows::open(fd, self.end.len, buffer.window)?, buffer)
            }
            Input::Open(fd) => self.read(fd, buffer),
            Input::Mapped(windows) => self.enter(windows.next()?, buffer),
            Input::Ended => Ok(()),
        }
    }

    /// Opens the file and gets its first bytes.
    fn open(&mut self, target: Target, buffer: &mut Buffer) -> Result<(), ReadError> {
        let git = target.is_git();
        match target.open(self.reading.links || git)? {
            Opened::Regular(fd, stat) => {
                if let Some(device) = self.take_turn(&target, &fd, stat, buffer.capacity)? {
                    return Err(ReadError::Busy(target, device));
                }
                if git {
                    self.announce(Stamp::of(&fd)?.size as u64);
                }
                self.stamp = self.reading.watch.then(|| Stamp::of(&fd)).transpose()?;
                self.read(fd, buffer)
            }
            Opened::Link(text) => {
                if git {
                    self.announce(text.to_bytes().len() as u64);
                }
                let head = self.head.0.take();
                buffer.put(head.as_deref().unwrap_or_default(), text.to_bytes());
                self.count(text.to_bytes().len());
                Ok(())
            }
            Opened::Stream(stream) => Err(ReadError::Stream(stream)),
        }
    }

    /// Sees to it that the file has a turn on its device if it needs one, which depends on whether
    /// it fits a buffer of `buffer` bytes. Returns the device if it has no turn left.
    fn take_turn(
        &mut self,
        target: &Target,
        fd: &OwnedFd,
        stat: Option<Stat>,
        buffer: usize,
    ) -> Result<Option<&'static Device>, Errno> {
        if self.turn.is_some() {
            return Ok(None);
        }
        match device::admit(fd, stat, target.device(), buffer as u64, self.reading.jobs)? {
            Admission::Free => {}
            Admission::Turn(turn) => self.turn = Some(turn),
            Admission::Busy(device) => return Ok(Some(device)),
        }
        Ok(None)
    }

    /// Begins git's blob of `len` bytes.
    fn announce(&mut self, len: u64) {
        self.head = Head::new(format!("blob {len}\0").as_bytes());
        self.announced = Some(len);
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
                self.count(windows.piece().len());
                self.input = Input::Mapped(windows);
                Ok(())
            }
            Next::Plain(fd) => self.read(fd, buffer),
        }
    }

    fn read(&mut self, fd: OwnedFd, buffer: &mut Buffer) -> Result<(), ReadError> {
        let head = self.head.0.take();
        let (n, more) = buffer.read(&fd, head.as_deref().unwrap_or_default())?;
        let more = more && !self.reading.heads;
        if more {
            if self.end.len == 0 {
                read_in_line(&fd);
            }
            self.input = Input::Open(fd);
        } else if let Some(before) = self.stamp {
            self.end.changed = Stamp::of(&fd)? != before;
        }
        self.count(n);
        if !more && self.announced.is_some_and(|len| len != self.end.len) {
            return Err(io::Error::other("changed its length while it was read").into());
        }
        Ok(())
    }

    fn count(&mut self, bytes: usize) {
        self.end.len += bytes as u64;
        if let Some(meter) = self.reading.meter {
            meter(bytes as u64);
        }
    }
}

impl Source for FileSource {
    type Key = End;
    type Error = ReadError;
    type Buffer = Buffer;

    fn fill(&mut self, buffer: &mut Buffer) -> Result<(), ReadError> {
        if self.piece(buffer).is_empty() {
            buffer.clear();
            // whoever has the lane next finds no bytes in it
            return self.refill(buffer).inspect_err(|_| buffer.clear());
        }
        Ok(())
    }

    fn piece<'a>(&'a self, buffer: &'a Buffer) -> &'a [u8] {
        match &self.input {
            Input::Mapped(windows) => windows.piece(),
            _ => buffer.rest(),
        }
    }

    fn consume(&mut self, buffer: &mut Buffer, n: usize) {
        match &mut self.input {
            Input::Mapped(windows) => windows.consume(n),
            _ => buffer.consume(n),
        }
    }

    fn into_key(self) -> End {
        self.end
    }
}
