//! Digests of many files at once: paths and directories in, digests out, on the SIMD lanes of all
//! threads.

#![deny(unsafe_code)] // but in `guard`

mod digester;
mod engine;
mod found;
mod guard;
mod lanes;
mod read;
pub mod system;
mod walk;

pub use self::{
    digester::{Digester, FileHasher},
    engine::{Engine, Job, Outcome, Payload, Sink, Stats, Threads, Work},
    found::Files,
    lanes::{Digests, Report},
    read::{Dir, FileSource, Map, Reading, Target},
    walk::{Fate, Found, OutputFile, Patterns, Rules, Skipped},
};
