//! Standard streams that were closed before the program started.
//!
//! The standard library opens `/dev/null` in place of closed ones before `main`, lest a file that
//! is opened later gets one of their numbers. But then a closed standard input passes for an empty
//! one, whose digest is printed, and results that go nowhere pass for written ones. So their places
//! are taken even earlier, by descriptors that are open the wrong way round: what is read from them
//! or written to them fails as it would have failed without them, with EBADF.

use std::os::fd::IntoRawFd;

use rustix::{
    fs::{Mode, OFlags, open},
    io::{Errno, fcntl_getfd},
    stdio::{stderr, stdin, stdout},
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
