//! Every hasher against RustCrypto's and other oracles, on every backend of the CPU.
//!
//! The tests are generic over [`table::Hasher`] and are stamped out for each line of the table in
//! that module; see `jlanes_testing::backends` for the CPU's part.

#[macro_use]
mod table;

mod batches;
mod chains;
mod counters;
mod handle;
mod known_answers;
#[path = "../common/late.rs"]
mod late;
mod lengths;
mod macs;
mod panics;
#[cfg(feature = "rayon")]
mod parallel;
mod properties;
mod readers;
mod scheduler;
mod states;
mod traits;
mod waiting;
#[cfg(not(target_family = "wasm"))] // WASI has no threads
mod wakes;
