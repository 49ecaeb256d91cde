//! Vectors of words, and the instruction sets that have them: all that an algorithm may know of a
//! CPU.

pub mod groups;
pub mod isa;
pub mod lanes;
pub mod portable;
