//! Standard input, beside files.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read},
};

use rustix::{io::read, stdio::stdin};

/// The file `path`, or standard input if that is what it says: `-`.
///
/// # Errors
/// The system's.
pub(crate) fn open_or_stdin(path: &OsStr) -> io::Result<Box<dyn Read + Send>> {
    Ok(if path == "-" { Box::new(Input) } else { Box::new(File::open(path)?) })
}

/// Standard input. The standard library's takes EBADF for its end.
struct Input;

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(read(stdin(), buffer)?)
    }
}
