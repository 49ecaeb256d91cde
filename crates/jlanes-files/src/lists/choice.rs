//! The choice of a list's dialect. A list does not say which tool wrote it, and a line may be an entry of several
//! tools. So its beginning is read in GNU's format and in every dialect that one of its first lines opens, and the
//! one that loses the fewest lines reads the list.

use std::cmp::Ordering;

use super::{
    GnuParser, TagRules,
    dialect::{DIALECTS, KnownDialect, ListInfo, OpenDialect},
    meaning::Meaning,
    record::{Record, RecordReader},
};

/// The number of lines at the beginning of a list that may open a dialect: prose may come before them.
const OPENING_LINES: usize = 20;

/// The result of reading the beginning of a list in one dialect.
#[derive(Clone, Copy, Debug, Default)]
struct DialectTrial {
    entries: usize,
    /// The number of lines that are malformed or refused, or that GNU's tools would read as entries and
    /// the dialect as structure.
    lost: usize,
    malformed: usize,
    /// The number of records that are understood and refused.
    refused: usize,
    /// Whether the last record may continue after the lines.
    is_open: bool,
    /// Whether a line that only GNU's tools write has no entry in this dialect.
    loses_gnu_lines: bool,
    /// Whether such a line has another entry in this dialect.
    rereads_gnu_lines: bool,
    /// Whether a line of GNU's tools is lost before the first record that is understood.
    begins_late: bool,
}

impl DialectTrial {
    /// The order of dialects that find files: first by lines not verified, then by lines not
    /// understood. Less is better.
    fn cost(&self) -> (usize, usize) {
        (self.lost, self.malformed)
    }

    /// How little the dialect finds. Less is better. An open record may have entries further on;
    /// comments alone are no list.
    fn lack(&self) -> u8 {
        match self.refused {
            _ if self.entries > 0 || self.is_open => 0,
            1.. => 1,
            0 => 2,
        }
    }
}

/// Chooses the dialect of a list that begins with `lines`: the one that loses the fewest lines. In a
/// tie, GNU's wins if it finds a file. A dialect that is certain comes before all others if it finds a
/// file and loses no line before it. `is_whole` means that no line follows.
pub(super) fn choose<T: TagRules>(
    lines: &[&[u8]],
    is_whole: bool,
    parser: &mut GnuParser<T>,
) -> RecordReader {
    let opening = lines.iter().filter(|line| !line.trim_ascii().is_empty()).take(OPENING_LINES);
    let (name, columns) = (parser.tags().list().to_vec(), parser.tags().columns());
    let about = ListInfo { name: &name, columns };
    let opened = |row: &KnownDialect| opening.clone().find_map(|line| (row.opens)(line, &about));
    let mut rows = DIALECTS.iter().filter(|row| opened(row).is_some()).peekable();
    if rows.peek().is_none() {
        return RecordReader::new(None);
    }
    let mut tried = |dialect| parser.trial(|parser| trial(dialect, lines, is_whole, parser));
    let gnu = tried(None);
    let trials = rows.filter_map(|row| {
        let trial = tried(opened(row));
        let begins = trial.entries > 0 && !trial.begins_late;
        let is_certain = begins && opened(row)?.is_certain();
        // names may be chosen so that some lines look like GNU's: then the others tell
        let is_possible =
            !trial.loses_gnu_lines && (!trial.rereads_gnu_lines || trial.entries > gnu.entries);
        (is_certain || is_possible).then_some((is_certain, trial, row))
    });
    // in a tie, the first of the table
    let best = trials.min_by_key(|(is_certain, it, _)| (!is_certain, it.lack(), it.cost()));
    let best = best.filter(|(is_certain, best, _)| match best.cost().cmp(&gnu.cost()) {
        _ if *is_certain => true,
        Ordering::Less => best.entries + best.refused > 0 || gnu.entries == 0,
        Ordering::Equal => gnu.entries == 0,
        Ordering::Greater => false,
    });
    RecordReader::new(best.and_then(|(_, _, row)| opened(row)))
}

/// Reads the first `lines` of a list in `dialect`, or as GNU's if it is `None`, and counts the lines that are lost.
fn trial<T: TagRules>(
    dialect: Option<OpenDialect>,
    lines: &[&[u8]],
    is_whole: bool,
    parser: &mut GnuParser<T>,
) -> DialectTrial {
    let (mut records, mut meanings) = (RecordReader::new(dialect), Vec::new());
    let mut each = |record: Record, meaning| meanings.push((record, meaning));
    for line in lines {
        records.line(Record::line(0, line.to_vec(), false), usize::MAX, parser, &mut each);
    }
    // the last record may continue after the lines that were read
    let is_open = !is_whole && records.is_open();
    if !is_open {
        records.end(parser, &mut each);
    }
    let (mut trial, mut has_begun) = (DialectTrial { is_open, ..DialectTrial::default() }, false);
    for (record, meaning) in meanings {
        let has_entries = meaning.files().next().is_some();
        let (mut gnu_entries, mut lines) = (0, 0);
        for line in record.text.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"#"))
        {
            lines += usize::from(!line.is_empty());
            gnu_entries += usize::from(parser.trial(|parser| parser.parse(line)).is_some());
            let is_flush = !line.starts_with(b" ") && !line.starts_with(b"\t");
            let gnu_entry = parser.parse_standard(line).filter(|_| is_flush);
            let is_lost = gnu_entry.is_some_and(|entry| !meaning.has(&entry));
            // names stand in first lines
            let is_reread = has_entries && record.text.starts_with(line);
            trial.loses_gnu_lines |= is_lost && !is_reread;
            trial.rereads_gnu_lines |= is_lost && is_reread;
        }
        trial.entries += usize::from(has_entries);
        let refused = meaning.is_refused();
        let lost = if refused.is_some() { lines } else { 0 };
        trial.malformed += if refused == Some(false) { lines } else { 0 };
        trial.refused += usize::from(refused == Some(true));
        trial.begins_late |= gnu_entries > 0 && !has_entries && !has_begun;
        has_begun |=
            !record.text.is_empty() && !matches!(meaning, Meaning::Comment | Meaning::Malformed);
        if !has_entries {
            trial.lost += gnu_entries.max(lost);
        }
    }
    trial
}
