//! Files that a command names: [`Operands`] and the files that they mean, standard input, and the [`Replacement`] of
//! a file.
//!
//! [`jlanes_files`] walks directories and opens files. Messages, `-`, and renaming over an old file belong to the
//! tool, because a library must not decide them.

mod operands;
mod replacement;
mod stdin;

pub(crate) use self::{
    operands::{Operand, OperandFile, Operands, files_of, is_link, parts_below},
    replacement::Replacement,
    stdin::open_or_stdin,
};
