#![doc = include_str!("../README.md")]
#![deny(unsafe_code)] // but in `guard`

mod digester;
mod engine;
mod found;
mod guard;
mod lanes;
mod read;
mod results;
pub mod system;
mod walk;

pub use self::{
    digester::{Digester, FileHasher, file_hasher},
    engine::{Cancel, Engine, Job, Order, Outcome, Payload, Sink, Stats, Work},
    found::Files,
    lanes::{Digests, Report},
    read::{Base, Dir, FileSource, Large, Map, Reader, Target},
    results::{Hashed, Input, Results},
    walk::{Fate, Found, OutputFile, Patterns, Rules, Skipped},
};
