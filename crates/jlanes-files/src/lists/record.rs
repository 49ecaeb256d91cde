//! Records: groups of lines that form one entry.

use super::{
    Entry, GnuParser, Tags,
    dialect::{Dialect, Open},
    reading::Reading,
};

/// Lines that form one entry; a single line in GNU's lists.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// The number of the first line.
    pub(super) number: u64,
    /// The number of lines.
    pub(super) lines: u64,
    /// The lines, with line feeds between them.
    pub(super) text: Vec<u8>,
    /// Whether the text is cut off, because it is too long.
    pub(super) is_longer: bool,
    /// Whether a missing file is no failure.
    pub(super) is_optional: bool,
}

/// Groups lines into records, and has a dialect read them. It owns the lines of the open record, so
/// that no dialect can lose them.
pub(super) struct Records {
    /// `None` for GNU's.
    dialect: Option<Open>,
    open: Option<Record>,
}

impl Record {
    pub(super) fn line(number: u64, text: Vec<u8>, is_longer: bool) -> Self {
        Self { number, lines: 1, text, is_longer, is_optional: false }
    }
}

impl Records {
    pub(super) fn new(dialect: Option<Open>) -> Self {
        Self { dialect, open: None }
    }

    /// Adds a line, and passes the records that end before it or with it to `each`. No record is longer
    /// than `longest` bytes.
    pub(super) fn line<T: Tags>(
        &mut self,
        mut line: Record,
        longest: usize,
        parser: &mut GnuParser<T>,
        each: &mut impl FnMut(Record, Reading<Entry>),
    ) {
        let Some(dialect) = &mut self.dialect else {
            let reading = read_gnu_line(&line, parser);
            return each(line, reading);
        };
        if line.text.trim_ascii().is_empty() {
            line.text.clear();
        } else if dialect.is_comment(&line.text) {
            return each(line, Reading::Comment);
        }
        let is_whole = |record: &&mut Record| !record.is_longer && !line.is_longer;
        if let Some(open) = self.open.as_mut().filter(is_whole)
            && dialect.continues(&open.text, &line.text)
        {
            open.lines += 1;
            open.is_longer = open.text.len() + 1 + line.text.len() > longest;
            open.text.push(b'\n');
            open.text.append(&mut line.text);
            return;
        }
        self.end(parser, each);
        if line.text.is_empty() {
            each(line, Reading::Structure);
        } else {
            self.open = Some(line);
        }
    }

    /// Whether a record is open and may continue.
    pub(super) fn is_open(&self) -> bool {
        let may_continue = |dialect: &Open, open: &Record| dialect.may_continue(&open.text);
        self.dialect
            .as_ref()
            .zip(self.open.as_ref())
            .is_some_and(|(it, open)| may_continue(it, open))
    }

    /// Ends the open record.
    pub(super) fn end<T: Tags>(
        &mut self,
        parser: &mut GnuParser<T>,
        each: &mut impl FnMut(Record, Reading<Entry>),
    ) {
        if let (Some(mut record), Some(dialect)) = (self.open.take(), &mut self.dialect) {
            let reading = read(&mut **dialect, &mut record, parser);
            each(record, reading);
        }
    }
}

/// The meaning of a line in GNU's lists.
fn read_gnu_line<T: Tags>(line: &Record, parser: &mut GnuParser<T>) -> Reading<Entry> {
    match line.text.first() {
        None => return Reading::Structure,
        Some(b'#') => return Reading::Comment,
        Some(_) if line.is_longer => return Reading::Malformed,
        Some(_) => {}
    }
    match parser.parse(&line.text) {
        Some(entry) => Reading::entry(entry, parser.tags()),
        None => parser.line_refusal(&line.text).map_or(Reading::Malformed, Reading::Refused),
    }
}

/// The meaning of a record. It is malformed if GNU's tools would find a digest in it that the dialect
/// does not: in structure, or in a line after the first one of an entry.
fn read<T: Tags>(
    dialect: &mut dyn Dialect,
    record: &mut Record,
    parser: &mut GnuParser<T>,
) -> Reading<Entry> {
    let reading = dialect.read(&record.text);
    if record.is_longer {
        return Reading::Malformed;
    }
    record.is_optional = matches!(&reading, Reading::File(file) if file.is_optional);
    let reading = reading.accepted(parser);
    let mut lines = record.text.split(|byte| *byte == b'\n');
    let is_structure = matches!(reading, Reading::Structure);
    let is_lost = |line: &[u8]| match parser.parse_standard(line) {
        Some(entry) => !reading.has(&entry),
        None => is_structure && parser.line_refusal(line).is_some(),
    };
    let has_more = record.lines > 1 && reading.entries().next().is_some();
    if (is_structure || has_more) && lines.any(is_lost) { Reading::Malformed } else { reading }
}
