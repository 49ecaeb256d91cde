//! Functions of all Unix systems. Names are arbitrary bytes.

use std::{
    borrow::Cow,
    ffi::{CStr, CString, OsStr, OsString},
    fs::File,
    io,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::ffi::{OsStrExt, OsStringExt},
    },
    path::Path,
};

use rustix::{
    buffer::spare_capacity,
    event::{PollFd, PollFlags, poll},
    fs::{AtFlags, CWD, FileType, Mode, OFlags, fcntl_setfl, fstat, openat, readlinkat, statat},
    io::{Errno, fcntl_dupfd_cloexec, retry_on_intr},
    process::{Resource, getrlimit},
};

use super::{FileKind, Stat, Time};
pub(crate) use crate::guard::Mapping;
pub(crate) use rustix::param::page_size;

/// Whether `name` does not start at the working directory.
#[must_use]
pub fn is_absolute(name: &[u8]) -> bool {
    name.starts_with(b"/")
}

/// Whether a part of a path leads to the parent directory.
#[must_use]
pub fn is_parent(part: &[u8]) -> bool {
    part == b".."
}

/// An open directory.
pub(crate) type Directory = OwnedFd;

/// The base of a path.
pub(crate) type At<'a> = BorrowedFd<'a>;

/// The working directory.
pub(crate) fn working_dir() -> At<'static> {
    CWD
}

/// `directory` as the base of paths.
pub(crate) fn at(directory: &Directory) -> At<'_> {
    directory.as_fd()
}

/// The bytes of a name.
pub fn bytes(name: &OsStr) -> Cow<'_, [u8]> {
    Cow::Borrowed(name.as_bytes())
}

/// The bytes of an owned name.
pub fn into_bytes(name: OsString) -> Vec<u8> {
    name.into_vec()
}

/// The path with these bytes, for comparisons and for files that may not exist.
pub fn path(bytes: &[u8]) -> Cow<'_, Path> {
    Cow::Borrowed(Path::new(OsStr::from_bytes(bytes)))
}

/// A name from a list, in this system's spelling.
pub fn native_name(name: &[u8]) -> Cow<'_, [u8]> {
    Cow::Borrowed(name)
}

/// Opens a directory.
///
/// # Errors
///
/// The system's error; also for a symbolic link, unless `follow`.
pub(crate) fn open_directory(at: At<'_>, path: &CStr, follow: bool) -> io::Result<Directory> {
    let nofollow = if follow { OFlags::empty() } else { OFlags::NOFOLLOW };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | nofollow;
    Ok(openat(at, path, flags, Mode::empty())?)
}

/// The status of an open directory.
pub(crate) fn stat_directory(directory: &Directory) -> io::Result<Stat> {
    Ok(Stat::of(fstat(directory)?))
}

/// Calls `each` for every entry of `directory`, with its kind and its number.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn entries(
    directory: &Directory,
    mut each: impl FnMut(&CStr, FileKind, Option<u64>),
) -> io::Result<()> {
    use rustix::fs::RawDir;

    let mut buffer = Vec::with_capacity(32 << 10);
    let mut entries = RawDir::new(directory, buffer.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let entry = entry?;
        each(entry.file_name(), FileKind::of(entry.file_type()), Some(entry.ino()));
    }
    Ok(())
}

/// Calls `each` for every entry of `directory`, with its kind and its number.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn entries(
    directory: &Directory,
    mut each: impl FnMut(&CStr, FileKind, Option<u64>),
) -> io::Result<()> {
    for entry in rustix::fs::Dir::read_from(directory)? {
        let entry = entry?;
        each(entry.file_name(), FileKind::of(entry.file_type()), Some(entry.ino()));
    }
    Ok(())
}

/// Opens a file for reading, without blocking: a FIFO without a writer would block all lanes.
///
/// # Errors
///
/// The system's error; also for a symbolic link, unless `follow`.
pub(crate) fn open(at: At<'_>, path: &CStr, follow: bool) -> io::Result<File> {
    let nofollow = if follow { OFlags::empty() } else { OFlags::NOFOLLOW };
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK | nofollow;
    match retry_on_intr(|| openat(at, path, flags, Mode::empty())) {
        Err(Errno::NAMETOOLONG) => {
            let (dir, path) = shortened(at, path)?;
            Ok(retry_on_intr(|| openat(&dir, &path, flags, Mode::empty()))?.into())
        }
        opened => Ok(opened?.into()),
    }
}

/// The end of a path that is too long for the system, and the directory where this end starts.
fn shortened(at: At<'_>, path: &CStr) -> io::Result<(OwnedFd, CString)> {
    /// The maximum length of a path in one call.
    const MAX_PATH_BYTES: usize = 4095;

    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut end = path.to_bytes();
    let mut dir: Option<OwnedFd> = None;
    while end.len() > MAX_PATH_BYTES {
        let slash = end[..MAX_PATH_BYTES].iter().rposition(|byte| *byte == b'/');
        let cut = slash.filter(|at| *at > 0).ok_or(Errno::NAMETOOLONG)?;
        let from = dir.as_ref().map_or(at, |dir| dir.as_fd());
        dir = Some(openat(from, &end[..cut], flags, Mode::empty())?);
        let after = &end[cut..];
        let slashes = after.iter().take_while(|byte| **byte == b'/').count();
        end = &after[slashes..];
    }
    Ok((dir.ok_or(Errno::NAMETOOLONG)?, CString::new(end)?))
}

/// The status of the file at `path`.
pub(crate) fn stat_at(at: At<'_>, path: &CStr, follow: bool) -> io::Result<Stat> {
    let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
    match statat(at, path, flags) {
        Err(Errno::NAMETOOLONG) => {
            let (dir, path) = shortened(at, path)?;
            Ok(Stat::of(statat(&dir, &path, flags)?))
        }
        known => Ok(Stat::of(known?)),
    }
}

/// The status of the file called `name`; links are followed.
///
/// # Errors
///
/// The system's error.
pub fn stat(name: &[u8]) -> io::Result<Stat> {
    Ok(Stat::of(rustix::fs::stat(name)?))
}

/// The status of `name`; links are not followed.
///
/// # Errors
///
/// The system's error.
pub fn lstat(name: &[u8]) -> io::Result<Stat> {
    Ok(Stat::of(rustix::fs::lstat(name)?))
}

/// The status of an open file.
pub(crate) fn stat_file(file: &File) -> io::Result<Stat> {
    Ok(Stat::of(fstat(file)?))
}

/// The target path of a symbolic link; `None` for other files.
pub(crate) fn read_link(at: At<'_>, path: &CStr) -> io::Result<Option<CString>> {
    match readlinkat(at, path, Vec::new()) {
        Ok(text) => Ok(Some(text)),
        Err(Errno::INVAL) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Reads into the spare room of `buffer`, and need not fill it. Returns the number of bytes, 0 at
/// the end.
pub(crate) fn read(file: &File, buffer: &mut Vec<u8>) -> io::Result<usize> {
    Ok(retry_on_intr(|| rustix::io::read(file, spare_capacity(buffer)))?)
}

/// Fills `buffer` from offset `at` of the file.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

/// Reads the byte at `offset`, if the file is that long, to find out whether it is readable.
pub(crate) fn probe(file: &File, offset: u64) -> io::Result<()> {
    rustix::io::pread(file, &mut [0; 1], offset)?;
    Ok(())
}

/// Waits until a stream has a writer, or has had one, and makes reads blocking.
pub(crate) fn wait_for_writer(stream: &File, kind: FileKind) -> io::Result<()> {
    if kind == FileKind::Fifo {
        retry_on_intr(|| poll(&mut [PollFd::new(stream, PollFlags::IN)], None))?;
    }
    fcntl_setfl(stream, OFlags::empty())?;
    Ok(())
}

/// Standard input as a file.
///
/// # Errors
///
/// The system's error.
pub fn stdin() -> io::Result<File> {
    Ok(fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?.into())
}

/// The status of standard input.
///
/// # Errors
///
/// The system's error.
pub fn stat_stdin() -> io::Result<Stat> {
    Ok(Stat::of(fstat(rustix::stdio::stdin())?))
}

/// The status of standard output.
///
/// # Errors
///
/// The system's error.
pub fn stat_stdout() -> io::Result<Stat> {
    Ok(Stat::of(fstat(rustix::stdio::stdout())?))
}

/// The maximum number of files that this process may have open.
pub(crate) fn max_open_files() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// The system's error for a directory in place of a file.
pub fn is_a_directory() -> io::Error {
    Errno::ISDIR.into()
}

/// The system's error for anything else in place of a directory.
pub fn not_a_directory() -> io::Error {
    Errno::NOTDIR.into()
}

pub(crate) fn too_many_links() -> io::Error {
    Errno::LOOP.into()
}

impl FileKind {
    fn of(of: FileType) -> Self {
        match of {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Directory,
            FileType::Symlink => Self::Link,
            FileType::Fifo => Self::Fifo,
            FileType::Socket => Self::Socket,
            FileType::BlockDevice => Self::BlockDevice,
            FileType::CharacterDevice => Self::CharacterDevice,
            FileType::Unknown => Self::Unknown,
        }
    }
}

impl Stat {
    #[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
    pub(super) fn of(of: rustix::fs::Stat) -> Self {
        let time = |seconds, nanoseconds| Time { seconds, nanoseconds };
        Self {
            kind: FileKind::of(FileType::from_raw_mode(of.st_mode)),
            size: u64::try_from(of.st_size).unwrap_or(0),
            identity: (of.st_dev as u64, of.st_ino as u64),
            modified: time(of.st_mtime as i64, of.st_mtime_nsec as i64),
            changed: time(of.st_ctime as i64, of.st_ctime_nsec as i64),
            is_executable: of.st_mode & 0o100 != 0,
        }
    }
}
