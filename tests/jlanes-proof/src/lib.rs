//! Proofs that the rounds are those of the standards, for all states and blocks.
//!
//! Every compression function of `jlanes-core` is one text over vectors of words. Here it runs on
//! vectors of [terms](term::Term): what comes out is not a digest but the whole computation. The
//! [`standards`] are written a second time, over terms and with nothing of the first text, and the two
//! computations are proved equal, step by step (`equal.rs`): sums as sorted lists, bitwise operations by
//! truth tables. Random values choose what to prove; they prove nothing.
//!
//! A kernel in [`assembly`] is a text of its own. It runs on terms, too, instruction by instruction.
//!
//! What is taken for granted: that vectors compute what [`SimdWord`](jlanes_core::simd::vector::SimdWord) says,
//! which the tests of `jlanes-simd` show operation by operation, and the compiler.

#![forbid(unsafe_code)]

pub mod assembly;
pub mod differ;
mod equal;
pub mod lanes;
pub mod names;
pub mod standards;
pub mod term;
