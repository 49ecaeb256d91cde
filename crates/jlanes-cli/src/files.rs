//! Files: the operands that the user names, the walk through directories, and reading.

pub(crate) mod found;
mod lines;
mod operands;
pub(crate) mod read;
mod replacement;
mod standard;
mod walk;

pub(crate) use self::{
    found::{Files, target},
    lines::read_line,
    operands::{Operand, Operands},
    replacement::Replacement,
    standard::open_or_stdin,
    walk::{Fate, Found, OutputFile, Patterns, Rules, Walk},
};
