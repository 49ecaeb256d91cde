//! Standard streams: how the program starts with closed ones, and how it closes them at its end.
//!
//! Before `main`, the standard library opens `/dev/null` in place of closed streams, so that no file
//! gets one of their numbers. A closed standard input would then count as empty, and output would be
//! lost without an error. This module takes the numbers earlier, with descriptors that are open in the
//! wrong direction: reading or writing fails with EBADF, as on a closed stream.

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
// another before `main`. `take_places` only makes system calls, so it does not depend on the standard
// library's own initialization.
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
#[used]
static BEFORE_MAIN: extern "C" fn() = take_places;

/// Takes the numbers of closed standard streams.
extern "C" fn take_places() {
    let streams =
        [(stdin(), OFlags::WRONLY), (stdout(), OFlags::RDONLY), (stderr(), OFlags::RDONLY)];
    for (stream, wrong_way) in streams {
        if fcntl_getfd(stream) == Err(Errno::BADF) {
            // a new descriptor gets the lowest free number, which is the closed stream's
            let _ = open("/dev/null", wrong_way, Mode::empty()).map(IntoRawFd::into_raw_fd);
        }
    }
}

/// Closes standard output, after the last write. Only then do network file systems, and those with
/// quotas, report output that they could not store.
///
/// # Errors
/// The system's.
pub(crate) fn close_stdout() -> io::Result<()> {
    close(raw_stdout())
}

/// Closes standard error, at the very end.
///
/// # Errors
/// The system's; no message can show them.
pub(crate) fn close_stderr() -> io::Result<()> {
    close(raw_stderr())
}

fn close(stream: RawFd) -> io::Result<()> {
    // SAFETY: `stream` is 1 or 2, owned by no value. It is not used after this, and no file is opened
    // later that could get its number.
    if unsafe { libc::close(stream) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
