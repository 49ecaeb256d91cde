//! Bringing a list up to date, without reading what has not changed.
//!
//! A list that was brought up to date says in a comment when that was begun. What neither was written
//! to nor had anything else done to it since then has the digests that the list has. The time of the
//! list itself would not do: a copy of it has another one. A list without the comment is made anew.
//!
//! The new list takes the old one's place when it is whole.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, BufRead, BufReader},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use super::audit::{Claim, Record};
use crate::{
    files::{Fate, Files, Found, Operands, Rules, read::Target, target},
    hash::{Digests, Job, Outcome, Payload, Scheme, Sink, What, Work, directory},
    lists::{
        Accepted,
        line::{self, Style, Tags},
        text::{details, spelled},
    },
    report::{Destination, Details, Notice, Output, Verdict, Verdicts, Voice},
    system::{self, Kind, Stat, Time},
};

/// What stands before the time in a list.
const COMMENT: &str = "# jlanes-sum --update, files as of ";

/// File systems that do not keep parts of seconds round times down, to two seconds at most.
const COARSE: Duration = Duration::from_secs(2);

/// What the list says so far.
pub(crate) struct Known {
    record: Record,
    /// The digests that it is to have.
    schemes: Arc<[Scheme]>,
    style: Style,
    /// When it was last brought up to date, since 1970.
    begun: Option<Duration>,
}

impl Known {
    /// Reads `list`, which need not be there. It is to have digests by `schemes`, or by those that it
    /// has. Where that cannot be done it is told, and there is nothing.
    pub(crate) fn read(
        list: &OsStr,
        accepted: Accepted,
        (mut schemes, mut style): (Vec<Scheme>, Style),
        voice: &Voice,
    ) -> Option<Self> {
        let (mut record, mut begun) = (Record::default(), None);
        match Start::read(list, &accepted) {
            Ok(start) => {
                let read = Record::read(vec![list.to_owned()], accepted, voice);
                let Ok((read, true)) = read else {
                    let what = b": not brought up to date";
                    voice.say(&[&*voice.quote(&system::bytes(list)), what].concat());
                    return None;
                };
                record = read;
                begun = start.begun;
                if start.tagged {
                    style = style.tagged();
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                voice.complain(&system::bytes(list), &error);
                return None;
            }
        }
        if schemes.is_empty() {
            schemes = record.schemes().to_vec();
        }
        if schemes.is_empty() {
            schemes.push(Scheme::plain(What::SHA256));
        }
        if schemes.len() > 1 {
            style = style.tagged();
        }
        if let Some(scheme) = schemes.iter().find(|scheme| directory::is_for_directories(scheme)) {
            voice.say(format!("--update: {scheme} is of many files").as_bytes());
            return None;
        }
        Some(Self { record, schemes: schemes.into(), style, begun })
    }

    /// The digests that the list has of the file in `row`, if it has all that it is to have, and
    /// nothing else of them.
    fn digests(&self, row: usize) -> Option<Vec<&[u8]>> {
        let claims = self.record.claims(row);
        let one = |scheme: &Scheme| {
            let mut fitting = claims.iter().filter(|it| self.record.scheme(it.scheme) == scheme);
            let claim = fitting.next()?;
            fitting.next().is_none().then_some(&claim.digest[..])
        };
        self.schemes.iter().map(one).collect()
    }

    /// Whether nothing was done to a file since the list was brought up to date.
    fn is_older(&self, file: &Stat) -> bool {
        let Some(begun) = self.begun else { return false };
        [file.modified, file.changed].into_iter().all(|time| is_before(time, begun))
    }
}

/// Whether a file with this time certainly is from before `begun`.
fn is_before(Time { seconds, nanoseconds }: Time, begun: Duration) -> bool {
    // nothing is as old as 1970 by itself
    let (Ok(seconds), Ok(nanoseconds)) = (u64::try_from(seconds), u64::try_from(nanoseconds))
    else {
        return false;
    };
    let slack = if nanoseconds == 0 { COARSE } else { Duration::ZERO };
    Duration::new(seconds, 0)
        .checked_add(Duration::from_nanos(nanoseconds) + slack)
        .is_some_and(|time| time < begun)
}

/// How a list begins.
struct Start {
    begun: Option<Duration>,
    /// Whether its first line has a tag.
    tagged: bool,
}

impl Start {
    fn read(list: &OsStr, accepted: &Accepted) -> io::Result<Self> {
        let mut start = Self { begun: None, tagged: false };
        let mut reader = BufReader::new(File::open(list)?);
        let mut text = Vec::new();
        let longest = line::LONGEST_LINE as u64;
        while io::Read::take(&mut reader, longest).read_until(b'\n', &mut text)? > 0 {
            let line = text.trim_ascii_end();
            let comment = line.strip_prefix(COMMENT.as_bytes());
            start.begun = start.begun.or_else(|| moment(str::from_utf8(comment?).ok()?));
            if !line.is_empty() && !line.starts_with(b"#") {
                start.tagged = line::tag(line).is_some_and(|tag| accepted.tagged(tag).is_some());
                break;
            }
            text.clear();
        }
        Ok(start)
    }
}

/// The time that `text` says, which has nine digits behind the point.
fn moment(text: &str) -> Option<Duration> {
    let (seconds, nanoseconds) = text.split_once('.')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = is_number(seconds) && is_number(nanoseconds) && nanoseconds.len() == 9;
    fits.then(|| Some(Duration::new(seconds.parse().ok()?, nanoseconds.parse().ok()?)))?
}

/// A file of the list, or one that is to be.
pub(crate) struct Entry {
    name: Vec<u8>,
    row: Option<usize>,
    state: State,
}

enum State {
    /// It has the digests that the list has.
    Kept,
    Hashed,
    Failed(io::Error),
    /// There is no such file any more.
    Gone,
}

/// The files that `operands` stand for, and behind them those that only the list names.
pub(crate) fn jobs(
    operands: Operands,
    rules: Rules,
    known: Arc<Known>,
) -> impl Iterator<Item = Job<Entry>> + Send {
    let rules = Arc::new(rules);
    let by = Arc::clone(&rules);
    let walk = operands.into_iter().flat_map(move |operand| Files::of(operand, &by));
    let met = vec![false; known.record.files().len()];
    Updates { walk: Box::new(walk), rest: 0, met, rules, known }
}

struct Updates {
    walk: Box<dyn Iterator<Item = (Vec<u8>, Found)> + Send>,
    /// Rows of the list from here on have not been looked at behind the walk.
    rest: usize,
    /// The rows of the files that the walk came across.
    met: Vec<bool>,
    rules: Arc<Rules>,
    known: Arc<Known>,
}

impl Updates {
    fn job(&self, name: Vec<u8>, row: Option<usize>, found: Found) -> Job<Entry> {
        let (state, target) = match found {
            Found::Failed(error) => (State::Failed(error), None),
            Found::File(target) if self.is_kept(row, &target) => (State::Kept, None),
            Found::File(target) => (State::Hashed, Some(target)),
        };
        // a list goes on with the names that it has
        let name = row.map_or(name, |row| self.known.record.files()[row].name.clone());
        let schemes = || Arc::clone(&self.known.schemes);
        let work = target.map(|target| Work { schemes: schemes(), target });
        Job { payload: Entry { name, row, state }, work }
    }

    fn is_kept(&self, row: Option<usize>, target: &Target) -> bool {
        let is_older = || {
            let looked = target.look().ok().flatten();
            looked.is_some_and(|file| self.known.is_older(&file))
        };
        row.is_some_and(|row| self.known.digests(row).is_some()) && is_older()
    }
}

impl Iterator for Updates {
    type Item = Job<Entry>;

    fn next(&mut self) -> Option<Job<Entry>> {
        for (name, found) in self.walk.by_ref() {
            if matches!(&found, Found::Failed(error) if Notice::is(error)) {
                return Some(self.job(name, None, found));
            }
            let row = self.known.record.row(&name);
            match row {
                Some(row) if std::mem::replace(&mut self.met[row], true) => {}
                _ => return Some(self.job(name, row, found)),
            }
        }
        let row = (self.rest..self.met.len()).find(|row| !self.met[*row])?;
        self.rest = row + 1;
        let name = self.known.record.files()[row].name.clone();
        // the list itself may have a line in it
        let is_wanted = |target: &Target| {
            let looked = target.look()?;
            io::Result::Ok(looked.is_some_and(|file| {
                file.kind == Kind::File && self.rules.fate(file.identity) != Some(Fate::LeftOut)
            }))
        };
        let gone =
            |name| Job { payload: Entry { name, row: Some(row), state: State::Gone }, work: None };
        Some(match target(&name).and_then(|target| Ok((is_wanted(&target)?, target))) {
            Ok((true, target)) => self.job(name, Some(row), Found::File(target)),
            Ok((false, _)) => gone(name),
            Err(error) if error.kind() == io::ErrorKind::NotFound => gone(name),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => gone(name),
            Err(error) => self.job(name, Some(row), Found::Failed(error)),
        })
    }
}

/// Writes the new list, and tells how it differs.
pub(crate) struct Updater<'v> {
    verdicts: Verdicts<'v>,
    known: Arc<Known>,
    /// The tags of its digests.
    tags: Vec<String>,
    list: Output,
    well: bool,
}

impl<'v> Updater<'v> {
    /// A list that goes `to` where it belongs, and whose files are read from `begun` on.
    pub(crate) fn new(
        verdicts: Verdicts<'v>,
        known: Arc<Known>,
        begun: SystemTime,
        to: Destination,
    ) -> Self {
        let tags = known.schemes.iter().map(Scheme::tag).collect();
        let mut list = Output::new(to);
        if let Ok(begun) = begun.duration_since(UNIX_EPOCH) {
            let moment = format!("{}.{:09}\n", begun.as_secs(), begun.subsec_nanos());
            list.unwritten().extend([COMMENT, &moment].concat().bytes());
        }
        Self { verdicts, known, tags, list, well: true }
    }

    /// Ends the list. Returns whether every file could be read.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(mut self) -> io::Result<bool> {
        self.list.flush()?;
        self.verdicts.finish(&[
            Verdict::Ok,
            Verdict::Changed,
            Verdict::New,
            Verdict::Missing,
            Verdict::Unreadable,
        ])?;
        Ok(self.well)
    }

    /// Writes the lines of a file.
    fn write<'d>(
        &mut self,
        name: &[u8],
        digests: impl Iterator<Item = (&'d Scheme, &'d [u8])>,
    ) -> io::Result<()> {
        let style = self.known.style;
        for (scheme, digest) in digests {
            let What::Digest(algorithm) = scheme.what() else { continue };
            let at = self.known.schemes.iter().position(|known| known == scheme);
            let tag = at.map_or_else(|| scheme.tag(), |at| self.tags[at].clone());
            self.list.line(|out| style.write(algorithm, &tag, name, digest, out))?;
        }
        Ok(())
    }

    fn hashed(&mut self, name: &[u8], row: Option<usize>, digests: &[Box<[u8]>]) -> io::Result<()> {
        let known = Arc::clone(&self.known);
        self.write(name, known.schemes.iter().zip(digests.iter().map(|digest| &digest[..])))?;
        let before = row.and_then(|row| known.digests(row));
        let is_same = |before: &Vec<&[u8]>| before.iter().zip(digests).all(|(a, b)| **a == **b);
        let verdict = match (&before, row) {
            (Some(before), _) if is_same(before) => Verdict::Ok,
            (_, Some(_)) => Verdict::Changed,
            (_, None) => Verdict::New,
        };
        let scheme = &known.schemes[0];
        self.verdicts.tell(verdict, name, || Details {
            algorithm: Some(scheme.to_string()),
            expected: before.map(|before| spelled(scheme, before[0])),
            found: Some(spelled(scheme, &digests[0])),
            ..Details::default()
        })
    }

    /// Leaves the lines of a file as they are.
    fn keep(&mut self, name: &[u8], row: usize) -> io::Result<()> {
        let known = Arc::clone(&self.known);
        let claims = known.record.claims(row);
        let digests = known.schemes.iter().flat_map(|scheme| {
            let of_it = claims.iter().filter(|claim| known.record.scheme(claim.scheme) == scheme);
            of_it.map(|claim| (scheme, &claim.digest[..])).collect::<Vec<_>>()
        });
        self.write(name, digests)
    }

    fn failed(&mut self, name: &[u8], row: Option<usize>, error: &io::Error) -> io::Result<()> {
        self.verdicts.complain(name, error)?;
        if Notice::is(error) {
            return Ok(());
        }
        self.well = false;
        // nothing is known of it that the list does not say
        if let Some(row) = row {
            self.keep(name, row)?;
        }
        let details = || Details { error: Some(error), ..Details::default() };
        self.verdicts.tell(Verdict::Unreadable, name, details)
    }
}

impl Payload for Entry {
    fn weight(&self) -> usize {
        self.name.len()
    }
}

impl Sink<Entry> for Updater<'_> {
    fn accept(&mut self, entry: Entry, outcome: Option<Outcome>) -> io::Result<()> {
        let Entry { name, row, state } = entry;
        match (state, outcome) {
            (State::Kept, _) => {
                let row = row.expect("only files that the list has are kept");
                self.keep(&name, row)?;
                self.verdicts.tell(Verdict::Ok, &name, Details::default)
            }
            (State::Gone, _) => {
                let known = Arc::clone(&self.known);
                let claim = row.and_then(|row| known.record.claims(row).first());
                self.verdicts.tell(Verdict::Missing, &name, || {
                    let of =
                        |claim: &Claim| details(known.record.scheme(claim.scheme), &claim.digest);
                    claim.map(of).unwrap_or_default()
                })
            }
            (State::Failed(error), _) => self.failed(&name, row, &error),
            (State::Hashed, None) => Ok(()),
            (State::Hashed, Some(Outcome { changed, digests, .. })) => {
                self.verdicts.notice(&name, changed)?;
                self.well &= !changed;
                let digests = digests.and_then(|digests: Digests| digests.into_iter().collect());
                match digests {
                    Ok(digests) => {
                        let digests: Vec<_> = digests;
                        self.hashed(&name, row, &digests)
                    }
                    Err(error) => self.failed(&name, row, &error),
                }
            }
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        self.verdicts.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        assert_eq!(moment("12.000000345"), Some(Duration::new(12, 345)));
        for text in ["", "12", "12.5", "+1.000000000", "1.+00000000", "-1.000000000", "x.000000000"]
        {
            assert_eq!(moment(text), None, "{text}");
        }
    }

    #[test]
    fn only_what_is_certainly_older_is() {
        let begun = Duration::new(100, 500);
        for (seconds, nanoseconds, expected) in [
            (100, 499, true),
            (100, 500, false),
            (100, 501, false),
            (99, 1, true),
            // times without parts of seconds may be those of later ones
            (99, 0, false),
            (98, 0, true),
            (-1, 0, false),
            (i64::MAX, 0, false),
        ] {
            let time = Time { seconds, nanoseconds };
            assert_eq!(is_before(time, begun), expected, "{time:?}");
        }
    }
}
