//! Computations as the tool's users name them: an algorithm with options, a family, the digest of a directory,
//! and pointers. [`jlanes_files`] hashes the files; the rest of the program has its types from here.

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
    name::{Given, GivenOption, Misfit, Named},
    pointers::{Pointers, of_one_file},
};
