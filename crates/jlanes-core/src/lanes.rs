//! Work in lanes: messages, interleaved words, and repeated hashing of digests.
//!
//! A job sees a hash as a descriptor and instruction sets as their [kernels](crate::kernel), so each function
//! here is compiled twice: for 32-bit words and for 64-bit words.

pub mod interleaved;
pub mod messages;
pub mod outputs;
pub mod rehash;
