//! Bringing a list up to date, without reading what has not changed.
//!
//! A list that was brought up to date says in comments when that was begun, and what each file was
//! like then ([`stamp`]). A file that is still like that, and had been for a while, has the digests
//! that the list has; every other one is hashed. No time is trusted alone: clocks go back, and
//! files that are moved keep their times. A list without these comments is made anew.
//!
//! The walk and the list are compared row by row, as long as they agree ([`rows`]). Where no file has
//! changed, that is all, and nothing is written; the rest of another list is in memory ([`text`]).
//!
//! The new list takes the old one's place when it is whole, unless that would lose what nobody has
//! seen to be gone: where an operand cannot be opened, where more than half of the files are missing,
//! or where a directory is empty that was on another file system, as mount points are.

use std::{
    io,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use super::audit::Claim;
use crate::{
    hash::{Digests, Outcome, Scheme, Sink},
    lists::text::{details, spelled, write},
    report::{Destination, Details, Ended, Notice, Output, Verdict, Verdicts},
    system::{FileKind, Stat},
};

mod jobs;
mod known;
mod rows;
mod stamp;
mod text;

pub(crate) use jobs::jobs;
use jobs::{Entry, State};
pub(crate) use known::Known;
use stamp::Sealer;
use text::COMMENT;

/// Writes the new list, and tells how it differs.
pub(crate) struct Updater<'v> {
    verdicts: Verdicts<'v>,
    known: Arc<Known>,
    /// The tags of its digests.
    tags: Vec<String>,
    sealer: Sealer,
    list: Output,
    /// When the list was begun.
    begun: SystemTime,
    /// How many files the list has so far as it had them. `None` once anything differs: nothing is
    /// written before.
    same: Option<usize>,
    /// Files of the list that are gone.
    gone: usize,
    /// Whether a file system seems to be gone.
    unmounted: bool,
    /// Why the old list has to stay, if it has.
    kept: Option<Kept>,
}

/// Why an old list stays, and what that means.
type Kept = (Ended, &'static str);

/// What became of a list.
pub(crate) struct Updated {
    /// The gravest verdict.
    pub(crate) ended: Ended,
    /// Why the old list has to stay, if it has.
    pub(crate) kept: Option<Kept>,
    /// Whether the new list is the old one.
    pub(crate) same: bool,
}

impl<'v> Updater<'v> {
    /// Writes the list `to` its place. Its files are read after `begun`.
    pub(crate) fn new(
        verdicts: Verdicts<'v>,
        known: Arc<Known>,
        begun: SystemTime,
        to: Destination,
    ) -> Self {
        let tags = known.schemes.iter().map(Scheme::tag).collect();
        let sealer = Sealer::new(&known.schemes);
        let (list, same) = (Output::new(to), Some(0));
        let (gone, unmounted, kept) = (0, false, None);
        Self { verdicts, known, tags, sealer, list, begun, same, gone, unmounted, kept }
    }

    /// Writes the list up to here, as it differs from here on.
    fn differ(&mut self) -> io::Result<()> {
        let Some(rows) = self.same.take() else { return Ok(()) };
        if let Ok(begun) = self.begun.duration_since(UNIX_EPOCH) {
            let moment = format!("{}.{:09}\n", begun.as_secs(), begun.subsec_nanos());
            self.list.line(|out| out.extend([COMMENT, &moment].concat().bytes()))?;
        }
        let known = Arc::clone(&self.known);
        if rows == 0 {
            return self.list.line(|out| out.extend_from_slice(&known.text().head));
        }
        known.copy(rows, |line| self.list.line(|out| out.extend_from_slice(line)))
    }

    /// Ends the list.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(mut self, allow_removals: bool) -> io::Result<Updated> {
        let known = Arc::clone(&self.known);
        let files = known.files();
        let same = known.can_stay && self.same == Some(files);
        if !same {
            self.differ()?;
            self.list.line(|out| out.extend_from_slice(&known.text().tail))?;
            self.list.flush()?;
        }
        let ended = self.verdicts.finish(&[
            Verdict::Ok,
            Verdict::Changed,
            Verdict::New,
            Verdict::Missing,
            Verdict::Unreadable,
        ])?;
        let removals = match self.unmounted {
            _ if allow_removals => None,
            true => Some((Ended::Failed, "a directory is empty that was on another file system")),
            false => (self.gone > files / 2)
                .then_some((Ended::Differs, "more than half of its files are gone")),
        };
        let lost = known.is_lost().then_some((Ended::Failed, "it cannot be read again"));
        let kept = self.kept.or(lost).or(removals);
        Ok(Updated { ended, kept, same })
    }

    /// Writes the user's comments that stand before the lines of a file.
    fn notes(&mut self, row: Option<usize>) -> io::Result<()> {
        let known = Arc::clone(&self.known);
        match row.and_then(|row| known.text().notes.get(&row)) {
            Some(notes) => self.list.line(|out| out.extend_from_slice(notes)),
            None => Ok(()),
        }
    }

    /// Writes what a file was like that has these digests.
    fn stamp(&mut self, stat: Option<Stat>, name: &[u8], digests: &[&[u8]]) -> io::Result<()> {
        match stat.filter(|stat| stat.kind == FileKind::File) {
            Some(stat) => {
                let comment = self.sealer.comment(&stat, name, digests);
                self.list.line(|out| out.extend_from_slice(&comment))
            }
            None => Ok(()),
        }
    }

    /// Writes the lines of a file.
    fn write<'d>(
        &mut self,
        name: &[u8],
        digests: impl Iterator<Item = (&'d Scheme, &'d [u8])>,
    ) -> io::Result<()> {
        let style = self.known.style;
        for (scheme, digest) in digests {
            let at = self.known.schemes.iter().position(|known| known == scheme);
            let tag = at.map_or_else(|| scheme.tag(), |at| self.tags[at].clone());
            self.list.line(|out| write(style, scheme, &tag, name, digest, out))?;
        }
        Ok(())
    }

    fn hashed(
        &mut self,
        name: &[u8],
        (row, stat): (Option<usize>, Option<Stat>),
        digests: &[Box<[u8]>],
    ) -> io::Result<()> {
        let known = Arc::clone(&self.known);
        let bytes: Vec<_> = digests.iter().map(|digest| &digest[..]).collect();
        self.differ()?;
        self.notes(row)?;
        self.stamp(stat, name, &bytes)?;
        self.write(name, known.schemes.iter().zip(bytes))?;
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
        let claims = known.text().record.claims(row);
        let digests = known.schemes.iter().flat_map(|scheme| {
            let of_it =
                claims.iter().filter(|claim| known.text().record.scheme(claim.scheme) == scheme);
            of_it.map(|claim| (scheme, &claim.digest[..])).collect::<Vec<_>>()
        });
        self.write(name, digests)
    }

    fn failed(&mut self, name: &[u8], row: Option<usize>, error: &io::Error) -> io::Result<()> {
        self.verdicts.complain(name, error)?;
        if Notice::is(error) {
            return Ok(());
        }
        // nothing is known of it that the list does not say
        if let Some(row) = row {
            let known = Arc::clone(&self.known);
            let is_kept =
                |claim: &Claim| known.schemes.contains(known.text().record.scheme(claim.scheme));
            if !known.text().record.claims(row).iter().all(is_kept) {
                let why = "a file could not be read, and has other digests in it";
                self.kept = Some((Ended::Failed, why));
            }
            self.differ()?;
            self.notes(Some(row))?;
            self.keep(name, row)?;
        }
        let details = || Details { error: Some(error), ..Details::default() };
        self.verdicts.tell(Verdict::Unreadable, name, details)
    }
}

impl Sink<Entry> for Updater<'_> {
    fn accept(&mut self, entry: Entry, outcome: Option<Outcome>) -> io::Result<()> {
        let Entry { name, row, state } = entry;
        match (state, outcome) {
            (State::Same(names), _) => {
                self.same = self.same.map(|rows| rows + names.len());
                names
                    .iter()
                    .try_for_each(|name| self.verdicts.tell(Verdict::Ok, name, Details::default))
            }
            (State::Kept(stat), _) => {
                let row = row.expect("only files that the list has are kept");
                let known = Arc::clone(&self.known);
                if known.can_stay && self.same == Some(row) {
                    self.same = Some(row + 1);
                } else {
                    self.differ()?;
                    self.notes(Some(row))?;
                    self.stamp(Some(stat), &name, &known.digests(row).unwrap_or_default())?;
                    self.keep(&name, row)?;
                }
                self.verdicts.tell(Verdict::Ok, &name, Details::default)
            }
            (State::Gone { unmounted }, _) => {
                self.gone += 1;
                self.unmounted |= unmounted;
                self.differ()?;
                self.notes(row)?;
                let known = Arc::clone(&self.known);
                let claim = row.and_then(|row| known.text().record.claims(row).first());
                self.verdicts.tell(Verdict::Missing, &name, || {
                    let of = |claim: &Claim| {
                        details(known.text().record.scheme(claim.scheme), &claim.digest)
                    };
                    claim.map(of).unwrap_or_default()
                })
            }
            (State::Failed(error), _) => self.failed(&name, row, &error),
            (State::Lost(error), _) => {
                self.kept = Some((Ended::Failed, "an operand cannot be opened"));
                self.failed(&name, row, &error)
            }
            (State::Hashed(_), None) => Ok(()),
            (State::Hashed(stat), Some(Outcome { changed, digests, .. })) => {
                self.verdicts.notice(&name, changed)?;
                let digests = digests.and_then(|digests: Digests| digests.into_iter().collect());
                match digests {
                    Ok(digests) => {
                        let digests: Vec<_> = digests;
                        self.hashed(&name, (row, stat), &digests)
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
