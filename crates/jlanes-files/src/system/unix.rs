//! What all Unix systems have. Names are bytes here, whatever they are.

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

use super::{Kind, Stat, Time};
pub(crate) use crate::guard::Mapping;
pub(crate) use rustix::param::page_size;

/// An open directory.
pub(crate) type Directory = OwnedFd;

/// Where a path starts from.
pub(crate) type At<'a> = BorrowedFd<'a>;

/// The working directory.
pub(crate) fn here() -> At<'static> {
    CWD
}

/// `directory` as the start of paths.
pub(crate) fn at(directory: &Directory) -> At<'_> {
    directory.as_fd()
}

/// The bytes of a name.
pub fn bytes(name: &OsStr) -> Cow<'_, [u8]> {
    Cow::Borrowed(name.as_bytes())
}

/// The bytes of a name that is not needed any more.
pub fn into_bytes(name: OsString) -> Vec<u8> {
    name.into_vec()
}

/// The path that has these bytes. It is for comparing and for files that need not be there.
pub fn path(bytes: &[u8]) -> Cow<'_, Path> {
    Cow::Borrowed(Path::new(OsStr::from_bytes(bytes)))
}

/// A name from a list, as names are spelled here.
pub fn spelled(name: &[u8]) -> Cow<'_, [u8]> {
    Cow::Borrowed(name)
}

/// Opens a directory.
///
/// # Errors
/// The system's; also for a symbolic link, unless links are to be followed.
pub(crate) fn open_directory(at: At<'_>, path: &CStr, follow: bool) -> io::Result<Directory> {
    let nofollow = if follow { OFlags::empty() } else { OFlags::NOFOLLOW };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | nofollow;
    Ok(openat(at, path, flags, Mode::empty())?)
}

/// What is known of an open directory.
pub(crate) fn stat_directory(directory: &Directory) -> io::Result<Stat> {
    Ok(Stat::of(fstat(directory)?))
}

/// Calls `each` for every entry of `directory`, with its kind and its number.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn entries(
    directory: &Directory,
    mut each: impl FnMut(&CStr, Kind, Option<u64>),
) -> io::Result<()> {
    use rustix::fs::RawDir;

    let mut buffer = Vec::with_capacity(32 << 10);
    let mut entries = RawDir::new(directory, buffer.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let entry = entry?;
        each(entry.file_name(), Kind::of(entry.file_type()), Some(entry.ino()));
    }
    Ok(())
}

/// Calls `each` for every entry of `directory`, with its kind and its number.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn entries(
    directory: &Directory,
    mut each: impl FnMut(&CStr, Kind, Option<u64>),
) -> io::Result<()> {
    for entry in rustix::fs::Dir::read_from(directory)? {
        let entry = entry?;
        each(entry.file_name(), Kind::of(entry.file_type()), Some(entry.ino()));
    }
    Ok(())
}

/// Opens a file for reading, without blocking: a FIFO without a writer would hold up all lanes.
///
/// # Errors
/// The system's; also for a symbolic link, unless links are to be followed.
pub(crate) fn open(at: At<'_>, path: &CStr, follow: bool) -> io::Result<File> {
    let nofollow = if follow { OFlags::empty() } else { OFlags::NOFOLLOW };
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK | nofollow;
    Ok(retry_on_intr(|| openat(at, path, flags, Mode::empty()))?.into())
}

/// What is known of the file at `path`.
pub(crate) fn stat_at(at: At<'_>, path: &CStr, follow: bool) -> io::Result<Stat> {
    let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
    Ok(Stat::of(statat(at, path, flags)?))
}

/// What is known of the file that is called `name`, wherever links lead.
///
/// # Errors
/// The system's.
pub fn stat(name: &[u8]) -> io::Result<Stat> {
    Ok(Stat::of(rustix::fs::stat(name)?))
}

/// What is known of what is called `name`, be it a link.
///
/// # Errors
/// The system's.
pub fn stat_link(name: &[u8]) -> io::Result<Stat> {
    Ok(Stat::of(rustix::fs::lstat(name)?))
}

/// What is known of an open file.
pub(crate) fn stat_file(file: &File) -> io::Result<Stat> {
    Ok(Stat::of(fstat(file)?))
}

/// What a symbolic link says; nothing for what is none.
pub(crate) fn read_link(at: At<'_>, path: &CStr) -> io::Result<Option<CString>> {
    match readlinkat(at, path, Vec::new()) {
        Ok(text) => Ok(Some(text)),
        Err(Errno::INVAL) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Reads what comes next into the spare room of `buffer`, not all of which has to be filled.
/// Returns how many bytes came; none at the end.
pub(crate) fn read(file: &File, buffer: &mut Vec<u8>) -> io::Result<usize> {
    Ok(retry_on_intr(|| rustix::io::read(file, spare_capacity(buffer)))?)
}

/// Reads the byte at `offset`, if the file goes that far, only to see whether it can be read.
pub(crate) fn probe(file: &File, offset: u64) -> io::Result<()> {
    rustix::io::pread(file, &mut [0; 1], offset)?;
    Ok(())
}

/// Waits until a stream has, or had, a writer, and has reading wait for what is written.
pub(crate) fn settle(stream: &File, kind: Kind) -> io::Result<()> {
    if kind == Kind::Fifo {
        retry_on_intr(|| poll(&mut [PollFd::new(stream, PollFlags::IN)], None))?;
    }
    fcntl_setfl(stream, OFlags::empty())?;
    Ok(())
}

/// Standard input, as a file.
///
/// # Errors
/// The system's.
pub fn stdin() -> io::Result<File> {
    Ok(fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?.into())
}

/// What is known of standard input.
///
/// # Errors
/// The system's.
pub fn stat_stdin() -> io::Result<Stat> {
    Ok(Stat::of(fstat(rustix::stdio::stdin())?))
}

/// What is known of standard output.
///
/// # Errors
/// The system's.
pub fn stat_stdout() -> io::Result<Stat> {
    Ok(Stat::of(fstat(rustix::stdio::stdout())?))
}

/// How many files may be open at once.
pub(crate) fn descriptors() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// The system's error for a directory where a file should be.
pub fn is_a_directory() -> io::Error {
    Errno::ISDIR.into()
}

/// The system's error for something else where a directory should be.
pub fn not_a_directory() -> io::Error {
    Errno::NOTDIR.into()
}

pub(crate) fn too_many_links() -> io::Error {
    Errno::LOOP.into()
}

impl Kind {
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
    fn of(of: rustix::fs::Stat) -> Self {
        let time = |seconds, nanoseconds| Time { seconds, nanoseconds };
        Self {
            kind: Kind::of(FileType::from_raw_mode(of.st_mode)),
            size: u64::try_from(of.st_size).unwrap_or(0),
            identity: (of.st_dev as u64, of.st_ino as u64),
            modified: time(of.st_mtime as i64, of.st_mtime_nsec as i64),
            changed: time(of.st_ctime as i64, of.st_ctime_nsec as i64),
            is_executable: of.st_mode & 0o100 != 0,
        }
    }
}
