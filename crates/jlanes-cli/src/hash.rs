//! Names of computations with options, families of algorithms, and the digests that combine several
//! files: of directories and of lists. [`jlanes_files`] hashes the files.

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
