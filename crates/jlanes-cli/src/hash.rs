//! [`Computation`](jlanes_files::Computation)s from the words of the tool's users: [`ComputationName`], a name with the values
//! of options ([`GivenParameters`]), [`Family`], names that differ in the length, and what directories and pointers need.
//!
//! A computation has everything that a digest depends on, so files with equal ones share lanes, and its text is the
//! algorithm in a list. [`jlanes_files`] hashes the files.

pub(crate) mod directory;
pub(crate) mod family;
mod name;
mod pointers;

pub(crate) use self::{
    family::Family,
    name::{ComputationName, GivenOption, GivenParameters, Misfit},
    pointers::{JPointersHasher, digests_of_one_file},
};
