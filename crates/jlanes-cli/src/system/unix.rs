//! What all Unix systems have. Names are bytes here, whatever they are.

use std::{
    borrow::Cow,
    env,
    ffi::{CStr, CString, OsStr, OsString},
    fs::{File, Metadata, Permissions},
    io,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{
            ffi::{OsStrExt, OsStringExt},
            fs::PermissionsExt,
        },
    },
    path::Path,
};

use rustix::{
    buffer::spare_capacity,
    event::{PollFd, PollFlags, poll},
    fs::{
        Access, AtFlags, CWD, FileType, Mode, OFlags, access, fcntl_setfl, fstat, openat,
        readlinkat, statat,
    },
    io::{Errno, fcntl_dupfd_cloexec, retry_on_intr},
    process::{Resource, getrlimit},
};

use super::{Kind, Stat, Time};
pub(crate) use crate::guard::{Mapping, close_stderr, close_stdout};
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
pub(crate) fn bytes(name: &OsStr) -> Cow<'_, [u8]> {
    Cow::Borrowed(name.as_bytes())
}

pub(crate) fn into_bytes(name: OsString) -> Vec<u8> {
    name.into_vec()
}

/// The path that has these bytes. It is for comparing and for files that need not be there.
pub(crate) fn path(bytes: &[u8]) -> Cow<'_, Path> {
    Cow::Borrowed(Path::new(OsStr::from_bytes(bytes)))
}

/// A name from a list, as names are spelled here.
pub(crate) fn spelled(name: &[u8]) -> Cow<'_, [u8]> {
    Cow::Borrowed(name)
}

/// Whether `name` does not start from the working directory.
pub(crate) fn is_absolute(name: &[u8]) -> bool {
    name.starts_with(b"/")
}

/// Whether a part of a path, between slashes, leads to the parent.
pub(crate) fn is_parent(part: &[u8]) -> bool {
    part == b".."
}

/// Whether messages may show characters beyond ASCII, by the locale.
pub(crate) fn shows_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(env::var_os)
        .find(|value| !value.is_empty())
        .map(|value| value.to_string_lossy().to_ascii_lowercase());
    locale.is_some_and(|name| name.contains("utf-8") || name.contains("utf8"))
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
    Ok(fstat(directory)?.into())
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
        each(entry.file_name(), entry.file_type().into(), Some(entry.ino()));
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
        each(entry.file_name(), entry.file_type().into(), Some(entry.ino()));
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

/// Opens what the user named, whatever it is.
pub(crate) fn open_named(path: &OsStr) -> io::Result<File> {
    File::open(path)
}

/// What is known of the file at `path`.
pub(crate) fn stat_at(at: At<'_>, path: &CStr, follow: bool) -> io::Result<Stat> {
    let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
    Ok(statat(at, path, flags)?.into())
}

/// What is known of the file that is called `name`, wherever links lead.
pub(crate) fn stat(name: &[u8]) -> io::Result<Stat> {
    Ok(rustix::fs::stat(name)?.into())
}

/// What is known of what is called `name`, be it a link.
pub(crate) fn stat_link(name: &[u8]) -> io::Result<Stat> {
    Ok(rustix::fs::lstat(name)?.into())
}

/// What is known of an open file.
pub(crate) fn stat_file(file: &File) -> io::Result<Stat> {
    Ok(fstat(file)?.into())
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
pub(crate) fn stdin() -> io::Result<File> {
    Ok(fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?.into())
}

/// Reads from standard input. The standard library's takes EBADF for its end.
pub(crate) fn read_stdin(buffer: &mut [u8]) -> io::Result<usize> {
    Ok(rustix::io::read(rustix::stdio::stdin(), buffer)?)
}

pub(crate) fn stat_stdin() -> io::Result<Stat> {
    Ok(fstat(rustix::stdio::stdin())?.into())
}

pub(crate) fn stat_stdout() -> io::Result<Stat> {
    Ok(fstat(rustix::stdio::stdout())?.into())
}

/// Writes some of `bytes` to standard output, and returns how many.
pub(crate) fn write_stdout(bytes: &[u8]) -> io::Result<usize> {
    Ok(retry_on_intr(|| rustix::io::write(rustix::stdio::stdout(), bytes))?)
}

/// Writes some of `bytes` to `file`, and returns how many.
pub(crate) fn write(file: &File, bytes: &[u8]) -> io::Result<usize> {
    Ok(retry_on_intr(|| rustix::io::write(file, bytes))?)
}

/// How many files may be open at once.
pub(crate) fn descriptors() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Finds out whether files can be made in `directory`, in the system's words where not.
pub(crate) fn check_writable(directory: &Path) -> io::Result<()> {
    Ok(access(directory, Access::WRITE_OK | Access::EXEC_OK)?)
}

/// The permissions of a new file, if it is to be given any: all, without what the process's mask
/// takes away.
pub(crate) fn new_permissions() -> Option<Permissions> {
    Some(Permissions::from_mode(0o666))
}

/// Gives `file` the permissions of the one that it is going to replace.
pub(crate) fn copy_permissions(file: &File, replaced: &Metadata) -> io::Result<()> {
    file.set_permissions(replaced.permissions())
}

/// GNU's words for an error, where the system's are not the same.
pub(crate) fn words(_: &io::Error) -> Option<&'static str> {
    None
}

pub(crate) fn is_a_directory() -> io::Error {
    Errno::ISDIR.into()
}

pub(crate) fn not_a_directory() -> io::Error {
    Errno::NOTDIR.into()
}

pub(crate) fn too_many_links() -> io::Error {
    Errno::LOOP.into()
}

impl From<FileType> for Kind {
    fn from(of: FileType) -> Self {
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

impl From<rustix::fs::Stat> for Stat {
    #[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
    fn from(of: rustix::fs::Stat) -> Self {
        let time = |seconds, nanoseconds| Time { seconds, nanoseconds };
        Self {
            kind: FileType::from_raw_mode(of.st_mode).into(),
            size: u64::try_from(of.st_size).unwrap_or(0),
            identity: (of.st_dev as u64, of.st_ino as u64),
            modified: time(of.st_mtime as i64, of.st_mtime_nsec as i64),
            changed: time(of.st_ctime as i64, of.st_ctime_nsec as i64),
            is_executable: of.st_mode & 0o100 != 0,
        }
    }
}
