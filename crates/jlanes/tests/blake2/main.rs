//! BLAKE2 against the crate `blake2`, other implementations' known answers, and the reference.

mod batches;
#[path = "../common/batches.rs"]
mod common_batches;
mod hashers;
mod macs;
