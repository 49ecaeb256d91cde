//! A guard against the loss of pages of a mapped file while they are read.
//!
//! This is the crate's only module with `unsafe`. It is for Unix; other systems do not map files.

#![cfg(unix)]
#![allow(unsafe_code)]

mod mapping;

pub(crate) use mapping::Mapping;
