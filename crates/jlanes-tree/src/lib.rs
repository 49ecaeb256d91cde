//! Trees over one message: more lanes and threads than a linear hash has work for.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "rayon")]
extern crate std;

pub mod join;
pub mod merkle;
pub mod skein;
