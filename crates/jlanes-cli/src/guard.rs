//! Guards against what may happen to the process: standard streams were closed before it started, and
//! what was written gets lost when they are closed. And the start itself.
//!
//! This is the program's only module with `unsafe`. It is for Unix: the other systems get by without.

#![cfg(unix)]
#![allow(unsafe_code)]

// tests have a `main` of their own
#[cfg(all(target_os = "linux", target_env = "gnu", not(test)))]
mod start;
mod streams;

pub(crate) use streams::{close_stderr, close_stdout};
