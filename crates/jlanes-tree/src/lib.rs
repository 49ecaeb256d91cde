#![doc = include_str!("../README.md")]
//!
//! # The hashers
//! Nothing in this crate depends on an instruction set: types are generic over
//! [`DigestOnKernels`](jlanes_core::function::DigestOnKernels), a hash with its backend, or hold it as a value. Merkle
//! formats make this value of a [`Backend`](jlanes_simd::Backend), so that they are types without parameters.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "blake3")]
pub mod bao;
mod batch_buffer;
#[cfg(all(feature = "blake3", feature = "rayon"))]
mod blake3;
pub mod cost_model;
#[cfg(test)]
mod counted;
mod error;
mod interleave;
pub mod jlanes;
pub mod join;
pub mod jpointers;
#[cfg(feature = "sha3")]
pub mod kangaroo;
#[cfg(feature = "sha3")]
mod leaves;
pub mod linear;
pub mod merkle;
pub mod multi_hash;
mod pairs;
#[cfg(feature = "rayon")]
mod parallel;
#[cfg(feature = "sha3")]
pub mod parallel_hash;
pub mod profile;
#[cfg(feature = "skein")]
pub mod skein;
pub mod soundness;

pub use error::TreeError;
#[cfg(feature = "rayon")]
pub use parallel::{ParRead, ParUpdate, ReadPart, par_digest};
