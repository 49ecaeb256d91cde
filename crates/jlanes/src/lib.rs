#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "alloc")]
pub mod algorithm;
mod hashers;
#[cfg(feature = "alloc")]
pub mod merkle;
pub mod multi;
pub mod skein;
#[cfg(feature = "alloc")]
pub mod tree;

#[cfg(feature = "alloc")]
pub use algorithm::{Algorithm, AlgorithmError};
pub use digest::{self, Digest};
pub use hashers::{Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
pub use jlanes_simd::{Backend, BackendError};
#[cfg(feature = "alloc")]
pub use jlanes_tree::model;
