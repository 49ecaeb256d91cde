//! Hash algorithms written once over SIMD lanes, and the scheduler that keeps the lanes full.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod batch;
pub mod block_api;
pub mod compression;
pub mod engine;
pub mod hash;
pub mod isa;
pub mod lanes;
pub mod layout;
pub mod padding;
pub mod portable;
pub mod reference;
pub mod sha2;
