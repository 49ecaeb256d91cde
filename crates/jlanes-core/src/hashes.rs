//! The hash functions, one file or folder each, written once for every width of vectors; and the cores of
//! their hashers.

pub mod blake2;
#[cfg(feature = "blake3")]
pub mod blake3;
pub mod hash_core;
#[cfg(feature = "keccak")]
pub mod keccak;
pub mod md5;
pub mod ripemd160;
pub mod sha1;
pub mod sha2;
#[cfg(feature = "skein")]
pub mod skein;
pub mod sm3;
