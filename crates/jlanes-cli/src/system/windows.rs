//! Windows.

use std::{
    ffi::OsStr,
    fs::{File, Metadata},
    io::{self, IsTerminal, Read, Write},
    os::windows::io::{AsHandle, BorrowedHandle},
    path::Path,
};

use jlanes_files::system::{is_a_directory, stdin};

/// Whether messages may show characters beyond ASCII.
pub(crate) fn shows_unicode() -> bool {
    true
}

/// Opens what the user named, whatever it is but a directory.
pub(crate) fn open_named(path: &OsStr) -> io::Result<File> {
    let is_directory = || Path::new(path).is_dir();
    File::open(path).map_err(|error| if is_directory() { is_a_directory() } else { error })
}

/// Reads from `file` at `offset`, and returns how many bytes.
pub(crate) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, offset)
}

/// Does nothing: the system reads ahead without a hint.
pub(crate) fn read_ahead(_: &File, _: u64, _: u64) {}

/// Reads the bytes of standard input, without a conversion.
pub(crate) fn read_stdin(buffer: &mut [u8]) -> io::Result<usize> {
    stdin()?.read(buffer)
}

/// Writes some of `bytes` to standard output, and returns how many. They go as they are to files and
/// pipes, and as characters to a terminal. The standard library's takes a closed stream for one that
/// has taken all.
pub(crate) fn write_stdout(bytes: &[u8]) -> io::Result<usize> {
    if !io::stdout().is_terminal() {
        return file(io::stdout().as_handle())?.write(bytes);
    }
    let mut terminal = io::stdout().lock();
    terminal.write_all(String::from_utf8_lossy(bytes).as_bytes())?;
    terminal.flush()?;
    Ok(bytes.len())
}

/// Writes some of `bytes` to `file`, and returns how many.
pub(crate) fn write(mut file: &File, bytes: &[u8]) -> io::Result<usize> {
    file.write(bytes)
}

/// Nothing is told there when a file is closed.
pub(crate) fn close_stdout() -> io::Result<()> {
    Ok(())
}

/// Nothing is told there when a file is closed.
pub(crate) fn close_stderr() -> io::Result<()> {
    Ok(())
}

/// Who tries to make a file hears what is wrong.
pub(crate) fn check_writable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Files have names here.
pub(crate) fn unnamed(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Nothing calls it, where files have names.
pub(crate) fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives `file` the permissions of the one that it is going to replace, which must not be read-only:
/// such a file cannot be replaced.
pub(crate) fn copy_permissions(_: &File, replaced: &Metadata) -> io::Result<()> {
    let is_free = !replaced.permissions().readonly();
    is_free.then_some(()).ok_or_else(|| io::ErrorKind::PermissionDenied.into())
}

/// GNU's words for an error, where the system's are not the same: those depend on its language.
pub(crate) fn words(error: &io::Error) -> Option<&'static str> {
    error.raw_os_error()?;
    Some(match error.kind() {
        io::ErrorKind::NotFound => "No such file or directory",
        io::ErrorKind::NotADirectory => "Not a directory",
        io::ErrorKind::PermissionDenied => "Permission denied",
        io::ErrorKind::StorageFull => "No space left on device",
        io::ErrorKind::BrokenPipe => "Broken pipe",
        _ => return None,
    })
}

/// A stream as a file.
fn file(stream: BorrowedHandle<'_>) -> io::Result<File> {
    Ok(stream.try_clone_to_owned()?.into())
}
