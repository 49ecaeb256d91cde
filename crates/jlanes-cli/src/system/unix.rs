//! What all Unix systems have.

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

/// Whether messages may show characters beyond ASCII, by the locale.
pub(crate) fn shows_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(env::var_os)
        .find(|value| !value.is_empty())
        .map(|value| value.to_string_lossy().to_ascii_lowercase());
    locale.is_some_and(|name| name.contains("utf-8") || name.contains("utf8"))
}

/// Opens what the user named, whatever it is.
pub(crate) fn open_named(path: &OsStr) -> io::Result<File> {
    File::open(path)
}

/// Reads from standard input. The standard library's takes EBADF for its end.
pub(crate) fn read_stdin(buffer: &mut [u8]) -> io::Result<usize> {
    Ok(rustix::io::read(rustix::stdio::stdin(), buffer)?)
}

/// Writes some of `bytes` to standard output, and returns how many.
pub(crate) fn write_stdout(bytes: &[u8]) -> io::Result<usize> {
    Ok(retry_on_intr(|| rustix::io::write(rustix::stdio::stdout(), bytes))?)
}

/// Writes some of `bytes` to `file`, and returns how many.
pub(crate) fn write(file: &File, bytes: &[u8]) -> io::Result<usize> {
    Ok(retry_on_intr(|| rustix::io::write(file, bytes))?)
}

/// Reads from `file` at `offset`, and returns how many bytes.
pub(crate) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, offset)
}

/// Starts to read a part of `file` into the page cache, if the system does that.
pub(crate) fn read_ahead(file: &File, offset: u64, len: u64) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use rustix::fs::{Advice, fadvise};

        // a hint that fails does no harm
        let _ = fadvise(file, offset, std::num::NonZero::new(len), Advice::WillNeed);
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = (file, offset, len);
}

/// Finds out whether files can be made in `directory`, in the system's words where not.
pub(crate) fn check_writable(directory: &Path) -> io::Result<()> {
    Ok(access(directory, Access::WRITE_OK | Access::EXEC_OK)?)
}

/// A new file in `directory` without a name, if the system has such files there.
///
/// # Errors
/// The system's.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn unnamed(directory: &Path) -> io::Result<Option<File>> {
    use rustix::{
        fs::{CWD, Mode, OFlags, openat},
        io::Errno,
    };

    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    // the process's mask takes away what it does not want
    match openat(CWD, directory, flags, Mode::from_raw_mode(0o666)) {
        Ok(file) => Ok(Some(file.into())),
        // what kernels and file systems say that do not know the flag
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Gives an [`unnamed`] file its name.
///
/// # Errors
/// The system's, also where there is no `/proc`.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};

    let open = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file));
    Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// A new file in `directory` without a name, if the system has such files there.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn unnamed(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Gives an [`unnamed`] file its name.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives `file` the permissions of the one that it is going to replace.
pub(crate) fn copy_permissions(file: &File, replaced: &Metadata) -> io::Result<()> {
    file.set_permissions(replaced.permissions())
}

/// GNU's words for an error, where the system's are not the same.
pub(crate) fn words(_: &io::Error) -> Option<&'static str> {
    None
}
