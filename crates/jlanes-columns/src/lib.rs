#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]

mod allocation;
mod array;
mod bits;
mod column;
mod dictionary;
mod error;
pub mod ffi;
mod hasher;
mod hex;
mod key;
mod meaning;
mod nested;
mod rows;
mod run;
mod several;
mod task;
mod types;

pub use array::{Array, Encoding};
pub use column::Column;
pub use error::Error;
pub use hasher::ColumnHasher;
pub use key::Key;
pub use meaning::check_extension;
pub use several::digest_several;
pub use types::{DataType, TimeUnit};
