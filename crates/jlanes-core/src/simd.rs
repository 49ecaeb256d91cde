//! Vectors of words, and the instruction sets with these vectors: the whole interface between
//! algorithms and CPUs.

pub mod copy;
pub mod portable;
pub mod registers;
pub mod runs;
pub(crate) mod subslice;
pub mod transpose;
pub mod vector;
pub mod words;
