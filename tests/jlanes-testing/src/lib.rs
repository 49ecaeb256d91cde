//! Helpers that the tests of all crates share: messages, known answers, naive models, the list of
//! backends, the check of layers, and tests of threads.
//!
//! This crate does not depend on jlanes, so that the tests of every crate of the workspace may use it.
//! It panics with the record's name instead of returning an error.

mod backends;
mod corpus;
mod hashes;
mod layers;
mod message;
pub mod model;
mod name;
mod threads;

pub use backends::{backends, n_sms_backends};
pub use corpus::{Record, corpus};
pub use layers::layers;
pub use message::{message, paint};
pub use name::algorithm_name;
pub use threads::{THREADS, alone, threads, without_threads};
