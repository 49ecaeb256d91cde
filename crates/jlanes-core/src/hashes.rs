//! The hash functions, one file or folder each, written once for every width of vectors.

pub mod blake2;
pub mod blake3;
pub mod keccak;
pub mod md5;
pub mod ripemd160;
pub mod sha1;
pub mod sha2;
pub mod skein;
pub mod sm3;
