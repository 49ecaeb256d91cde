#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod ffi;
mod status;

pub use ffi::*;
pub use status::*;
