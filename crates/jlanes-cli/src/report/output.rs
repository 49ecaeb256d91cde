//! The result lines, on standard output or in a file: gathered, and written when they are some thousand bytes or a
//! message has to come after them. A write ends with a line, so lines of processes that share a pipe do not mix.

use std::{ffi::OsString, fs::File, io};

use super::{Console, progress, quote, reason};
use crate::system;

/// The maximum number of bytes written at once. A pipe takes them in one piece (`PIPE_BUF` on Linux),
/// so that lines of several processes never mix.
const WRITE_BYTES: usize = 4096;

/// Writes `text`.
///
/// # Errors
/// The system's.
pub(crate) fn print(text: &[u8]) -> io::Result<()> {
    let mut output = Output::default();
    output.unwritten().extend_from_slice(text);
    output.flush()
}

/// The destination of lines.
#[derive(Debug, Default)]
pub(crate) enum Destination {
    #[default]
    Stdout,
    /// A file, and its name for messages.
    File(File, OsString),
}

impl Destination {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout => progress::with_line_erased(|| system::write_stdout(bytes)),
            Self::File(file, name) => system::write(file, bytes).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {}", quote::value(name), reason(&error)))
            }),
        }
    }
}

/// Buffered lines.
#[derive(Debug, Default)]
pub(crate) struct Output {
    lines: Vec<u8>,
    to: Destination,
    has_lines: bool,
}

impl Output {
    pub(crate) fn new(to: Destination) -> Self {
        Self { to, ..Self::default() }
    }

    /// The buffer, for text before the first line.
    pub(crate) fn unwritten(&mut self) -> &mut Vec<u8> {
        &mut self.lines
    }

    /// Appends a line, made by `write`.
    ///
    /// # Errors
    /// That of writing the lines before it.
    pub(crate) fn line(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        self.has_lines = true;
        let before = self.lines.len();
        write(&mut self.lines);
        if self.lines.len() > WRITE_BYTES {
            let line = self.lines.split_off(before);
            self.flush()?;
            self.lines = line;
        }
        Ok(())
    }

    /// Whether there were any lines, besides the text before them.
    pub(crate) fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// Reports a file that changed, if it did, after writing the lines so far: results and messages
    /// keep their order where both are shown together.
    ///
    /// # Errors
    /// That of writing them.
    pub(crate) fn report_if_changed(
        &mut self,
        console: &Console,
        name: &[u8],
        changed: bool,
    ) -> io::Result<()> {
        if changed {
            self.flush()?;
            console.report_changed(name);
        }
        Ok(())
    }

    /// Writes all lines.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let mut unwritten = &self.lines[..];
        while !unwritten.is_empty() {
            unwritten = &unwritten[self.to.write(unwritten)?..];
        }
        self.lines.clear();
        Ok(())
    }
}
