//! An open list: its text, line by line, and its format.

use std::io::{self, BufReader, Read};

use super::{
    Entry, Fault, LONGEST_LINE, Parser, Tags, armour::Armour, decode::decoded, dialect::Dialect,
    read_line,
};

/// An open list.
pub struct List<S> {
    reader: BufReader<Box<dyn Read + Send>>,
    end: u8,
    /// Inside which part of an OpenPGP signature, if signatures are recognized.
    armour: Option<Armour>,
    dialect: Dialect<S>,
    longest: usize,
    number: u64,
    /// Whether the last entry has been returned.
    is_over: bool,
}

/// A line of a list.
#[derive(Debug)]
pub struct Line<S> {
    /// The line's number, from 1 on. An entry of several lines has that of the line behind it.
    pub number: u64,
    /// The text without its end; `None` if it is too long, or for the last entry of some formats.
    pub text: Option<Vec<u8>>,
    /// The entry, or what is wrong with the line.
    pub entry: Result<Entry<S>, Fault>,
}

impl<S: Clone> List<S> {
    /// A list of any format. Byte order marks, UTF-16, lines that end with NUL, and OpenPGP's clear
    /// text signatures are recognized; the signatures are not verified.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn new(reader: impl Read + Send + 'static) -> io::Result<Self> {
        let (reader, end) = decoded(Box::new(reader))?;
        Ok(Self::of(reader, end, Some(Armour::default()), Dialect::Unknown))
    }

    /// A list of GNU's tools alone: everything else in it is malformed.
    pub fn gnu(reader: impl Read + Send + 'static) -> Self {
        let reader = BufReader::with_capacity(32 << 10, Box::new(reader) as Box<_>);
        Self::of(reader, b'\n', None, Dialect::Gnu)
    }

    fn of(
        reader: BufReader<Box<dyn Read + Send>>,
        end: u8,
        armour: Option<Armour>,
        dialect: Dialect<S>,
    ) -> Self {
        Self { reader, end, armour, dialect, longest: LONGEST_LINE, number: 0, is_over: false }
    }

    /// Sets the length of the longest line, in bytes.
    #[must_use]
    pub fn longest(self, bytes: usize) -> Self {
        Self { longest: bytes, ..self }
    }

    /// Whether lines end with NUL, so that no name is escaped.
    #[must_use]
    pub fn has_nul_ends(&self) -> bool {
        self.end == 0
    }

    /// The next line with an entry, or that should have one. `parser` may be shared by several lists;
    /// it then requires the same layout in all of them, as GNU's tools do.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn next<T: Tags<Scheme = S>>(
        &mut self,
        parser: &mut Parser<T>,
    ) -> io::Result<Option<Line<S>>> {
        parser.escapes = !self.has_nul_ends();
        while !self.is_over {
            let Some(text) = self.line()? else {
                self.is_over = true;
                let entry = self.dialect.finish(parser);
                return Ok(entry.map(|entry| Line { number: self.number, text: None, entry }));
            };
            let entry = match &text {
                Some(text) => self.dialect.parse(text, parser),
                None => Some(Err(Fault::Malformed)),
            };
            if let Some(entry) = entry {
                return Ok(Some(Line { number: self.number, text, entry }));
            }
        }
        Ok(None)
    }

    /// The next line that is neither empty nor a comment, without its end; `None` inside if it is too
    /// long.
    fn line(&mut self) -> io::Result<Option<Option<Vec<u8>>>> {
        let mut line = Vec::new();
        loop {
            self.number += 1;
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
            self.dialect.note_comment(&line);
            if !line.is_empty() && line[0] != b'#' {
                return Ok(Some((!is_longer).then_some(line)));
            }
        }
    }
}
