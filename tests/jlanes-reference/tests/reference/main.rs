//! The oracles themselves: against the answers of other implementations, against RustCrypto's
//! crates at every length around a block, and their constants against the standards' tables.

mod constants;
mod known_answers;
mod macs;
mod peers;
mod selftest;
mod sha;
