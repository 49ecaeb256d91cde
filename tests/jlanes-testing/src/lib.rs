//! What the tests of all crates share: messages, known answers, naive models, the list of
//! backends, the check of layers, and tests of threads.
//!
//! This crate knows nothing of jlanes, so that every crate of the workspace may use it in its
//! tests. It panics, with the record's name, where an ordinary library would return an error.

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
