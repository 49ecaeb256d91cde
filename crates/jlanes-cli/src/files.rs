//! Files that a command names: operands and the files they mean, standard input, and the replacement of a file by a
//! new one. `jlanes_files` has the rules of walks and the targets; here is what the terminal adds to them.

mod operands;
mod replacement;
mod standard;

pub(crate) use jlanes_files::{Base, Fate, OutputFile, Patterns, Rules, Target};

pub(crate) use self::{
    operands::{Found, Operand, Operands, files_of},
    replacement::Replacement,
    standard::open_or_stdin,
};
