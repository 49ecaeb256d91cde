//! The functions of `jlanes.h`, with all unsafe code of this crate.
#![allow(unsafe_code)]
#![allow(non_camel_case_types)] // the names are C's

mod arguments;
mod arrow;
mod hasher;
mod lanes;
pub(crate) mod memory;
mod parameters;

use core::ffi::c_char;

pub use arrow::*;
pub use hasher::*;
pub use lanes::*;
pub use parameters::*;

use crate::status::message;

const _: () = {
    const fn shared<T: Send + Sync>() {}
    const fn moved<T: Send>() {}
    // the header promises thread safety, without which this does not compile
    shared::<jlanes_lanes>();
    moved::<jlanes_hasher>();
};

/// The library's version, as "0.4.0".
#[unsafe(no_mangle)]
pub extern "C" fn jlanes_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The message of this thread's last failed call, in English; empty before a failure. It is valid
/// until the thread's next call.
#[unsafe(no_mangle)]
pub extern "C" fn jlanes_last_error() -> *const c_char {
    message()
}
