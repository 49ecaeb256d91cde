//! The WebAssembly module of the npm package `jlanes`.
//!
//! [`border`] has the exported functions, which the package's `jlanes.js` calls, and all `unsafe`
//! code; [`hashes`] computes.

#![deny(unsafe_code)]
#![warn(missing_docs)]

#[allow(unsafe_code)]
pub mod border;
pub mod hashes;
