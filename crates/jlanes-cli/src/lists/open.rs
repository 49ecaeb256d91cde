//! A list that is open: its text line by line, and its format.

use std::{
    ffi::OsString,
    io::{self, BufReader, Read},
    sync::Arc,
};

use super::{Accepted, Forms, armour::Armour, decode::decoded, dialect::Dialect};
use crate::{
    files::{open_or_stdin, read_line},
    lists::line::mtree::Mtree,
    system,
};

/// The comment that mtree's specifications begin with.
const MTREE: &[u8] = b"#mtree";

/// A list that is open.
pub(super) struct List {
    reader: BufReader<Box<dyn Read + Send>>,
    /// What lines end with.
    pub(super) end: u8,
    /// What a signature puts around them, where it is known.
    armour: Option<Armour>,
    /// As messages call it.
    pub(super) name: Arc<[u8]>,
    pub(super) is_stdin: bool,
    pub(super) dialect: Dialect,
    /// Whether the list may be another tool's.
    may_be_mtree: bool,
    /// Bytes of the longest line.
    longest: usize,
    pub(super) line: u64,
    /// Whether there were lines that were not asked for.
    pub(super) skipped: bool,
    pub(super) hint: Option<String>,
}

impl List {
    /// Opens the list at `operand`. An error comes with the name that messages call it.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn open(
        operand: &OsString,
        accepted: &Accepted,
    ) -> Result<Self, (Arc<[u8]>, io::Error)> {
        let forms = accepted.forms;
        let is_stdin = operand == "-";
        let name = match is_stdin {
            true => Arc::from(&b"standard input"[..]),
            false => Arc::from(system::bytes(operand)),
        };
        let plain = |reader| (BufReader::with_capacity(32 << 10, reader), b'\n');
        let opened = open_or_stdin(operand).map(|reader| match forms {
            Forms::All => decoded(reader),
            // what else GNU's tools make of it is malformed
            Forms::Sum | Forms::Cksum => Ok(plain(reader)),
        });
        let (reader, end) = match opened {
            Ok(Ok(decoded)) => decoded,
            // GNU's words, which say no more
            Ok(Err(_)) => return Err((name, io::Error::other("read error"))),
            Err(error) => return Err((name, error)),
        };
        Ok(Self {
            reader,
            end,
            armour: (forms == Forms::All).then(Armour::default),
            name,
            is_stdin,
            dialect: Dialect::default(),
            may_be_mtree: forms == Forms::All,
            longest: accepted.longest_line(),
            line: 0,
            skipped: false,
            hint: None,
        })
    }

    /// The next line that is neither empty nor a comment, without its end; nothing inside if it is
    /// too long to be one.
    ///
    /// # Errors
    /// The reader's.
    pub(super) fn next(&mut self) -> io::Result<Option<Option<Vec<u8>>>> {
        let mut line = Vec::new();
        loop {
            self.line += 1;
            let Some(is_longer) = read_line(&mut self.reader, self.end, self.longest, &mut line)?
            else {
                return Ok(None);
            };
            if self.end == b'\n' && line.last() == Some(&b'\r') {
                line.pop();
            }
            if let Some(armour) = &mut self.armour {
                match armour.strip(&line) {
                    Some(text) if text.len() == line.len() => {}
                    Some(text) => line = text.to_vec(),
                    None => continue,
                }
            }
            if self.may_be_mtree && line == MTREE && matches!(self.dialect, Dialect::Unknown) {
                self.dialect = Dialect::Mtree(Mtree::default());
            }
            if !line.is_empty() && line[0] != b'#' {
                return Ok(Some((!is_longer).then_some(line)));
            }
        }
    }
}
