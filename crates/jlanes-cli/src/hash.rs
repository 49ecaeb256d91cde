//! Hashing: what is computed of files and of directories. [`jlanes_files`] computes it.

pub(crate) mod directory;
pub(crate) mod family;
mod name;
mod pointers;

pub(crate) use jlanes::algorithm::{Key, Strength};
pub(crate) use jlanes_files::{
    Checksum, Computation, Digests, DirHash, Engine, Job, Outcome, Payload, Sink, Stats, Work,
};

pub(crate) use self::{
    family::Family,
    name::{Given, Misfit, Named},
    pointers::{Pointers, of_one_file},
};
