//! Hashing: what computes digests, and the engine that gives it files.
//!
//! ```text
//! engine (jobs, workers, order) -> method (algorithms and options) -> lanes (messages side by side)
//! ```

pub(crate) mod directory;
pub(crate) mod engine;
mod lanes;
pub(crate) mod method;

pub(crate) use self::{
    directory::DirHash,
    engine::{Engine, Job, Outcome, Payload, Sink, Stats, Work},
    lanes::Digests,
    method::{
        Checksum, Family, Misfit, Named, Parameters, Pointers, Scheme, Secret, Settings,
        SkeinArguments, Threads, What, family, of_one_file,
    },
};
