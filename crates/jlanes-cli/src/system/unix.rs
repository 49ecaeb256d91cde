//! Functions of all Unix systems.

use std::{
    env,
    ffi::OsStr,
    fs::{File, Metadata},
    io,
    path::Path,
};

use rustix::{
    fs::{Access, access},
    io::retry_on_intr,
};

pub(crate) use crate::guard::{close_stderr, close_stdout};

/// Whether messages may show characters beyond ASCII, according to the locale.
pub(crate) fn shows_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(env::var_os)
        .find(|value| !value.is_empty())
        .map(|value| value.to_string_lossy().to_ascii_lowercase());
    locale.is_some_and(|name| name.contains("utf-8") || name.contains("utf8"))
}

/// Whether the terminal of standard output shows colors.
pub(crate) fn shows_colors() -> bool {
    env::var_os("TERM").is_some_and(|term| term != "dumb")
}

/// Opens a file that the user named, of any kind.
pub(crate) fn open_named(path: &OsStr) -> io::Result<File> {
    File::open(path)
}

/// Reads from standard input. The standard library would take EBADF for the end.
pub(crate) fn read_stdin(buffer: &mut [u8]) -> io::Result<usize> {
    Ok(rustix::io::read(rustix::stdio::stdin(), buffer)?)
}

/// Writes some of `bytes` to standard output. Returns their number.
pub(crate) fn write_stdout(bytes: &[u8]) -> io::Result<usize> {
    Ok(retry_on_intr(|| rustix::io::write(rustix::stdio::stdout(), bytes))?)
}

/// Writes some of `bytes` to `file`. Returns their number.
pub(crate) fn write(file: &File, bytes: &[u8]) -> io::Result<usize> {
    Ok(retry_on_intr(|| rustix::io::write(file, bytes))?)
}

/// Reads from `file` at `offset`. Returns the number of bytes.
pub(crate) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, offset)
}

/// Starts reading a part of `file` into the page cache, if the system can.
pub(crate) fn read_ahead(file: &File, offset: u64, len: u64) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use rustix::fs::{Advice, fadvise};

        // a failed hint does no harm
        let _ = fadvise(file, offset, std::num::NonZero::new(len), Advice::WillNeed);
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = (file, offset, len);
}

/// Checks that files can be created in `directory`, and returns the system's error if not.
pub(crate) fn check_writable(directory: &Path) -> io::Result<()> {
    // with a slash at its end, a file is none
    Ok(access(directory.join(""), Access::WRITE_OK | Access::EXEC_OK)?)
}

/// Creates a file in `directory` without a name; `None` if the system has no such files there.
///
/// # Errors
/// The system's.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn create_unnamed(directory: &Path) -> io::Result<Option<File>> {
    use rustix::{
        fs::{CWD, Mode, OFlags, openat},
        io::Errno,
    };

    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    // the process's mask removes unwanted permissions
    match openat(CWD, directory, flags, Mode::from_raw_mode(0o666)) {
        Ok(file) => Ok(Some(file.into())),
        // the answers of kernels and file systems that do not know the flag
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Gives an [unnamed](create_unnamed) file a name.
///
/// # Errors
/// The system's; also without `/proc`.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};

    let open = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file));
    Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// `None`: this system has no files without names.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn create_unnamed(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Never called, because no file is [unnamed](create_unnamed).
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives `file` the permissions of the file that it will replace.
pub(crate) fn copy_permissions(file: &File, replaced: &Metadata) -> io::Result<()> {
    file.set_permissions(replaced.permissions())
}

/// GNU's words for an error, if they differ from the system's.
pub(crate) fn gnu_message(_: &io::Error) -> Option<&'static str> {
    None
}
