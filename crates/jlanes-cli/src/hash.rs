//! Hashing: what is computed of files and of directories. [`jlanes_files`] computes it.

pub(crate) mod directory;
pub(crate) mod family;
mod pointers;
mod scheme;

pub(crate) use jlanes::algorithm::{Key, Parameters, Strength};
pub(crate) use jlanes_files::{Checksum, Digests, Engine, Outcome, Payload, Sink};

pub(crate) use self::{
    directory::DirHash,
    family::Family,
    pointers::{Pointers, of_one_file},
    scheme::{Misfit, Named, Scheme},
};

/// A file to be hashed, or what only keeps its place among them.
pub(crate) type Job<P> = jlanes_files::Job<P, Scheme>;

/// What is wanted of a file.
pub(crate) type Work = jlanes_files::Work<Scheme>;

/// What a run did.
pub(crate) type Stats = jlanes_files::Stats<Scheme>;
