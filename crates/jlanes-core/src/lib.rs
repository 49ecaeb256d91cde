#![doc = include_str!("../README.md")]
//!
//! # Papers
//! The documentation cites them by these letters:
//! - \[JL\] S. Gueron, A j-lanes tree hashing mode and j-lanes SHA-256, Journal of Information
//!   Security 4(1), 2013.
//! - \[SMS\] S. Gueron, V. Krasnov, Parallelizing message schedules to accelerate the
//!   computations of hash functions, 2012.
//! - \[SH\] S. Gueron, V. Krasnov, Simultaneous hashing of multiple messages, Journal of
//!   Information Security 3, 2012.
//! - \[SK\] K. Atighehchi, A. Enache, T. Muntean, G. Risterucci, An efficient parallel algorithm
//!   for Skein hash functions.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod compression;
pub mod function;
pub mod hash;
pub mod hashes;
pub mod jobs;
pub mod kernel;
pub mod lanes;
mod longest;
#[cfg(feature = "alloc")]
pub mod memory;
pub mod schedules;
pub mod simd;
mod unroll;
pub mod wipe;
