//! Functions of Windows. Its names are UTF-16; here they are UTF-8, with `/` between directories, so
//! that lists are the same on all systems. A name that is not Unicode becomes bytes for messages only:
//! no file is opened by them.
//!
//! No directory stays open: files are opened by their full paths.

use std::{
    borrow::Cow,
    ffi::{CStr, CString, OsStr, OsString},
    fs::{self, File, OpenOptions},
    io::{self, Read},
    os::windows::{
        fs::{FileExt, MetadataExt, OpenOptionsExt},
        io::{AsHandle, BorrowedHandle},
    },
    path::{Path, PathBuf},
};

use winapi_util::file::{information, typ};

use super::{FileKind, Stat, Time};
pub(crate) use unmapped::{Mapping, page_size};

mod unmapped;

/// Whether `name` does not start at the working directory. A path of another drive does not.
#[must_use]
pub fn is_absolute(name: &[u8]) -> bool {
    matches!(name, [b'/' | b'\\', ..] | [b'a'..=b'z' | b'A'..=b'Z', b':', ..])
}

/// Whether a part of a path leads to the parent directory. The system drops dots and spaces at the end
/// of a part.
#[must_use]
pub fn is_parent(part: &[u8]) -> bool {
    part.split(|byte| *byte == b'\\')
        .any(|part| part.starts_with(b"..") && part.iter().all(|byte| matches!(byte, b'.' | b' ')))
}

/// The right to query a file's status without reading it.
const READ_ATTRIBUTES: u32 = 0x80;
/// Allows opening directories.
const BACKUP_SEMANTICS: u32 = 0x0200_0000;
/// Opens a symbolic link itself.
const OPEN_REPARSE_POINT: u32 = 0x0020_0000;
/// The attribute of symbolic links, and of files that are stored in special ways.
const REPARSE_POINT: u32 = 0x400;

/// The prefix of paths that the system takes literally, with backslashes as the only separators.
const VERBATIM: &[u8] = br"\\?\";

/// A directory, and its status when it was opened.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    stat: Stat,
}

/// The base of a path; empty for the working directory.
pub(crate) type At<'a> = &'a Path;

/// The working directory.
pub(crate) fn working_dir() -> At<'static> {
    Path::new("")
}

/// `directory` as the base of paths.
pub(crate) fn at(directory: &Directory) -> At<'_> {
    &directory.path
}

/// The bytes of a name.
pub fn bytes(name: &OsStr) -> Cow<'_, [u8]> {
    native_name(name.as_encoded_bytes())
}

/// The bytes of an owned name.
pub fn into_bytes(name: OsString) -> Vec<u8> {
    bytes(&name).into_owned()
}

/// A name from a list, in this system's spelling.
pub fn native_name(name: &[u8]) -> Cow<'_, [u8]> {
    if !name.contains(&b'\\') || name.starts_with(VERBATIM) {
        return Cow::Borrowed(name);
    }
    name.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect()
}

/// The path with these bytes, for comparisons and for files that may not exist: invalid Unicode is
/// replaced.
pub fn path(bytes: &[u8]) -> Cow<'_, Path> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => Cow::Borrowed(Path::new(text)),
        Cow::Owned(text) => Cow::Owned(text.into()),
    }
}

/// The path of a file to open.
fn path_from(at: At<'_>, bytes: &[u8]) -> io::Result<PathBuf> {
    let error = || io::Error::new(io::ErrorKind::InvalidInput, "the name is not Unicode");
    let text = str::from_utf8(bytes).map_err(|_| error())?;
    let is_verbatim = bytes.starts_with(VERBATIM);
    Ok(at.join(if is_verbatim { text.replace('/', r"\") } else { text.to_owned() }))
}

/// Opens `path` with these rights. A symbolic link is opened itself unless `follow`.
fn open_with(rights: impl Fn(&mut OpenOptions), path: &Path, follow: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    rights(&mut options);
    if follow {
        return options.custom_flags(BACKUP_SEMANTICS).open(path);
    }
    let file = options.custom_flags(BACKUP_SEMANTICS | OPEN_REPARSE_POINT).open(path)?;
    let is_plain = || {
        let known = file.metadata()?;
        let has_point = known.file_attributes() & REPARSE_POINT != 0;
        io::Result::Ok(!has_point || known.is_symlink())
    };
    // a device may have no metadata; reparse points that are not links are opened with their driver
    if is_plain().unwrap_or(true) { Ok(file) } else { open_with(rights, path, true) }
}

fn metadata_only(options: &mut OpenOptions) {
    options.access_mode(READ_ATTRIBUTES);
}

fn to_read(options: &mut OpenOptions) {
    options.read(true);
}

/// Opens a directory.
///
/// # Errors
///
/// The system's error; also for a symbolic link, unless `follow`.
pub(crate) fn open_directory(at: At<'_>, path: &CStr, follow: bool) -> io::Result<Directory> {
    let path = path_from(at, path.to_bytes())?;
    let stat = stat_file(&open_with(metadata_only, &path, follow)?)?;
    match stat.kind {
        FileKind::Directory => Ok(Directory { path, stat }),
        _ => Err(not_a_directory()),
    }
}

/// The status of an open directory.
pub(crate) fn stat_directory(directory: &Directory) -> io::Result<Stat> {
    Ok(directory.stat)
}

/// Calls `each` for every entry of `directory`, with its kind; its number is not known.
pub(crate) fn entries(
    directory: &Directory,
    mut each: impl FnMut(&CStr, FileKind, Option<u64>),
) -> io::Result<()> {
    for entry in fs::read_dir(&directory.path)? {
        let entry = entry?;
        let name = CString::new(entry.file_name().as_encoded_bytes())?;
        each(&name, entry.file_type().map_or(FileKind::Unknown, FileKind::from), None);
    }
    Ok(())
}

/// Opens a file for reading.
///
/// # Errors
///
/// The system's error; also for a symbolic link, unless `follow`.
pub(crate) fn open(at: At<'_>, path: &CStr, follow: bool) -> io::Result<File> {
    let file = open_with(to_read, &path_from(at, path.to_bytes())?, follow)?;
    if !follow && file.metadata()?.is_symlink() {
        return Err(too_many_links());
    }
    Ok(file)
}

/// Opens the regular file at `path` below `base`, unless it leads out, as far as that can be checked
/// before.
pub(crate) fn open_beneath(base: At<'_>, path: &CStr) -> io::Result<File> {
    stat_beneath(base, path)?.regular_size()?;
    open(base, path, true)
}

/// The status of the file at `path` below `base`.
pub(crate) fn stat_beneath(base: At<'_>, path: &CStr) -> io::Result<Stat> {
    let whole = path_from(base, path.to_bytes())?;
    if !fs::canonicalize(&whole)?.starts_with(fs::canonicalize(base)?) {
        return Err(io::Error::other("leads out of the directory"));
    }
    stat_path(&whole, true)
}

/// The status of the file at `path`.
pub(crate) fn stat_at(at: At<'_>, path: &CStr, follow: bool) -> io::Result<Stat> {
    stat_path(&path_from(at, path.to_bytes())?, follow)
}

/// The status of the file called `name`; links are followed.
///
/// # Errors
///
/// The system's error.
pub fn stat(name: &[u8]) -> io::Result<Stat> {
    stat_path(&path_from(working_dir(), name)?, true)
}

/// The status of `name`; links are not followed.
///
/// # Errors
///
/// The system's error.
pub fn lstat(name: &[u8]) -> io::Result<Stat> {
    stat_path(&path_from(working_dir(), name)?, false)
}

fn stat_path(path: &Path, follow: bool) -> io::Result<Stat> {
    stat_file(&open_with(metadata_only, path, follow)?)
}

/// The status of an open file.
pub(crate) fn stat_file(file: &File) -> io::Result<Stat> {
    let kind = typ(file)?;
    if !kind.is_disk() {
        let kind = match () {
            () if kind.is_pipe() => FileKind::Fifo,
            () if kind.is_char() => FileKind::CharacterDevice,
            () => FileKind::Unknown,
        };
        let zero = Time { seconds: 0, nanoseconds: 0 };
        let (size, identity, is_executable) = (0, (0, 0), false);
        return Ok(Stat { kind, size, identity, modified: zero, changed: zero, is_executable });
    }
    let (known, more) = (file.metadata()?, information(file)?);
    Ok(Stat {
        kind: known.file_type().into(),
        size: known.len(),
        identity: (more.volume_serial_number(), more.file_index()),
        modified: time(known.last_write_time()),
        changed: time(known.creation_time()),
        is_executable: false,
    })
}

/// The time for `ticks` of 100 ns since 1601.
fn time(ticks: u64) -> Time {
    const TICKS_PER_SECOND: u64 = 10_000_000;
    const DAYS_UNTIL_1970: i64 = 134_774;
    Time {
        seconds: (ticks / TICKS_PER_SECOND) as i64 - DAYS_UNTIL_1970 * 86_400,
        nanoseconds: (ticks % TICKS_PER_SECOND * 100) as i64,
    }
}

impl From<fs::FileType> for FileKind {
    fn from(of: fs::FileType) -> Self {
        match () {
            () if of.is_symlink() => Self::Link,
            () if of.is_dir() => Self::Directory,
            () if of.is_file() => Self::File,
            () => Self::Unknown,
        }
    }
}

/// The target path of a symbolic link; `None` for other files.
pub(crate) fn read_link(at: At<'_>, path: &CStr) -> io::Result<Option<CString>> {
    let path = path_from(at, path.to_bytes())?;
    if stat_path(&path, false)?.kind != FileKind::Link {
        return Ok(None);
    }
    Ok(Some(CString::new(into_bytes(fs::read_link(path)?.into()))?))
}

/// Reads into the spare room of `buffer`, and need not fill it. Returns the number of bytes, 0 at
/// the end.
pub(crate) fn read(mut file: &File, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let before = buffer.len();
    buffer.resize(buffer.capacity(), 0);
    let read = file.read(&mut buffer[before..]);
    buffer.truncate(before + read.as_ref().map_or(0, |n| *n));
    read
}

/// Fills `buffer` from offset `at` of the file. Moves the file's position.
pub(crate) fn read_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.seek_read(buffer, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => (buffer, at) = (&mut buffer[n..], at + n as u64),
        }
    }
    Ok(())
}

/// Reads the byte at `offset`, if the file is that long, to find out whether it is readable.
pub(crate) fn probe(file: &File, offset: u64) -> io::Result<()> {
    file.seek_read(&mut [0; 1], offset)?;
    Ok(())
}

/// Standard input as a file.
///
/// # Errors
///
/// The system's error.
pub fn stdin() -> io::Result<File> {
    file(io::stdin().as_handle())
}

/// The status of standard input.
///
/// # Errors
///
/// The system's error.
pub fn stat_stdin() -> io::Result<Stat> {
    stat_file(&stdin()?)
}

/// The status of standard output.
///
/// # Errors
///
/// The system's error.
pub fn stat_stdout() -> io::Result<Stat> {
    stat_file(&file(io::stdout().as_handle())?)
}

/// A standard stream as a file, which has a handle of its own.
fn file(stream: BorrowedHandle<'_>) -> io::Result<File> {
    Ok(stream.try_clone_to_owned()?.into())
}

/// Does nothing: reads block already.
pub(crate) fn wait_for_writer(_: &File, _: FileKind) -> io::Result<()> {
    Ok(())
}

/// The maximum number of files that this process may have open: practically no limit.
pub(crate) fn max_open_files() -> u64 {
    u64::MAX
}

/// The system's error for a directory in place of a file.
pub fn is_a_directory() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "Is a directory")
}

/// The system's error for anything else in place of a directory.
pub fn not_a_directory() -> io::Error {
    io::Error::new(io::ErrorKind::NotADirectory, "Not a directory")
}

pub(crate) fn too_many_links() -> io::Error {
    io::Error::other("Too many levels of symbolic links")
}

#[cfg(test)]
mod tests;
