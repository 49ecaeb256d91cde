//! A guard against what may happen to a mapped file: its pages get lost while they are read.
//!
//! This is the crate's only module with `unsafe`. It is for Unix: the other systems get by without.

#![cfg(unix)]
#![allow(unsafe_code)]

mod mapping;

pub(crate) use mapping::Mapping;
