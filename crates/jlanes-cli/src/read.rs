//! Files as messages: opening them, and reading them into the buffers of the lanes.
//!
//! A small file is opened, read whole and closed when it gets its lane, in one go; a large one is
//! read a buffer at a time, or mapped. Sizes that the system reports are never trusted: a file ends where a
//! read returns nothing, so files under /proc and files that change come out as `cat` shows them.

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
    fs::{AtFlags, CWD, FileType, Mode, OFlags, fcntl_setfl, fstat, openat, readlinkat, statat},
    io::{Errno, fcntl_dupfd_cloexec, retry_on_intr},
};

mod source;
mod windows;

pub(crate) use source::{Buffer, End, FileSource, Head, Map, ReadError, Reading};

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
    pub(crate) fn into_source(self, number: u64) -> io::Result<FileSource> {
        if self.kind == FileType::Fifo {
            retry_on_intr(|| poll(&mut [PollFd::new(&self.fd, PollFlags::IN)], None))?;
        }
        if self.kind != FileType::Unknown {
            fcntl_setfl(&self.fd, OFlags::empty())?;
        }
        Ok(FileSource::of_stream(number, self.fd))
    }
}

impl Target {
    /// Opens without blocking: a FIFO without a writer would hold up all lanes.
    fn open(&self, links: bool) -> io::Result<Opened> {
        if links && let Some(text) = self.link()? {
            return Ok(Opened::Link(text));
        }
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
    /// Where the file is: a directory, a path in it, and whether to follow a symbolic link.
    fn place(&self) -> Option<(BorrowedFd<'_>, &CString, bool)> {
        match self {
            Self::Stdin => None,
            Self::Named(path) => Some((CWD, path, true)),
            Self::Walked { dir, path, follow } => {
                Some((dir.as_ref().map_or(CWD, |dir| dir.as_fd()), path, *follow))
            }
        }
    }

    /// The size that the system reports.
    pub(crate) fn size(&self) -> Option<u64> {
        let (dir, path, follow) = self.place()?;
        let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
        u64::try_from(statat(dir, path, flags).ok()?.st_size).ok()
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
