//! The bodies of the fuzz targets, which turn a string of bytes into operations.
//!
//! A body reads decisions out of the bytes (which hash, which backend, which operations, how long a
//! message), carries them out, and panics where jlanes and its oracle part ways. The oracles are
//! RustCrypto's hashers, the crate `blake3`, `jlanes-reference`, and the naive models in
//! `jlanes-testing`.
//!
//! `fuzz/` runs the bodies under libFuzzer, with a nightly compiler; this crate's own test runs them
//! over the committed corpus and over pseudo-random bytes, with any compiler.

pub mod algorithms;
pub mod bao;
pub mod batches;
pub mod blake3;
pub mod capi;
pub mod columns;
pub mod dialects;
pub mod feeds;
pub mod hashers;
mod input;
pub mod lists;
pub mod merkle;
pub mod scheduler;
pub mod sha1dc;
pub mod skein;
pub mod sponges;
pub mod torrents;
pub mod trees;
#[cfg(unix)]
pub mod untrusted;
pub mod waiting;

use arbitrary::{Result, Unstructured};

/// The work of a target for an input; `Err` if the input makes no case.
pub type Body = fn(&mut Unstructured) -> Result<()>;

/// Every target: the name of its binary and its corpus, and its body.
pub const TARGETS: &[(&str, Body)] = &[
    ("algorithms", algorithms::run),
    ("hashers", hashers::run),
    ("batches", batches::run),
    ("scheduler", scheduler::run),
    ("trees", trees::run),
    ("skein", skein::run),
    ("merkle", merkle::run),
    ("lists", lists::run),
    ("dialects", dialects::run),
    ("torrents", torrents::run),
    ("columns", columns::run),
    ("sponges", sponges::run),
    ("blake3", blake3::run),
    ("bao", bao::run),
    ("capi", capi::run),
    ("waiting", waiting::run),
    ("sha1dc", sha1dc::run),
    ("feeds", feeds::run),
    #[cfg(unix)]
    ("untrusted", untrusted::run),
];

/// Runs a body over `input`. Returns whether that made a case.
///
/// # Panics
/// If the body finds a fault of jlanes.
pub fn run(body: Body, input: &[u8]) -> bool {
    body(&mut Unstructured::new(input)).is_ok()
}
