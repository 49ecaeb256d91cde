//! Checking lists of digests, by GNU's rules.

use std::{collections::HashSet, io, mem};

use jlanes::Backend;
use rustix::{
    fs::{fstat, stat},
    stdio::stdin,
};

use crate::{
    hash::{
        Outcome, Scheme, Sink,
        directory::{Bound, Met},
        of_one_file,
    },
    lists::{Accepted, Listed, line::Entry},
    report::{Notice, Output, Voice},
};

/// What is reported.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Verdicts {
    pub(crate) ignore_missing: bool,
    pub(crate) quiet: bool,
    pub(crate) status: bool,
    pub(crate) strict: bool,
    pub(crate) warn: bool,
    /// How many files must match.
    pub(crate) required: u64,
}

/// What happened to the lines of one list.
#[derive(Debug, Default)]
struct Tally {
    well_formed: bool,
    malformed: u64,
    /// Lines that name what is not accepted.
    refused: bool,
    matched: bool,
    mismatched: u64,
    unreadable: u64,
}

/// What tells a file from all others: its device and its number there.
type Identity = (u64, u64);

/// Reports on the files that lists name.
pub(crate) struct Checker<'v> {
    voice: &'v Voice,
    accepted: Accepted,
    verdicts: Verdicts,
    backend: Backend,
    output: Output,
    tally: Tally,
    /// Files that match, in all lists, as far as they are to be counted.
    matched: HashSet<Identity>,
    /// The directory that a line is about, so far, and why it has no digest, if it has none.
    bound: Bound,
    failed: Option<io::ErrorKind>,
    /// Whether every list was good.
    all_good: bool,
}

impl<'v> Checker<'v> {
    pub(crate) fn new(
        voice: &'v Voice,
        accepted: Accepted,
        verdicts: Verdicts,
        backend: Backend,
    ) -> Self {
        Self {
            voice,
            accepted,
            verdicts,
            backend,
            output: Output::default(),
            tally: Tally::default(),
            matched: HashSet::new(),
            bound: Bound::default(),
            failed: None,
            all_good: true,
        }
    }

    fn say(&mut self, message: &[u8]) -> io::Result<()> {
        self.output.flush()?;
        self.voice.say(message);
        Ok(())
    }

    fn verdict(&mut self, name: &[u8], verdict: &str) -> io::Result<()> {
        self.output.verdict(&self.voice.quote(name), verdict.as_bytes())
    }

    fn checked(&mut self, entry: &Entry<Scheme>, outcome: Outcome) -> io::Result<()> {
        self.output.notice(self.voice, &entry.name, outcome.changed)?;
        self.all_good &= !outcome.changed;
        let matches = matches(entry, outcome, self.backend);
        self.conclude(&entry.name, matches)
    }

    /// Tells whether a file, or directory, matches.
    fn conclude(&mut self, name: &[u8], matches: io::Result<bool>) -> io::Result<()> {
        let Verdicts { ignore_missing, quiet, status, .. } = self.verdicts;
        match matches {
            Ok(true) => {
                self.tally.matched = true;
                self.count(name);
                if quiet || status { Ok(()) } else { self.verdict(name, "OK") }
            }
            Ok(false) => {
                self.tally.mismatched += 1;
                if status { Ok(()) } else { self.verdict(name, "FAILED") }
            }
            Err(error) if ignore_missing && error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => {
                self.output.flush()?;
                self.voice.complain(name, &error);
                self.unreadable(name)
            }
        }
    }

    fn unreadable(&mut self, name: &[u8]) -> io::Result<()> {
        self.tally.unreadable += 1;
        if self.verdicts.status { Ok(()) } else { self.verdict(name, "FAILED open or read") }
    }

    /// Takes what comes up in a directory that a line is about.
    fn member(&mut self, met: Met, outcome: Option<Outcome>) -> io::Result<()> {
        let (path, error) = match (met, outcome) {
            (Met::File(member), Some(outcome)) => {
                self.output.notice(self.voice, &member.path, outcome.changed)?;
                self.all_good &= !outcome.changed;
                let len = outcome.len;
                match outcome.only_digest() {
                    Ok(digest) => {
                        self.bound.push(member, len, &digest);
                        return Ok(());
                    }
                    Err(error) => (member.path, error),
                }
            }
            (Met::Failed { path, error }, _) => (path, error),
            (Met::File(_) | Met::End(_), _) => return Ok(()),
        };
        if !Notice::is(&error)
            && self.failed.replace(error.kind()).is_none()
            && error.kind() == io::ErrorKind::NotFound
            && self.verdicts.ignore_missing
        {
            return Ok(());
        }
        self.output.flush()?;
        self.voice.complain(&path, &error);
        Ok(())
    }

    fn directory(&mut self, entry: &Entry<Scheme>) -> io::Result<()> {
        let bound = mem::take(&mut self.bound);
        let (scheme, expected) = &entry.digests[0];
        match self.failed.take() {
            None => {
                let found = bound.finish(scheme, self.backend);
                self.conclude(&entry.name, found.map(|digest| digest == *expected))
            }
            Some(io::ErrorKind::NotFound) if self.verdicts.ignore_missing => Ok(()),
            Some(_) => self.unreadable(&entry.name),
        }
    }

    /// Counts a file that matches, by whatever names lists call it; not further than is required.
    fn count(&mut self, name: &[u8]) {
        if (self.matched.len() as u64) < self.verdicts.required {
            let stat = if name == b"-" { fstat(stdin()) } else { stat(name) };
            self.matched.extend(stat.ok().map(|stat| (stat.st_dev, stat.st_ino)));
        }
    }

    fn malformed(&mut self, list: &[u8], line: u64, tagged: Option<&[u8]>) -> io::Result<()> {
        self.tally.malformed += 1;
        if !self.verdicts.warn {
            return Ok(());
        }
        let tag = self.accepted.tag(tagged);
        let place = format!(": {line}: improperly formatted {tag} checksum line");
        self.say(&[&*self.voice.quote(list), place.as_bytes()].concat())
    }

    fn refused(&mut self, list: &[u8], line: u64, why: &str) -> io::Result<()> {
        self.tally.malformed += 1;
        self.tally.refused = true;
        let place = format!(": {line}: refused: {why}");
        self.say(&[&*self.voice.quote(list), place.as_bytes()].concat())
    }

    /// Sums up a list that has been read to its end.
    fn end(&mut self, list: &[u8], skipped: bool) -> io::Result<()> {
        let tally = mem::take(&mut self.tally);
        let Verdicts { ignore_missing, status, strict, .. } = self.verdicts;
        let list = self.voice.quote(list).into_owned();
        if !tally.well_formed && !skipped {
            self.say(&[&list[..], b": no properly formatted checksum lines found"].concat())?;
        } else if !status {
            self.warn(tally.malformed, "line is", "lines are", "improperly formatted")?;
            self.warn(tally.unreadable, "listed file", "listed files", "could not be read")?;
            let (one, many) = ("computed checksum", "computed checksums");
            self.warn(tally.mismatched, one, many, "did NOT match")?;
            if ignore_missing && !tally.matched {
                self.say(&[&list[..], b": no file was verified"].concat())?;
            }
        }
        self.all_good &= (tally.matched || skipped)
            && tally.mismatched == 0
            && tally.unreadable == 0
            && !tally.refused
            && !(strict && tally.malformed > 0);
        Ok(())
    }

    /// Returns whether everything was good.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(mut self) -> io::Result<bool> {
        let Verdicts { required, .. } = self.verdicts;
        let matched = self.matched.len() as u64;
        if matched < required {
            let message = format!("{matched} of {required} required files were verified");
            self.say(message.as_bytes())?;
            return Ok(false);
        }
        Ok(self.all_good)
    }

    fn warn(&mut self, count: u64, one: &str, many: &str, what: &str) -> io::Result<()> {
        match count {
            0 => Ok(()),
            1 => self.say(format!("WARNING: 1 {one} {what}").as_bytes()),
            _ => self.say(format!("WARNING: {count} {many} {what}").as_bytes()),
        }
    }
}

/// Whether a file is what `entry` says, in size and in every digest.
///
/// # Errors
/// What kept it from being read, or from having a digest.
fn matches(entry: &Entry<Scheme>, outcome: Outcome, backend: Backend) -> io::Result<bool> {
    let len = outcome.len;
    let mut all = entry.size.is_none_or(|size| size == len);
    for ((scheme, expected), found) in entry.digests.iter().zip(outcome.digests?) {
        all &= *of_one_file(scheme, len, found?, backend) == **expected;
    }
    Ok(all)
}

impl Sink<Listed> for Checker<'_> {
    fn accept(&mut self, listed: Listed, outcome: Option<Outcome>) -> io::Result<()> {
        match (listed, outcome) {
            (Listed::File(entry), Some(outcome)) => {
                self.tally.well_formed = true;
                self.checked(&entry, outcome)
            }
            (Listed::File(_), None) => Ok(()),
            (Listed::Member(met), outcome) => self.member(met, outcome),
            (Listed::Directory(entry), _) => {
                self.tally.well_formed = true;
                self.directory(&entry)
            }
            (Listed::Malformed { list, line, refused: Some(why), .. }, _) => {
                self.refused(&list, line, &why)
            }
            (Listed::Malformed { list, line, tagged, .. }, _) => {
                self.malformed(&list, line, tagged.as_deref())
            }
            (Listed::End { list, skipped }, _) => self.end(&list, skipped),
            (Listed::Absent { name }, _) => {
                self.all_good = false;
                self.say(&[&*self.voice.quote(&name), b": is in no list"].concat())
            }
            (Listed::Unreadable { list, error }, _) => {
                self.all_good = false;
                self.tally = Tally::default();
                self.output.flush()?;
                self.voice.complain(&list, &error);
                Ok(())
            }
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
