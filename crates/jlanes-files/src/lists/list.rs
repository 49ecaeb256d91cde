//! An open list: its text, line by line, and its format.

use std::io::{self, BufReader};

use super::{
    Entry, Fault, LONGEST_LINE, Parser, Tags,
    armour::{Armour, Part, begins_in},
    decode::decoded,
    dialect::Dialect,
    read_line,
};

/// What is said of lines outside of the part that is signed: a good signature says nothing of them.
const UNSIGNED: &str = "not in the part of the list that is signed";

/// An open list.
///
/// ```
/// use jlanes_files::lists::{AnyAlgorithm, List, Parser};
///
/// let text = "# a comment\nSHA1 (a file) = da39a3ee5e6b4b0d3255bfef95601890afd80709\n";
/// let mut list = List::new(text.as_bytes())?;
/// let mut parser = Parser::new(AnyAlgorithm::default());
/// while let Some(line) = list.next(&mut parser)? {
///     match line.entry {
///         Ok(entry) => assert_eq!((line.number, &entry.name[..]), (2, &b"a file"[..])),
///         Err(fault) => println!("line {}: {fault:?}", line.number),
///     }
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct List<S> {
    reader: BufReader<Box<dyn io::Read + Send>>,
    end: u8,
    /// Inside which part of an OpenPGP signature, if signatures are recognized.
    armour: Option<Armour>,
    dialect: Dialect<S>,
    longest: usize,
    number: u64,
    /// Whether there were entries.
    has_entries: bool,
    /// Whether the last entry has been returned.
    is_over: bool,
}

/// What is read next.
enum Read {
    /// A line that is neither empty nor a comment, without its end; `None` if it is too long.
    Line(Option<Vec<u8>>),
    /// A signed text begins.
    Begin,
    /// It ends.
    End,
    Nothing,
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
    /// text signatures are recognized; the signatures are not verified. In a list with one, entries
    /// outside of the signed text are refused, and so is the signed text's first line if there were
    /// any before.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn new(reader: impl io::Read + Send + 'static) -> io::Result<Self> {
        let (reader, end) = decoded(Box::new(reader))?;
        Ok(Self::of(reader, end, Some(Armour::default()), Dialect::Unknown))
    }

    /// A list of GNU's tools alone: everything else in it is malformed.
    pub fn gnu(reader: impl io::Read + Send + 'static) -> Self {
        let reader = BufReader::with_capacity(32 << 10, Box::new(reader) as Box<_>);
        Self::of(reader, b'\n', None, Dialect::Gnu)
    }

    fn of(
        reader: BufReader<Box<dyn io::Read + Send>>,
        end: u8,
        armour: Option<Armour>,
        dialect: Dialect<S>,
    ) -> Self {
        let (longest, number, has_entries, is_over) = (LONGEST_LINE, 0, false, false);
        Self { reader, end, armour, dialect, longest, number, has_entries, is_over }
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
            let (text, entry) = match self.line()? {
                // one NUL must not make a signed list another one
                Read::Line(Some(text)) if self.end == 0 && begins_in(&text) => {
                    let why = "a signed text among lines that end with NUL".to_owned();
                    (Some(text), Some(Err(Fault::Refused(why))))
                }
                Read::Line(Some(text)) => {
                    let entry = self.dialect.parse(&text, parser);
                    (Some(text), entry)
                }
                // nor may the text be where nothing reads it
                Read::Line(None) if self.end == 0 => {
                    let why = "too long for a line that ends with NUL".to_owned();
                    (None, Some(Err(Fault::Refused(why))))
                }
                Read::Line(None) => (None, Some(Err(Fault::Malformed))),
                Read::Nothing => {
                    self.is_over = true;
                    (None, self.dialect.finish(parser))
                }
                Read::End => {
                    let entry = self.dialect.finish(parser);
                    self.dialect = Dialect::Unknown;
                    match entry {
                        // it was signed
                        Some(entry) => return Ok(Some(self.found(None, entry))),
                        None => continue,
                    }
                }
                Read::Begin => {
                    let last = self.dialect.finish(parser);
                    self.dialect = Dialect::Unknown;
                    let is_first = !self.has_entries && !matches!(last, Some(Ok(_)));
                    let why = || Fault::Refused("lines before it are not signed".to_owned());
                    (None, (!is_first).then(|| Err(why())))
                }
            };
            let entry = match entry {
                Some(Ok(_)) if self.armour == Some(Armour::After) => {
                    Some(Err(Fault::Refused(UNSIGNED.to_owned())))
                }
                entry => entry,
            };
            if let Some(entry) = entry {
                return Ok(Some(self.found(text, entry)));
            }
        }
        Ok(None)
    }

    fn found(&mut self, text: Option<Vec<u8>>, entry: Result<Entry<S>, Fault>) -> Line<S> {
        self.has_entries |= entry.is_ok() && self.armour == Some(Armour::None);
        Line { number: self.number, text, entry }
    }

    fn line(&mut self) -> io::Result<Read> {
        let mut line = Vec::new();
        loop {
            self.number += 1;
            let Some(is_longer) = read_line(&mut self.reader, self.end, self.longest, &mut line)?
            else {
                return Ok(Read::Nothing);
            };
            if self.end == b'\n' && line.last() == Some(&b'\r') {
                line.pop();
            }
            if let Some(armour) = &mut self.armour {
                match armour.strip(&line) {
                    Part::Text(text) if text.len() == line.len() => {}
                    Part::Text(text) => line = text.to_vec(),
                    Part::Begin => return Ok(Read::Begin),
                    Part::End => return Ok(Read::End),
                    Part::Armour => continue,
                }
            }
            self.dialect.note_comment(&line);
            // a comment with NUL at its end may hide more than its line
            let hides_more = || self.end == 0 && (is_longer || begins_in(&line));
            if !line.is_empty() && (line[0] != b'#' || hides_more()) {
                return Ok(Read::Line((!is_longer).then_some(line)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::AnyAlgorithm;

    const HEX: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    /// The names in a list, or the first words of why a line has none. `HEX` stands for a digest.
    fn read(text: &str) -> Vec<String> {
        let mut list = List::new(io::Cursor::new(text.replace("HEX", HEX))).unwrap();
        let mut parser = Parser::new(AnyAlgorithm::default());
        let mut found = Vec::new();
        while let Some(line) = list.next(&mut parser).unwrap() {
            found.push(match line.entry {
                Ok(entry) => String::from_utf8(entry.name).unwrap(),
                Err(Fault::Malformed) => "malformed".to_owned(),
                Err(Fault::Refused(why)) => format!("refused: {why:.12}"),
            });
        }
        found
    }

    #[test]
    fn only_what_is_signed_counts_where_something_is() {
        let begin = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n";
        let end = "-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n";
        let signed = format!("{begin}HEX  a\n- HEX  b\n{end}");
        assert_eq!(read(&signed), ["a", "b"]);
        let unsigned = format!("refused: {UNSIGNED:.12}");
        assert_eq!(read(&format!("{signed}HEX  c\n")), ["a", "b", &unsigned]);
        let refused = "refused: lines before";
        assert_eq!(read(&format!("HEX  c\n{signed}")), ["c", refused, "a", "b"]);
        assert_eq!(read(&format!("prose\n{signed}")), ["malformed", "a", "b"]);
        assert_eq!(read(&format!("{signed}{signed}")), ["a", "b", "a", "b"]);
        let hidden = format!("HEX  a\0x\n{begin}\0");
        assert_eq!(read(&hidden), ["a", "refused: a signed tex"]);
        let commented = format!("HEX  a\0# by x\n{signed}");
        assert_eq!(read(&commented), ["a", "refused: a signed tex"]);
        for first in ['#', 'x'] {
            let long = format!("HEX  a\0{first}{}\n{signed}", "y".repeat(LONGEST_LINE));
            assert_eq!(read(&long), ["a", "refused: too long for"]);
        }
        assert_eq!(read("# by x\n\0HEX  a\0"), ["a"]);
    }

    #[test]
    fn nothing_is_escaped_where_lines_end_with_nul() {
        assert_eq!(read("\\HEX  a\\nb\n"), ["a\nb"]);
        assert_eq!(read("HEX  a\\nb\0\\HEX  c\0"), ["a\\nb", "malformed"]);
    }
}
