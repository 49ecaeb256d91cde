//! The choice of a list's dialect, by the lines that each would lose.

use std::cmp::Ordering;

use super::{
    Parser, Tags,
    account::Reading,
    dialect::{ALL, About, Open, Row},
    record::{Record, Records},
};

/// Lines at the beginning of a list of which each may open a dialect: prose may stand before it.
const OPENING: usize = 20;

/// A reading of the beginning of a list.
#[derive(Clone, Copy, Debug, Default)]
struct Trial {
    entries: usize,
    /// Lines that are malformed or refused, and those of GNU's in records that are no entries.
    lost: usize,
    malformed: usize,
    /// Records that are understood, and refused.
    refused: usize,
    /// Whether a record goes on behind the lines.
    is_open: bool,
    /// Whether a line that only GNU's tools write is read otherwise.
    loses_gnus: bool,
    /// Whether one of GNU's is lost before all that is understood.
    begins_late: bool,
}

impl Trial {
    /// The lines that are not verified: fewer are better, or else fewer that are not understood.
    fn cost(&self) -> (usize, usize) {
        (self.lost, self.malformed)
    }

    /// How little is found: lower is better. What is open may have entries further on, and comments alone
    /// are no list.
    fn lack(&self) -> u8 {
        match self.refused {
            _ if self.entries > 0 || self.is_open => 0,
            1.. => 1,
            0 => 2,
        }
    }
}

/// The dialect of a list that begins with `lines`. The one that loses the fewest lines is chosen; of
/// equal ones that is GNU's, unless it finds no file. One that is certain goes before all others if it
/// finds a file, and loses none before. `is_whole` tells that no line follows.
pub(super) fn choose<T: Tags>(lines: &[&[u8]], is_whole: bool, parser: &mut Parser<T>) -> Records {
    let opening = lines.iter().filter(|line| !line.trim_ascii().is_empty()).take(OPENING);
    let (name, columns) = (parser.tags().list().to_vec(), parser.tags().columns());
    let about = About { name: &name, columns };
    let opened = |row: &Row| opening.clone().find_map(|line| (row.opens)(line, &about));
    let mut rows = ALL.iter().filter(|row| opened(row).is_some()).peekable();
    if rows.peek().is_none() {
        return Records::new(None);
    }
    let mut tried = |dialect| parser.trial(|parser| trial(dialect, lines, is_whole, parser));
    let gnu = tried(None);
    let trials = rows.filter_map(|row| {
        let trial = tried(opened(row));
        let begins = trial.entries > 0 && !trial.begins_late;
        let is_certain = begins && opened(row)?.is_certain();
        (is_certain || !trial.loses_gnus).then_some((is_certain, trial, row))
    });
    // the first of equal ones
    let best = trials.min_by_key(|(is_certain, it, _)| (!is_certain, it.lack(), it.cost()));
    let best = best.filter(|(is_certain, best, _)| match best.cost().cmp(&gnu.cost()) {
        _ if *is_certain => true,
        Ordering::Less => best.entries + best.refused > 0 || gnu.entries == 0,
        Ordering::Equal => gnu.entries == 0,
        Ordering::Greater => false,
    });
    Records::new(best.and_then(|(_, _, row)| opened(row)))
}

/// A reading in `dialect`.
fn trial<T: Tags>(
    dialect: Option<Open>,
    lines: &[&[u8]],
    is_whole: bool,
    parser: &mut Parser<T>,
) -> Trial {
    let (mut records, mut readings) = (Records::new(dialect), Vec::new());
    let mut each = |record: Record, reading| readings.push((record, reading));
    for line in lines {
        records.line(Record::line(0, line.to_vec(), false), usize::MAX, parser, &mut each);
    }
    // the last record may go on where nothing was read
    let is_open = !is_whole && records.is_open();
    if !is_open {
        records.end(parser, &mut each);
    }
    let (mut trial, mut has_begun) = (Trial { is_open, ..Trial::default() }, false);
    for (record, reading) in readings {
        let (mut gnus, mut lines) = (0, 0);
        for line in record.text.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"#"))
        {
            lines += usize::from(!line.is_empty());
            gnus += usize::from(parser.trial(|parser| parser.parse(line)).is_some());
            let is_flush = !line.starts_with(b" ") && !line.starts_with(b"\t");
            let gnus = parser.parse_standard(line).filter(|_| is_flush);
            trial.loses_gnus |= gnus.is_some_and(|entry| !reading.has(&entry));
        }
        let has_entries = reading.entries().next().is_some();
        trial.entries += usize::from(has_entries);
        let refused = reading.is_refused();
        let lost = if refused.is_some() { lines } else { 0 };
        trial.malformed += if refused == Some(false) { lines } else { 0 };
        trial.refused += usize::from(refused == Some(true));
        trial.begins_late |= gnus > 0 && !has_entries && !has_begun;
        has_begun |=
            !record.text.is_empty() && !matches!(reading, Reading::Comment | Reading::Malformed);
        if !has_entries {
            trial.lost += gnus.max(lost);
        }
    }
    trial
}
