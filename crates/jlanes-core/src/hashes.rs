//! The hash functions, a file or folder each, written once for every width of vectors.

pub mod sha1;
pub mod sha2;
pub mod skein;
