//! Files as messages: opening them, and reading them into the buffers of the lanes.
//!
//! A small file is opened, read whole and closed when it gets its lane, in one go; a large one is
//! read a buffer at a time. Sizes that the system reports are never trusted: a file ends where a
//! read returns nothing, so files under /proc and files that change come out as `cat` shows them.

use std::{
    ffi::CString,
    io,
    ops::Range,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use jlanes::multi::Source;
use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::{
        Advice, AtFlags, CWD, FileType, Mode, OFlags, fadvise, fcntl_setfl, fstat, openat, statat,
    },
    io::{Errno, fcntl_dupfd_cloexec, read, retry_on_intr},
};

/// Bytes of a lane's buffer. 16 lanes' fit a second-level cache of 1 MiB and leave room in it.
const CAPACITY: usize = 32 << 10;

/// A directory that is kept open for the files in it.
#[derive(Debug)]
pub(crate) struct Dir {
    fd: OwnedFd,
    open: Arc<AtomicUsize>,
}

impl Dir {
    /// Keeps `fd`, counted in `open` as long as it lives.
    pub(crate) fn new(fd: OwnedFd, open: &Arc<AtomicUsize>) -> Self {
        open.fetch_add(1, Ordering::Relaxed);
        Self { fd, open: Arc::clone(open) }
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

impl AsFd for Dir {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Where to find a message.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Stdin,
    /// A path that the user named: symbolic links are followed, and it may be anything.
    Named(CString),
    /// A regular file that a walk found, by its name in an open directory or by its path.
    Walked {
        dir: Option<Arc<Dir>>,
        path: CString,
        follow: bool,
    },
}

/// What opening found.
enum Opened {
    /// A regular file.
    Regular(OwnedFd),
    /// Anything else.
    Stream(Stream),
}

/// Something that can be read once and in one direction: a pipe, a device, a socket.
#[derive(Debug)]
pub(crate) struct Stream {
    fd: OwnedFd,
    kind: FileType,
}

impl Stream {
    /// A stream that is read from its current position, as it is.
    fn inherited(fd: OwnedFd) -> Self {
        Self { fd, kind: FileType::Unknown }
    }

    /// The message in the stream. Blocks until a FIFO has, or had, a writer.
    pub(crate) fn into_source(self, number: u64) -> io::Result<FileSource> {
        if self.kind == FileType::Fifo {
            retry_on_intr(|| poll(&mut [PollFd::new(&self.fd, PollFlags::IN)], None))?;
        }
        if self.kind != FileType::Unknown {
            fcntl_setfl(&self.fd, OFlags::empty())?;
        }
        Ok(FileSource { number, head: Head::default(), input: Input::Open(self.fd), len: 0 })
    }
}

impl Target {
    /// Opens without blocking: a FIFO without a writer would hold up all lanes.
    fn open(&self) -> io::Result<Opened> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
        let open = |dir: BorrowedFd<'_>, path: &CString, flags| {
            retry_on_intr(|| openat(dir, path.as_c_str(), flags, Mode::empty()))
        };
        let fd = match self {
            Self::Stdin => {
                let fd = fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
                return Ok(Opened::Stream(Stream::inherited(fd)));
            }
            Self::Named(path) => open(CWD, path, flags)?,
            Self::Walked { dir, path, follow } => {
                let dir = dir.as_ref().map_or(CWD, |dir| dir.as_fd());
                let nofollow = if *follow { OFlags::empty() } else { OFlags::NOFOLLOW };
                return Ok(Opened::Regular(open(dir, path, flags | nofollow)?));
            }
        };
        match FileType::from_raw_mode(fstat(&fd)?.st_mode) {
            FileType::RegularFile => Ok(Opened::Regular(fd)),
            FileType::Directory => Err(Errno::ISDIR.into()),
            kind => Ok(Opened::Stream(Stream { fd, kind })),
        }
    }
}

impl Target {
    /// The size that the system reports for a file that a walk found.
    pub(crate) fn size(&self) -> Option<u64> {
        let Self::Walked { dir, path, follow } = self else { return None };
        let dir = dir.as_ref().map_or(CWD, |dir| dir.as_fd());
        let flags = if *follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
        u64::try_from(statat(dir, path, flags).ok()?.st_size).ok()
    }
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
}

/// A lane's buffer.
impl Default for Buffer {
    fn default() -> Self {
        Self::with_capacity(CAPACITY)
    }
}

impl Buffer {
    /// A buffer for `capacity` bytes, which takes memory when it is first used.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { bytes: Vec::new(), filled: 0..0, capacity }
    }

    /// Forgets what was read.
    pub(crate) fn clear(&mut self) {
        self.filled = 0..0;
    }
}

#[derive(Debug)]
enum Input {
    Closed(Target),
    Open(OwnedFd),
    Ended,
}

/// A file, or a stream, as a message of a lane. Its key is its number and its length.
#[derive(Debug)]
pub(crate) struct FileSource {
    number: u64,
    head: Head,
    input: Input,
    len: u64,
}

impl FileSource {
    /// The file at `target`, opened when it gets its lane.
    pub(crate) fn new(number: u64, target: Target) -> Self {
        Self { number, head: Head::default(), input: Input::Closed(target), len: 0 }
    }

    /// The message after `head`, which does not count as its bytes.
    pub(crate) fn after(self, head: &Head) -> Self {
        Self { head: head.clone(), ..self }
    }

    /// Reads until `buffer` is full or the message ends.
    fn refill(&mut self, buffer: &mut [u8]) -> Result<usize, ReadError> {
        if let Input::Closed(target) = &self.input {
            match target.open().map_err(ReadError::Io)? {
                Opened::Regular(fd) => self.input = Input::Open(fd),
                Opened::Stream(stream) => return Err(ReadError::Stream(stream)),
            }
        }
        let Input::Open(fd) = &self.input else { return Ok(0) };
        let mut n = 0;
        while n < buffer.len() {
            match retry_on_intr(|| read(fd, &mut buffer[n..]))? {
                0 => {
                    self.input = Input::Ended;
                    break;
                }
                more => n += more,
            }
        }
        if self.len == 0 && n == buffer.len() {
            // only advice: where it is not understood, reading goes on without it
            if let Input::Open(fd) = &self.input {
                let _ = fadvise(fd, 0, None, Advice::Sequential);
            }
        }
        self.len += n as u64;
        Ok(n)
    }
}

impl Source for FileSource {
    type Key = (u64, u64);
    type Error = ReadError;
    type Buffer = Buffer;

    fn fill(&mut self, buffer: &mut Buffer) -> Result<(), ReadError> {
        if buffer.filled.is_empty() {
            if buffer.bytes.is_empty() {
                buffer.bytes = vec![0; buffer.capacity];
            }
            buffer.clear();
            let head = self.head.0.take();
            let head = head.as_deref().unwrap_or_default();
            let (first, rest) = buffer.bytes.split_at_mut(head.len());
            first.copy_from_slice(head);
            buffer.filled = 0..head.len() + self.refill(rest)?;
        }
        Ok(())
    }

    fn piece<'a>(&'a self, buffer: &'a Buffer) -> &'a [u8] {
        &buffer.bytes[buffer.filled.clone()]
    }

    fn consume(&mut self, buffer: &mut Buffer, n: usize) {
        buffer.filled.start += n;
    }

    fn into_key(self) -> (u64, u64) {
        (self.number, self.len)
    }
}
