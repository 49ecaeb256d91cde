//! Functions of Windows.

use std::{
    env,
    ffi::OsStr,
    fs::{File, Metadata},
    io::{self, IsTerminal, Read, Write},
    os::windows::io::{AsHandle, BorrowedHandle},
    path::Path,
};

use jlanes_files::system::{is_a_directory, stdin};
use winapi_util::console::Console;

/// Whether messages may show characters beyond ASCII.
pub(crate) fn shows_unicode() -> bool {
    true
}

/// Whether the terminal of standard output shows colors. Consoles do from Windows 10 on, once they are told to;
/// they set no `TERM`, which terminals of Unix's tools do.
pub(crate) fn shows_colors() -> bool {
    let console = Console::stdout();
    let is_told = console.and_then(|mut console| console.set_virtual_terminal_processing(true));
    env::var_os("TERM").map_or(is_told.is_ok(), |term| term != "dumb")
}

/// Opens a file that the user named, of any kind but a directory.
pub(crate) fn open_named(path: &OsStr) -> io::Result<File> {
    let is_directory = || Path::new(path).is_dir();
    File::open(path).map_err(|error| if is_directory() { is_a_directory() } else { error })
}

/// Reads from `file` at `offset`. Returns the number of bytes.
pub(crate) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, offset)
}

/// Does nothing: the system reads ahead without a hint.
pub(crate) fn read_ahead(_: &File, _: u64, _: u64) {}

/// Reads bytes from standard input, without conversion.
pub(crate) fn read_stdin(buffer: &mut [u8]) -> io::Result<usize> {
    stdin()?.read(buffer)
}

/// Writes some of `bytes` to standard output. Returns their number. Files and pipes get the bytes
/// unchanged, a terminal gets characters. The standard library would report that a closed stream has
/// taken all bytes.
pub(crate) fn write_stdout(bytes: &[u8]) -> io::Result<usize> {
    if !io::stdout().is_terminal() {
        return file(io::stdout().as_handle())?.write(bytes);
    }
    let mut terminal = io::stdout().lock();
    terminal.write_all(String::from_utf8_lossy(bytes).as_bytes())?;
    terminal.flush()?;
    Ok(bytes.len())
}

/// Writes some of `bytes` to `file`. Returns their number.
pub(crate) fn write(mut file: &File, bytes: &[u8]) -> io::Result<usize> {
    file.write(bytes)
}

/// Does nothing: closing reports no errors on Windows.
pub(crate) fn close_stdout() -> io::Result<()> {
    Ok(())
}

/// Does nothing: closing reports no errors on Windows.
pub(crate) fn close_stderr() -> io::Result<()> {
    Ok(())
}

/// Does nothing: creating a file reports the error.
pub(crate) fn check_writable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// `None`: Windows has no files without names.
pub(crate) fn create_unnamed(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Never called, because no file is [unnamed](create_unnamed).
pub(crate) fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives `file` the permissions of the file that it will replace. That file must not be read-only,
/// because Windows does not replace such files.
pub(crate) fn copy_permissions(_: &File, replaced: &Metadata) -> io::Result<()> {
    let is_free = !replaced.permissions().readonly();
    is_free.then_some(()).ok_or_else(|| io::ErrorKind::PermissionDenied.into())
}

/// GNU's words for an error, because the system's depend on its language.
pub(crate) fn gnu_message(error: &io::Error) -> Option<&'static str> {
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
