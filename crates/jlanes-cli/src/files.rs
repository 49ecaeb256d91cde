//! Files of the user: the operands and the files they mean, standard input, and the replacement of a
//! file by a new one.

mod operands;
mod replacement;
mod standard;

pub(crate) use jlanes_files::{Base, Fate, OutputFile, Patterns, Rules, Target};

pub(crate) use self::{
    operands::{Found, Operand, Operands, files_of},
    replacement::Replacement,
    standard::open_or_stdin,
};
