//! Guards against what may happen to the process: standard streams were closed before it started, what
//! was written gets lost when they are closed, and memory is used up.
//!
//! This is the program's only module with `unsafe`. It is for Unix: the other systems get by without.

#![cfg(unix)]
#![allow(unsafe_code)]

mod memory;
mod streams;

pub(crate) use streams::{close_stderr, close_stdout};
