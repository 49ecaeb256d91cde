#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod hashing;
mod lanes;
pub mod load;
pub mod server;
