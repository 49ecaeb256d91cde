//! Files as messages: opening them, and reading them into the buffers of the lanes.
//!
//! A small file is opened, read whole and closed when it gets its lane, in one go; a large one is
//! read a buffer at a time, or mapped. Sizes that the system reports are never trusted: a file ends
//! where a read returns nothing, so files under /proc and files that change come out as `cat` shows
//! them.

use std::{
    ffi::CString,
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::{
        AtFlags, CWD, FileType, Mode, OFlags, Stat, fcntl_setfl, fstat, openat, readlinkat, statat,
    },
    io::{Errno, fcntl_dupfd_cloexec, retry_on_intr},
};

mod ahead;
mod buffer;
mod device;
mod source;
mod system;
mod windows;

pub(crate) use self::{
    ahead::Ahead,
    buffer::Buffer,
    device::{Device, Turn},
    source::{End, FileSource, Head, Map, ReadError, Reading},
};

/// A directory that is kept open for the files in it.
#[derive(Debug)]
pub(crate) struct Dir {
    fd: OwnedFd,
    device: u64,
    open: Arc<AtomicUsize>,
}

impl Dir {
    /// Keeps `fd`, which is on `device`, counted in `open` as long as it lives.
    pub(crate) fn new(fd: OwnedFd, device: u64, open: &Arc<AtomicUsize>) -> Self {
        open.fetch_add(1, Ordering::Relaxed);
        Self { fd, device, open: Arc::clone(open) }
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
        /// Whether it is to be read as git has it.
        git: bool,
    },
}

/// What opening found.
enum Opened {
    /// A regular file, and what is known of it.
    Regular(OwnedFd, Option<Stat>),
    /// A symbolic link, where these are messages themselves.
    Link(CString),
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
    pub(crate) fn into_source(self, number: u64, reading: Reading) -> io::Result<FileSource> {
        if self.kind == FileType::Fifo {
            retry_on_intr(|| poll(&mut [PollFd::new(&self.fd, PollFlags::IN)], None))?;
        }
        if self.kind != FileType::Unknown {
            fcntl_setfl(&self.fd, OFlags::empty())?;
        }
        Ok(FileSource::of_stream(number, self.fd, reading))
    }
}

impl Target {
    /// Opens without blocking: a FIFO without a writer would hold up all lanes.
    fn open(&self, links: bool) -> io::Result<Opened> {
        if links && let Some(text) = self.link()? {
            return Ok(Opened::Link(text));
        }
        let Some(place) = self.place() else {
            let fd = fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
            return Ok(Opened::Stream(Stream::inherited(fd)));
        };
        let fd = open(place)?;
        if matches!(self, Self::Walked { .. }) {
            return Ok(Opened::Regular(fd, None));
        }
        let stat = fstat(&fd)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Ok(Opened::Regular(fd, Some(stat))),
            FileType::Directory => Err(Errno::ISDIR.into()),
            kind => Ok(Opened::Stream(Stream { fd, kind })),
        }
    }
}

/// Where a file is: a directory, a path in it, and whether to follow a symbolic link.
type Place<'a> = (BorrowedFd<'a>, &'a CString, bool);

/// Opens what is at `place`, without blocking.
fn open((dir, path, follow): Place<'_>) -> Result<OwnedFd, Errno> {
    let nofollow = if follow { OFlags::empty() } else { OFlags::NOFOLLOW };
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK | nofollow;
    retry_on_intr(|| openat(dir, path.as_c_str(), flags, Mode::empty()))
}

impl Target {
    /// Where the file is, unless it is standard input.
    fn place(&self) -> Option<Place<'_>> {
        match self {
            Self::Stdin => None,
            Self::Named(path) => Some((CWD, path, true)),
            Self::Walked { dir, path, follow, .. } => {
                Some((dir.as_ref().map_or(CWD, |dir| dir.as_fd()), path, *follow))
            }
        }
    }

    /// The device that the file is on, where its directory is known.
    fn device(&self) -> Option<u64> {
        match self {
            Self::Walked { dir: Some(dir), .. } => Some(dir.device),
            _ => None,
        }
    }

    /// Whether the message is git's blob, which begins with its length, and of a symbolic link what
    /// that says.
    fn is_git(&self) -> bool {
        matches!(self, Self::Walked { git: true, .. })
    }

    /// The size that the system reports.
    pub(crate) fn size(&self) -> Option<u64> {
        u64::try_from(self.stat()?.st_size).ok()
    }

    /// What tells the file from all others: its device and its number there.
    pub(crate) fn identity(&self) -> Option<(u64, u64)> {
        let stat = self.stat()?;
        Some((stat.st_dev, stat.st_ino))
    }

    fn stat(&self) -> Option<Stat> {
        self.look().ok()?
    }

    /// What the system knows of the file; nothing of standard input.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn look(&self) -> io::Result<Option<Stat>> {
        let Some((dir, path, follow)) = self.place() else { return Ok(None) };
        let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
        Ok(Some(statat(dir, path, flags)?))
    }

    /// What a symbolic link says; nothing for what is none.
    fn link(&self) -> io::Result<Option<CString>> {
        let Some((dir, path, _)) = self.place() else { return Ok(None) };
        match readlinkat(dir, path, Vec::new()) {
            Ok(text) => Ok(Some(text)),
            Err(Errno::INVAL) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
