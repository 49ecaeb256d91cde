//! Files: the operands that the user names, what is found of them, and what is written.

mod operands;
mod replacement;
mod standard;

pub(crate) use jlanes_files::{Base, Fate, OutputFile, Patterns, Rules, Target};

pub(crate) use self::{
    operands::{Found, Operand, Operands, files_of},
    replacement::Replacement,
    standard::open_or_stdin,
};
