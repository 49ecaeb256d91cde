//! BLAKE2 against the crate `blake2`, other implementations' known answers, and the reference.

mod batches;
mod hashers;
mod macs;
