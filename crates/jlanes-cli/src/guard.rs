//! Guards against what may happen to the process: pages of files get lost while they are mapped, and
//! standard streams were closed before it started.
//!
//! This is the program's only module with `unsafe`.

#![allow(unsafe_code)]

mod mapping;
mod streams;

pub(crate) use mapping::Mapping;
