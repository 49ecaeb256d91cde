//! Naive models of trees, over hashers that are not jlanes's.
//!
//! They share nothing with the code under test, so a comparison with a model is one with the
//! definition.

pub mod lanes;
pub mod merkle;
pub mod sha256tree;
