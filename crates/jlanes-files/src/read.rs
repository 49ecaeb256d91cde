//! Files as messages: where they are, how they are opened, and how their bytes get into the lanes' buffers.
//!
//! A small file is opened, read and closed when it gets its lane; a large one is read one buffer at
//! a time, or mapped. Sizes reported by the system are never trusted: a file ends where a read
//! returns nothing, so files under /proc and files that change give what `cat` shows.

use std::{
    ffi::CString,
    fmt,
    fs::File,
    io::{self, Read},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::system::{self, At, Directory, FileKind, Stat, working_dir};

mod buffer;
mod device;
mod mapped;
mod options;
mod parallel_range;
mod read_ahead;
mod source;

pub(crate) use self::{
    buffer::Buffer,
    options::{ProgressCallback, ReadOptions},
    parallel_range::MapTrial,
    read_ahead::ReadAhead,
    source::{ReadError, ReadSummary},
};
pub use self::{device::LargeFileOrder, options::MapPolicy, source::FileSource};

/// A directory kept open for the files in it.
#[derive(Debug)]
pub struct OpenDir {
    handle: Directory,
    device: u64,
    open: Arc<AtomicUsize>,
}

impl OpenDir {
    /// Keeps `handle`, on `device`, open. While it lives, it counts in `open`.
    pub(crate) fn new(handle: Directory, device: u64, open: &Arc<AtomicUsize>) -> Self {
        open.fetch_add(1, Ordering::Relaxed);
        Self { handle, device, open: Arc::clone(open) }
    }

    /// The base for paths in this directory.
    pub(crate) fn at(&self) -> At<'_> {
        system::at(&self.handle)
    }
}

impl Drop for OpenDir {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The reader of a message. Clones share it.
#[derive(Clone)]
pub struct Reader(Arc<Mutex<dyn Read + Send>>);

impl Reader {
    /// Reads into `bytes`; returns 0 at the end.
    fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).read(bytes)
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader")
    }
}

/// The place that a message is read from: a file, standard input or a reader.
#[derive(Clone, Debug)]
pub enum Target {
    /// Standard input.
    Stdin,
    /// A regular file below a directory. Symbolic links do not lead out of it.
    Beneath {
        /// The directory.
        base: Arc<BaseDir>,
        /// The path relative to the directory.
        path: CString,
    },
    /// A reader; see [`Target::reader`].
    Reader(Reader),
    /// A path that the user named. Symbolic links are followed, and the file may be of any kind.
    Named(CString),
    /// A regular file found by a walk, by its name in an open directory or by its path.
    Walked {
        /// The open directory, if it is kept open.
        dir: Option<Arc<OpenDir>>,
        /// The name in the open directory, or the path.
        path: CString,
        /// Whether to follow symbolic links.
        follow: bool,
        /// Whether to read the file as git stores it.
        git: bool,
    },
}

/// An open directory as the base of paths that must not lead out of it.
#[derive(Debug)]
pub struct BaseDir(Directory);

impl BaseDir {
    /// Opens the directory `path`.
    ///
    /// # Errors
    /// The system's.
    pub fn open(path: &[u8]) -> io::Result<Self> {
        system::open_directory(working_dir(), &CString::new(path)?, true).map(Self)
    }

    fn at(&self) -> At<'_> {
        system::at(&self.0)
    }
}

/// An opened target: its kind decides how it is read.
enum Opened {
    /// A regular file, with its status if known.
    Regular(File, Option<Stat>),
    /// A symbolic link, if links are messages themselves.
    Link(CString),
    Reader(Reader),
    /// A pipe, a device or a socket.
    Stream(Stream),
}

/// A file that is read alone, in its turn.
#[derive(Debug)]
pub enum ReadAlone {
    Stream(Stream),
    /// A large file, on a disk that is slow at reading several at once.
    LargeFile(Target),
}

/// A pipe, device or socket: it can be read once, in one direction.
#[derive(Debug)]
pub struct Stream {
    file: File,
    /// `Unknown` if reading never waits for a writer.
    kind: FileKind,
}

impl Stream {
    /// Standard input or another stream that is open already, read from its current position.
    fn inherited(file: File) -> Self {
        Self { file, kind: FileKind::Unknown }
    }

    /// The file, ready for reading. Blocks until a FIFO has a writer, or has had one.
    fn into_ready(self) -> io::Result<File> {
        if self.kind != FileKind::Unknown {
            system::wait_for_writer(&self.file, self.kind)?;
        }
        Ok(self.file)
    }
}

impl Target {
    /// Opens without blocking: a FIFO without a writer would block all lanes.
    fn open(&self, hash_links: bool) -> io::Result<Opened> {
        if let Self::Reader(reader) = self {
            return Ok(Opened::Reader(reader.clone()));
        }
        if let Self::Beneath { base, path } = self {
            let file = system::open_beneath(base.at(), path)?;
            let stat = system::stat_file(&file)?;
            return Ok(Opened::Regular(file, Some(stat)));
        }
        if hash_links && let Some(text) = self.link()? {
            return Ok(Opened::Link(text));
        }
        let Some(place) = self.place() else {
            return Ok(Opened::Stream(Stream::inherited(system::stdin()?)));
        };
        let file = open(place)?;
        if let Self::Walked { follow, .. } = self {
            if *follow {
                // a link to a device may have taken its place, and never end; the call takes 4 % of a walk
                system::stat_file(&file)?.regular_size()?;
            }
            return Ok(Opened::Regular(file, None));
        }
        let stat = system::stat_file(&file)?;
        match stat.kind {
            FileKind::File => Ok(Opened::Regular(file, Some(stat))),
            FileKind::Directory => Err(system::is_a_directory()),
            kind => Ok(Opened::Stream(Stream { file, kind })),
        }
    }
}

/// The place of a file: a directory, a path in it, and whether to follow a symbolic link.
type Place<'a> = (At<'a>, &'a CString, bool);

/// Opens the file at `place` without blocking.
fn open((dir, path, follow): Place<'_>) -> io::Result<File> {
    system::open(dir, path, follow)
}

impl Target {
    /// A message read from `reader`, on a lane next to those of files. While the reader blocks, these
    /// wait too: use a named pipe for input that may block for long.
    #[must_use]
    pub fn reader(reader: impl Read + Send + 'static) -> Self {
        Self::Reader(Reader(Arc::new(Mutex::new(reader))))
    }

    /// The file at `path` below `base`.
    ///
    /// # Errors
    /// If there is a NUL in the path.
    pub fn beneath(base: &Arc<BaseDir>, path: &[u8]) -> io::Result<Self> {
        Ok(Self::Beneath { base: Arc::clone(base), path: CString::new(path)? })
    }

    /// The place of the file, if a directory and a path are enough to describe it.
    fn place(&self) -> Option<Place<'_>> {
        match self {
            Self::Stdin | Self::Reader(_) | Self::Beneath { .. } => None,
            Self::Named(path) => Some((working_dir(), path, true)),
            Self::Walked { dir, path, follow, .. } => {
                Some((dir.as_ref().map_or(working_dir(), |dir| dir.at()), path, *follow))
            }
        }
    }

    /// The device of the file, if its directory is known.
    fn device(&self) -> Option<u64> {
        match self {
            Self::Walked { dir: Some(dir), .. } => Some(dir.device),
            _ => None,
        }
    }

    /// Whether the message is a blob of git: it starts with the length, and the blob of a symbolic link
    /// is its target path.
    fn is_git(&self) -> bool {
        matches!(self, Self::Walked { git: true, .. })
    }

    /// The size reported by the system.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        Some(self.stat().ok()??.size)
    }

    /// The device and the file's number on it, unique to the file.
    #[must_use]
    pub fn identity(&self) -> Option<(u64, u64)> {
        Some(self.stat().ok()??.identity)
    }

    /// The file's status; `None` for standard input and readers.
    ///
    /// # Errors
    ///
    /// The system's error.
    pub fn stat(&self) -> io::Result<Option<Stat>> {
        if let Self::Beneath { base, path } = self {
            return system::stat_beneath(base.at(), path).map(Some);
        }
        let Some((dir, path, follow)) = self.place() else { return Ok(None) };
        system::stat_at(dir, path, follow).map(Some)
    }

    /// The size of a regular file, without opening it.
    ///
    /// # Errors
    ///
    /// The system's error, or that it is no regular file.
    pub fn regular_size(&self) -> io::Result<u64> {
        let stat = self.stat()?;
        stat.map_or_else(|| Err(io::Error::other("not a regular file")), |it| it.regular_size())
    }

    /// The target path of a symbolic link; `None` for other files.
    fn link(&self) -> io::Result<Option<CString>> {
        let Some((dir, path, _)) = self.place() else { return Ok(None) };
        system::read_link(dir, path)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_no_regular_file() {
        let null = b"/dev/null";
        assert!(Target::regular(null).unwrap().open(false).is_err());
        assert!(matches!(Target::at(null).unwrap().open(false), Ok(Opened::Stream(_))));
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = system::bytes(file.path().as_os_str());
        assert!(matches!(Target::regular(&path).unwrap().open(false), Ok(Opened::Regular(..))));
    }
}
