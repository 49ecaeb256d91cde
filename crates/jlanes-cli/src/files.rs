//! Files: the operands that the user names, what is found of them, and what is written.

mod found;
mod operands;
mod replacement;
mod standard;

pub(crate) use jlanes_files::{Base, Fate, OutputFile, Patterns, Rules, Target};

pub(crate) use self::{
    found::{Found, files_of},
    operands::{Operand, Operands},
    replacement::Replacement,
    standard::open_or_stdin,
};
