//! An open list: reads its lines, chooses its dialect, and returns its entries.

use std::{
    collections::VecDeque,
    io::{self, BufReader},
    iter,
};

use super::{
    Entry, Fault, GnuParser, LineCounts, TagRules,
    choice::choose,
    clearsign::{ClearsignPart, LineRole, has_signed_text, is_header, is_signature},
    lines::{TextLine, TextLines},
    meaning::Meaning,
    record::{Record, RecordReader},
    text_encoding::{HEAD_BYTES, decode_text},
};

/// The reason for refusing lines outside of the signed part: a good signature proves nothing about
/// them.
const UNSIGNED: &str = "not in the part of the list that is signed";

/// An open list.
///
/// ```
/// use jlanes_files::lists::{AnyAlgorithm, List, GnuParser};
///
/// let text = "# a comment\nSHA1 (a file) = da39a3ee5e6b4b0d3255bfef95601890afd80709\n";
/// let mut list = List::new(text.as_bytes())?;
/// let mut parser = GnuParser::new(AnyAlgorithm::default());
/// while let Some(line) = list.next(&mut parser)? {
///     match line.entry {
///         Ok(entry) => assert_eq!((line.number, &entry.name[..]), (2, &b"a file"[..])),
///         Err(fault) => println!("line {}: {fault:?}", line.number),
///     }
/// }
/// let account = list.line_counts();
/// assert_eq!((account.entries, account.comments, account.lines()), (1, 1, 2));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct List {
    lines: TextLines,
    /// The part of an OpenPGP signature that the first line of these records is in.
    place: Option<ClearsignPart>,
    /// Whether lists of other tools than GNU's are read.
    reads_variants: bool,
    /// The records, once the dialect is chosen.
    records: Option<RecordReader>,
    /// Lines that were read to choose the dialect.
    ahead: VecDeque<TextLine>,
    /// Entries and faults of the last record that the caller has not got yet.
    found: VecDeque<Line>,
    line_counts: LineCounts,
    /// Whether there have been entries.
    has_entries: bool,
    /// Whether the last line has been read.
    is_over: bool,
}

/// A line with an entry, or with a fault.
#[derive(Debug)]
pub struct Line {
    /// The line's number, from 1 on; the first line's for an entry of several lines.
    pub number: u64,
    /// The text of the line or lines, without the last end; `None` if it is too long, or has several
    /// entries.
    pub text: Option<Vec<u8>>,
    /// The entry, or what is wrong with the line.
    pub entry: Result<Entry, Fault>,
    /// Whether a missing file is no failure.
    pub is_optional: bool,
}

impl List {
    /// Opens a list of any format. It recognizes byte order marks, UTF-16, lines that end with NUL, and
    /// OpenPGP's clear text signatures, which it does not verify. In a signed list, entries outside of
    /// the signed text are refused; if any come before it, so is its first line.
    ///
    /// Blocks until the list ends, or its first 32 KiB, which decide the format, have arrived.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn new(reader: impl io::Read + Send + 'static) -> io::Result<Self> {
        let (reader, end) = decode_text(Box::new(reader))?;
        Ok(Self::of(reader, end, Some(ClearsignPart::default())))
    }

    /// Opens a list of GNU's tools: everything else in it is malformed.
    pub fn gnu(reader: impl io::Read + Send + 'static) -> Self {
        let reader = BufReader::with_capacity(HEAD_BYTES, Box::new(reader) as Box<_>);
        Self::of(reader, b'\n', None)
    }

    fn of(
        reader: BufReader<Box<dyn io::Read + Send>>,
        end: u8,
        clearsign: Option<ClearsignPart>,
    ) -> Self {
        Self {
            lines: TextLines::new(reader, end, clearsign),
            place: clearsign,
            reads_variants: clearsign.is_some(),
            records: None,
            ahead: VecDeque::new(),
            found: VecDeque::new(),
            line_counts: LineCounts::default(),
            has_entries: false,
            is_over: false,
        }
    }

    /// Sets the maximum length of a line, in bytes.
    #[must_use]
    pub fn max_line_bytes(mut self, bytes: usize) -> Self {
        self.lines.max_bytes = bytes;
        self
    }

    /// Whether lines end with NUL, in which case no name is escaped.
    #[must_use]
    pub fn has_nul_ends(&self) -> bool {
        self.lines.end == 0
    }

    /// The numbers of lines read so far; of all lines once [`next`](Self::next) has returned `None`.
    #[must_use]
    pub fn line_counts(&self) -> LineCounts {
        self.line_counts
    }

    /// The next entry, or the next line that should have one. Several lists may share `parser`, which
    /// then requires the same layout in all of them, as GNU's tools do.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn next<T: TagRules>(&mut self, parser: &mut GnuParser<T>) -> io::Result<Option<Line>> {
        (parser.escapes, parser.reads_variants) = (!self.has_nul_ends(), self.reads_variants);
        while self.found.is_empty() && !self.is_over {
            let next = match self.ahead.pop_front() {
                Some(line) => Some(line),
                None => self.lines.next()?,
            };
            match next {
                Some(line) => self.add_line(line, parser)?,
                None => {
                    self.end_record(parser);
                    self.is_over = true;
                    debug_assert_eq!(self.line_counts.lines(), self.lines.number, "a line is lost");
                }
            }
        }
        Ok(self.found.pop_front())
    }

    /// Counts a line, or adds it to the open record.
    fn add_line<T: TagRules>(
        &mut self,
        line: TextLine,
        parser: &mut GnuParser<T>,
    ) -> io::Result<()> {
        let TextLine { number, text, is_truncated, role, place } = line;
        match role {
            LineRole::Text(_) => {}
            LineRole::Armor => {
                // without its blank line, the header would go on in the text, and a signature without
                // its last line in another list
                let is_lost = match place {
                    Some(ClearsignPart::Header) => !is_header(&text),
                    Some(ClearsignPart::Signature) => !is_signature(&text),
                    _ => false,
                };
                let is_entry = is_lost || parser.parse_standard(&text).is_some();
                self.count_framing_line(number, is_entry.then_some(UNSIGNED));
                return Ok(());
            }
            LineRole::Begin | LineRole::End => {
                self.end_record(parser);
                let is_late = role == LineRole::Begin && self.has_entries;
                let reason = is_late.then_some("lines before it are not signed");
                self.count_framing_line(number, reason);
                return Ok(());
            }
        }
        let mut records = match self.records.take() {
            Some(records) => records,
            None => {
                self.place = place;
                self.choose(&text, parser)?
            }
        };
        // a writer could place one NUL in a signed list, so that its lines seem to end with NUL and hide its text
        let hides = match self.lines.end {
            0 if is_truncated => Some("too long for a line that ends with NUL"),
            0 if has_signed_text(&text) => Some("a signed text among lines that end with NUL"),
            _ => None,
        };
        let max_bytes = self.lines.max_bytes;
        let mut each = |record, meaning| self.count_record(record, meaning);
        let line = Record::line(number, text, is_truncated);
        match hides {
            None => records.line(line, max_bytes, parser, &mut each),
            Some(why) => {
                records.end(parser, &mut each);
                each(line, Meaning::Refused(why.to_owned()));
            }
        }
        self.records = Some(records);
        Ok(())
    }

    /// Counts a line around a signed text. It is refused if there is a reason.
    fn count_framing_line(&mut self, number: u64, refused: Option<&str>) {
        let meaning = refused.map_or(Meaning::Structure, |why| Meaning::Refused(why.to_owned()));
        self.count_record(Record::line(number, Vec::new(), true), meaning);
    }

    /// Chooses the dialect of the lines from `first` to the end of the signed part, or of the list.
    fn choose<T: TagRules>(
        &mut self,
        first: &[u8],
        parser: &mut GnuParser<T>,
    ) -> io::Result<RecordReader> {
        // lines that end with NUL are GNU's, and may contain what other dialects take for several lines
        if !self.reads_variants || self.has_nul_ends() {
            return Ok(RecordReader::new(None));
        }
        let (mut bytes, mut is_whole) = (first.len(), false);
        while bytes < HEAD_BYTES && !is_whole {
            let line = self.lines.next()?;
            match &line {
                Some(TextLine { role: LineRole::Text(_), text, .. }) => bytes += text.len() + 1,
                _ => is_whole = true,
            }
            self.ahead.extend(line);
        }
        let texts = self.ahead.iter().filter(|line| matches!(line.role, LineRole::Text(_)));
        let lines: Vec<_> = iter::once(first).chain(texts.map(|line| &line.text[..])).collect();
        // the parser learns from all lines, not only from those above, whether digests are hexadecimal
        parser.trial(|parser| lines.iter().for_each(|line| drop(parser.parse(line))));
        Ok(choose(&lines, is_whole, parser))
    }

    /// Ends the dialect and its last record.
    fn end_record<T: TagRules>(&mut self, parser: &mut GnuParser<T>) {
        if let Some(mut records) = self.records.take() {
            records.end(parser, &mut |record, meaning| self.count_record(record, meaning));
        }
    }

    /// Counts the lines of a record, and keeps its entries and faults.
    fn count_record(&mut self, record: Record, meaning: Meaning<Entry>) {
        let Record { number, lines, text, is_truncated, is_optional } = record;
        let text = Some(text).filter(|_| !is_truncated);
        self.line_counts.structure += lines - 1;
        let (others, last) = match meaning {
            Meaning::File(entry) => (Vec::new(), Some(Ok(entry))),
            Meaning::Files(mut results) => {
                let last = results.pop();
                (results, last)
            }
            Meaning::Malformed => (Vec::new(), Some(Err(Fault::Malformed))),
            Meaning::Refused(why) => (Vec::new(), Some(Err(Fault::Refused(why)))),
            Meaning::Structure => return self.line_counts.structure += 1,
            Meaning::Comment => return self.line_counts.comments += 1,
        };
        let place = self.place;
        let signed = |result| match (result, place) {
            (Ok(_), Some(ClearsignPart::After)) => Err(Fault::Refused(UNSIGNED.to_owned())),
            (result, _) => result,
        };
        let others: Vec<_> = others.into_iter().map(signed).collect();
        let last = last.map(signed);
        let mut results = others.iter().chain(&last);
        let has_entries = results.clone().any(Result::is_ok);
        match results.next() {
            _ if has_entries => self.line_counts.entries += 1,
            None => self.line_counts.structure += 1,
            Some(Err(Fault::Refused(_))) => self.line_counts.refused += 1,
            Some(_) => self.line_counts.malformed += 1,
        }
        self.has_entries |= has_entries && place == Some(ClearsignPart::None);
        let line = |entry, text| Line { number, text, entry, is_optional };
        // the text of one line with many files, copied for each of them, would be memory without a
        // bound
        let text = text.filter(|_| others.is_empty());
        self.found.extend(others.into_iter().map(|entry| line(entry, None)));
        self.found.extend(last.map(|entry| line(entry, text)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::{AnyAlgorithm, MAX_LINE_BYTES};

    const HEX: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    /// The names in a list, or the first words of the reason why a line has none. `HEX` means a digest.
    fn read(text: &str) -> Vec<String> {
        let mut list = List::new(io::Cursor::new(text.replace("HEX", HEX))).unwrap();
        let mut parser = GnuParser::new(AnyAlgorithm::default());
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
        for around in ["Hash: SHA512\n", "iQ==\n"] {
            let hidden = signed.replace(around, &format!("{around}HEX  c\n"));
            assert_eq!(read(&hidden).iter().filter(|it| **it == unsigned).count(), 1, "{hidden}");
        }
        assert_eq!(read(&format!("{signed}{signed}")), ["a", "b", "a", "b"]);
        let manifest = signed.replace("HEX  a\n- HEX  b\n", "DIST a 3 SHA256 HEX\n");
        let early = manifest.replace("DIST", "-----BEGIN PGP SIGNATURE-----\nDIST");
        assert_eq!(read(&early), [&*unsigned; 2]);
        let endless = manifest.replace("-----END PGP SIGNATURE-----\n", "");
        assert_eq!(read(&(endless + &manifest)), ["a", &unsigned, &unsigned, &unsigned]);
        let hidden = format!("HEX  a\0x\n{begin}\0");
        assert_eq!(read(&hidden), ["a", "refused: a signed tex"]);
        let without_blank = "Hash: SHA512\n#mtree\n/set type=file\nf size=3\n\n";
        let headed = signed.replace("Hash: SHA512\n\n", without_blank);
        assert_eq!(read(&headed), [&*unsigned, &unsigned, &unsigned, "a", "b"]);
        let commented = format!("HEX  a\0# by x\n{signed}");
        assert_eq!(read(&commented), ["a", "refused: a signed tex"]);
        for first in ['#', 'x'] {
            let long = format!("HEX  a\0{first}{}\n{signed}", "y".repeat(MAX_LINE_BYTES));
            assert_eq!(read(&long), ["a", "refused: too long for"]);
        }
        assert_eq!(read("# by x\n\0HEX  a\0"), ["a"]);
        assert_eq!(read("HEX  a\0# by x\nHEX  b\n"), ["a", "malformed"]);
    }

    #[test]
    fn nothing_is_escaped_where_lines_end_with_nul() {
        assert_eq!(read("\\HEX  a\\nb\n"), ["a\nb"]);
        assert_eq!(read("HEX  a\\nb\0\\HEX  c\0"), ["a\\nb", "malformed"]);
    }

    #[test]
    fn a_line_has_a_bounded_number_of_digests() {
        let line = |digests: usize| format!("DIST f 3{}\n", " GLACIER HEX".repeat(digests));
        assert_eq!(read(&(line(16) + &line(17))), ["f", "refused: more than 16"]);
        // fields that are no digests do not count
        let fields: String = (0..20).map(|field| format!("X-{field}: x\n")).collect();
        assert_eq!(read(&format!("Package: f\n{fields}Filename: f\nSHA256: HEX\n")), ["f"]);
    }

    #[test]
    fn only_gnus_lines_end_with_nul() {
        let file = |name: &str| format!("Algorithm : SHA256\nHash : HEX\nPath : {name}\n");
        assert_eq!(read(&(file("a") + &file("b"))), ["a", "b"]);
        assert_eq!(read(&format!("\n\0{}{}", file("a"), file("b"))), ["malformed"; 2]);
    }
}
