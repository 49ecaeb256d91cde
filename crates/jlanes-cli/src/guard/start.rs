//! The program's start on Linux, where it is most of what a run over a tiny file takes.
//!
//! Before `main` the standard library reads the memory map and makes a stack for a handler, so that
//! it can tell an overflow of the stack from other faults and say so. That is a fifth of such a run's
//! instructions. Here the C library calls the program at once. An overflow ends it all the same, by
//! SIGSEGV, which then has no message. The rest of what the standard library does is done here: a
//! closed pipe is an error and no signal, and a panic gives the status 101. ([`streams`] sees to
//! closed streams.)
//!
//! [`streams`]: super::streams

use std::{
    ffi::{c_char, c_double, c_int},
    panic,
};

/// What a panic leaves.
const PANICKED: c_int = 101;

// SAFETY: it has the type that the C library calls, and no other function has the name, as the
// program is `no_main`.
#[unsafe(no_mangle)]
extern "C" fn main(_: c_int, _: *const *const c_char) -> c_int {
    // SAFETY: a signal that is ignored runs no handler.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    panic::catch_unwind(crate::run).map_or(PANICKED, |well| if well { 0 } else { 1 })
}

// The progress bar's averages are all that wants a function of the system's `libm`, which would be
// a library more to be found, mapped and relocated at every start.
// SAFETY: it has the type and the meaning of the function of that name.
#[unsafe(no_mangle)]
extern "C" fn pow(base: c_double, exponent: c_double) -> c_double {
    libm::pow(base, exponent)
}
