//! Vectors of words, and the instruction sets with these vectors: the whole interface between
//! algorithms and CPUs.

pub mod copy;
pub mod groups;
pub(crate) mod part;
pub mod portable;
pub mod runs;
pub mod transpose;
pub mod vector;
pub mod words;
