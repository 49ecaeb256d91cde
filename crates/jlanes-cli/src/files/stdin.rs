//! Standard input as an operand: `-`.
//!
//! The standard library takes a closed input for an empty one, so `system` reads the bytes.

use std::{
    ffi::OsStr,
    io::{self, Read},
};

use crate::system;

/// Opens the file `path`, or standard input for `-`.
///
/// # Errors
/// The system's.
pub(crate) fn open_or_stdin(path: &OsStr) -> io::Result<Box<dyn Read + Send>> {
    Ok(if path == "-" { Box::new(Stdin) } else { Box::new(system::open_named(path)?) })
}

/// Standard input.
struct Stdin;

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        system::read_stdin(buffer)
    }
}
