//! Skein with all its arguments, and its tree mode (Skein 1.3, sections 3.5.4 to 3.5.6; \[SK\]).
//!
//! \[SK\]: Atighehchi, Enache, Muntean, Risterucci, *An efficient parallel algorithm for Skein hash
//! functions*.

mod config;
mod hasher;
mod levels;
mod nodes;
mod schedule;
mod state;
mod subtree;
mod top_first;

pub use config::{Builder, SkeinConfig, SkeinDigest};
pub use hasher::SkeinHasher;
pub use jlanes_core::hashes::skein::params::{Error, TreeParams};
pub use levels::Footprint;
pub use schedule::Schedule;
pub use state::{LeafError, TreeState};
