//! Operations on columns against RustCrypto's hashers, row by row, over all layouts.

#![allow(clippy::unwrap_used)] // helpers of tests are tests, too

mod border;
mod digests;
mod layouts;
mod malformed;
mod row_digests;
