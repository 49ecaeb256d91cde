//! Standard streams that were closed before the program started, and closing them at its end.
//!
//! Before `main`, the standard library opens `/dev/null` in place of closed streams, so that no file
//! gets one of their numbers. A closed standard input would then count as empty, and output would be
//! lost without an error. This module takes the numbers earlier, with descriptors that are open in
//! the wrong direction: reading or writing fails with EBADF, as it does on a closed stream.

use std::{
    io,
    os::fd::{IntoRawFd, RawFd},
};

use rustix::{
    fs::{Mode, OFlags, open},
    io::{Errno, fcntl_getfd},
    stdio::{raw_stderr, raw_stdout, stderr, stdin, stdout},
};

// SAFETY: the section holds pointers to functions of this type, which the loader calls one after
// another before `main`. This one makes system calls alone, and so needs nothing of the standard
// library that would not be there yet.
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
#[used]
static BEFORE_MAIN: extern "C" fn() = take_places;

/// Takes the places of closed standard streams.
extern "C" fn take_places() {
    let streams =
        [(stdin(), OFlags::WRONLY), (stdout(), OFlags::RDONLY), (stderr(), OFlags::RDONLY)];
    for (stream, wrong_way) in streams {
        if fcntl_getfd(stream) == Err(Errno::BADF) {
            // a new descriptor has the lowest number that is free, which is the stream's
            let _ = open("/dev/null", wrong_way, Mode::empty()).map(IntoRawFd::into_raw_fd);
        }
    }
}

/// Closes standard output, to be called when nothing is written to it any more: file systems of
/// networks, and those with quotas, may tell only then that they could not keep what was written.
///
/// # Errors
/// The system's.
pub(crate) fn close_stdout() -> io::Result<()> {
    close(raw_stdout())
}

/// Closes standard error, at the very end.
///
/// # Errors
/// The system's; nobody can be told of them.
pub(crate) fn close_stderr() -> io::Result<()> {
    close(raw_stderr())
}

fn close(stream: RawFd) -> io::Result<()> {
    // SAFETY: it is one of the standard streams. Nobody owns its number, it is not used any more, and
    // no file is opened after this that could get the number.
    if unsafe { libc::close(stream) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
