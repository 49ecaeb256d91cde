//! Bringing a list up to date, without reading what has not changed.
//!
//! A list that was brought up to date says in a comment when that was begun. What neither was written
//! to nor had anything else done to it since then has the digests that the list has. The time of the
//! list itself would not do: a copy of it has another one. A list without the comment is made anew.
//!
//! The new list takes the old one's place when it is whole.

use std::{
    io,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use super::audit::Claim;
use crate::{
    files::{Fate, Files, Found, Operands, Rules, Target},
    hash::{Digests, Job, Outcome, Payload, Scheme, Sink, What, Work},
    lists::text::{details, spelled},
    report::{Destination, Details, Notice, Output, Verdict, Verdicts},
    system::Kind,
};

mod known;

use known::COMMENT;
pub(crate) use known::Known;

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
        let work = target.map(|target| Work { digesters: schemes(), target });
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
        Some(match Target::named(&name).and_then(|target| Ok((is_wanted(&target)?, target))) {
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
