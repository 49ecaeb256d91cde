//! Guards of the process: for standard streams that were closed before it started, for output that is
//! lost when streams are closed, and for the end of memory.
//!
//! This is the program's only module with `unsafe`. Only Unix needs it.

#![cfg(unix)]
#![allow(unsafe_code)]

mod memory;
mod streams;

pub(crate) use streams::{close_stderr, close_stdout};
