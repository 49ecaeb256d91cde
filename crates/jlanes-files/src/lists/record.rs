//! Records: groups of lines that form one entry.

use super::{
    Entry, Fault, GnuParser, TagRules,
    dialect::{Dialect, OpenDialect},
    lost_digest::has_lost_digest,
    meaning::Meaning,
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
    pub(super) is_truncated: bool,
    /// Whether a missing file is no failure.
    pub(super) is_optional: bool,
}

/// Groups lines into records, and has a dialect read them. It owns the lines of the open record, so
/// that no dialect can lose them.
pub(super) struct RecordReader {
    /// `None` for GNU's.
    dialect: Option<OpenDialect>,
    open: Option<Record>,
}

impl Record {
    pub(super) fn line(number: u64, text: Vec<u8>, is_truncated: bool) -> Self {
        Self { number, lines: 1, text, is_truncated, is_optional: false }
    }
}

impl RecordReader {
    pub(super) fn new(dialect: Option<OpenDialect>) -> Self {
        Self { dialect, open: None }
    }

    /// Adds a line, and passes the records that end before it or with it to `each`. No record is longer
    /// than `max_bytes` bytes.
    pub(super) fn line<T: TagRules>(
        &mut self,
        mut line: Record,
        max_bytes: usize,
        parser: &mut GnuParser<T>,
        each: &mut impl FnMut(Record, Meaning<Entry>),
    ) {
        let Some(dialect) = &mut self.dialect else {
            let meaning = read_gnu_line(&line, parser);
            return each(line, meaning);
        };
        if line.text.trim_ascii().is_empty() {
            line.text.clear();
        } else if dialect.is_comment(&line.text) {
            return each(line, Meaning::Comment);
        }
        let is_whole = |record: &&mut Record| !record.is_truncated && !line.is_truncated;
        if let Some(open) = self.open.as_mut().filter(is_whole)
            && dialect.continues(&open.text, &line.text)
        {
            open.lines += 1;
            open.is_truncated = open.text.len() + 1 + line.text.len() > max_bytes;
            open.text.push(b'\n');
            open.text.append(&mut line.text);
            return;
        }
        self.end(parser, each);
        if line.text.is_empty() {
            each(line, Meaning::Structure);
        } else {
            self.open = Some(line);
        }
    }

    /// Whether a record is open and may continue.
    pub(super) fn is_open(&self) -> bool {
        let may_continue = |dialect: &OpenDialect, open: &Record| dialect.may_continue(&open.text);
        self.dialect
            .as_ref()
            .zip(self.open.as_ref())
            .is_some_and(|(it, open)| may_continue(it, open))
    }

    /// Ends the open record.
    pub(super) fn end<T: TagRules>(
        &mut self,
        parser: &mut GnuParser<T>,
        each: &mut impl FnMut(Record, Meaning<Entry>),
    ) {
        if let (Some(mut record), Some(dialect)) = (self.open.take(), &mut self.dialect) {
            let meaning = read(&mut **dialect, &mut record, parser);
            each(record, meaning);
        }
    }
}

/// The meaning of a line in GNU's lists.
fn read_gnu_line<T: TagRules>(line: &Record, parser: &mut GnuParser<T>) -> Meaning<Entry> {
    let mut lines = line.text.split(|byte| *byte == b'\n');
    match line.text.first() {
        None => return Meaning::Structure,
        // with a NUL before it, a comment goes on to the next one
        Some(b'#') if lines.all(|line| line.is_empty() || line.starts_with(b"#")) => {
            return Meaning::Comment;
        }
        Some(_) if line.is_truncated => return Meaning::Malformed,
        Some(_) => {}
    }
    match parser.parse(&line.text) {
        Some(entry) => Meaning::entry(entry, parser.tags()),
        None => parser.line_refusal(&line.text).map_or(Meaning::Malformed, Meaning::Refused),
    }
}

/// The meaning of a record. It is malformed if it has a digest that the dialect has not read, or only GNU's tools would.
fn read<T: TagRules>(
    dialect: &mut dyn Dialect,
    record: &mut Record,
    parser: &mut GnuParser<T>,
) -> Meaning<Entry> {
    let meaning = dialect.read(&record.text);
    if record.is_truncated {
        return Meaning::Malformed;
    }
    record.is_optional = matches!(&meaning, Meaning::File(file) if file.is_optional);
    let has_lost = has_lost_digest(&record.text, &meaning);
    let mut lines = record.text.split(|byte| *byte == b'\n');
    match meaning.accept_digests(parser) {
        Meaning::File(_) | Meaning::Structure if has_lost => Meaning::Malformed,
        // mtree may take a digest for a directory's name
        Meaning::Structure if lines.any(|line| parser.parse_standard(line).is_some()) => {
            Meaning::Malformed
        }
        Meaning::Files(mut all) if has_lost && all.iter().all(Result::is_ok) => {
            all.push(Err(Fault::Malformed));
            Meaning::Files(all)
        }
        meaning => meaning,
    }
}
