//! Computations as the tool's users ask for them: by a name with the values of options, by the name of a family,
//! for a directory, or for a list of files.
//!
//! The name and the values become one [`Computation`](jlanes_files::Computation), with everything that a digest
//! depends on: files with equal ones share lanes, and lists have their names. [`jlanes_files`] hashes the files.

pub(crate) mod directory;
pub(crate) mod family;
mod name;
mod pointers;

pub(crate) use self::{
    family::Family,
    name::{Given, GivenOption, Misfit, Named},
    pointers::{Pointers, of_one_file},
};
