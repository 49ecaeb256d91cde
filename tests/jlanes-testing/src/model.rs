//! Trees a second time, in the plainest way, over hashers that are not jlanes's.
//!
//! Nothing is shared with the code under test: what is compared with a model is compared with the
//! definition.

pub mod lanes;
pub mod merkle;
pub mod sha256tree;
