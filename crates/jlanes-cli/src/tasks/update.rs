//! `--update`: brings a list up to date without reading files that have not changed.
//!
//! An updated list has comments with the time of the update and with the state of each file at that
//! time ([`stamp`]). If a file is still in that state, and was in it for a while, its digests in the
//! list are kept. Every other file is hashed. Times alone are not trusted: clocks are set back, and
//! moved files keep their times. A list without such comments is made anew.
//!
//! The list is read once, and kept in memory as text ([`text`]). If no file has changed, nothing is
//! written.
//!
//! A complete new list replaces the old one, unless that could lose entries of files that still exist:
//! an operand cannot be opened, more than half of the files are missing, or a directory is empty that
//! was on another file system, as mount points are.

use std::{
    io,
    ops::Range,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use jlanes_files::{Computation, Digests, Engine, Fate, Outcome, Rules, Sink, lists::Style};

use super::{Done, ListOutput, NOT_BEGUN};
use crate::{
    files::Operands,
    lists::Accepted,
    report::{
        Console, Destination, Details, ExitState, Notice, Output, Shown, Verdict, Verdicts,
        details, digest_text,
    },
    system::{FileKind, Stat},
};

mod jobs;
mod known;
mod stamp;
mod text;

use jobs::{FileState, UpdateEntry, jobs};
use known::Known;
use text::COMMENT;

/// Updates a list.
pub(crate) struct Update {
    pub(crate) list: ListOutput,
    /// Whether more than half of the listed files may be missing.
    pub(crate) allow_removals: bool,
    pub(crate) accepted: Accepted,
    pub(crate) operands: Operands,
    /// The digests of the new list; empty for those of the old one.
    pub(crate) computations: Vec<Computation>,
    pub(crate) rules: Rules,
    pub(crate) style: Style,
    pub(crate) shown: Shown,
    /// Whether the exit status reports that files differ from the list.
    pub(crate) reports_differences: bool,
}

impl Update {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, engine: &Engine, console: &Console) -> io::Result<Done> {
        let Self { list, accepted, operands, computations, mut rules, style, shown, .. } = self;
        let known = Known::read(list, accepted, (computations, style), console);
        let Some(mut known) = known else { return Ok(NOT_BEGUN) };
        let (replacement, to) = match known.list.open() {
            Ok(opened) => opened,
            Err(error) => {
                known.list.complain("--update", &error, console);
                return Ok(NOT_BEGUN);
            }
        };
        known.discard_future_time(replacement.begun());
        let known = Arc::new(known);
        rules.outputs.extend(replacement.outputs(Fate::LeftOut));
        let jobs = jobs(operands, rules, Arc::clone(&known), engine.max_threads());
        let verdicts = Verdicts::new(console, shown);
        let updater = Updater::new(verdicts, Arc::clone(&known), replacement.begun(), to);
        let (stats, updater) = engine.run(jobs, updater)?;
        let Updated { ended, kept, same } = updater.finish(self.allow_removals)?;
        let changed = (ExitState::Failed, "it has changed meanwhile");
        let kept = match kept.or((!known.is_still()).then_some(changed)) {
            None => {
                if !same {
                    replacement.commit()?;
                }
                ExitState::Good
            }
            Some((ended, why)) => {
                let error = io::Error::other(format!("left as it was: {why}"));
                known.list.complain("--update", &error, console);
                ended
            }
        };
        // differences are no failure, because the list has been brought up to date
        let is_wanted = ended == ExitState::Differs && !self.reports_differences;
        Ok((Some(stats), if is_wanted { kept } else { ended.max(kept) }))
    }
}

/// The sink: writes the new list, and reports the differences.
struct Updater<'v> {
    verdicts: Verdicts<'v>,
    known: Arc<Known>,
    /// The tags of the new digests.
    tags: Vec<String>,
    list: Output,
    /// The time when the update began.
    begun: SystemTime,
    /// The number of files, from the first on, that equal the old list. `None` after a difference;
    /// before one, nothing is written.
    same: Option<usize>,
    /// The number of files in the old list that are gone.
    gone: usize,
    /// Whether a file system seems to be unmounted.
    unmounted: bool,
    /// The reason why the old list has to stay, if there is one.
    kept: Option<Kept>,
}

/// The reason why an old list stays, and the outcome that it means.
type Kept = (ExitState, &'static str);

/// The end of an update, before the list is replaced.
struct Updated {
    /// The exit status that the verdicts lead to.
    pub(crate) ended: ExitState,
    /// The reason why the old list has to stay, if there is one.
    pub(crate) kept: Option<Kept>,
    /// Whether the new list equals the old one.
    pub(crate) same: bool,
}

impl<'v> Updater<'v> {
    /// Makes an updater for the list at `to`. Its files are read after `begun`.
    pub(crate) fn new(
        verdicts: Verdicts<'v>,
        known: Arc<Known>,
        begun: SystemTime,
        to: Destination,
    ) -> Self {
        let tags = known.computations.iter().map(Computation::tag).collect();
        let (list, same) = (Output::new(to), Some(0));
        let (gone, unmounted, kept) = (0, false, None);
        Self { verdicts, known, tags, list, begun, same, gone, unmounted, kept }
    }

    /// Writes the lines that equal the old list, because the next one differs.
    fn differ(&mut self) -> io::Result<()> {
        let Some(rows) = self.same.take() else { return Ok(()) };
        if let Ok(begun) = self.begun.duration_since(UNIX_EPOCH) {
            let moment = format!("{}.{:09}\n", begun.as_secs(), begun.subsec_nanos());
            self.list.line(|out| out.extend([COMMENT, &moment].concat().bytes()))?;
        }
        let mut before = self.known.text.before(rows);
        before.try_for_each(|line| self.list.line(|out| out.extend_from_slice(line)))
    }

    /// Ends the new list.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(mut self, allow_removals: bool) -> io::Result<Updated> {
        let known = Arc::clone(&self.known);
        let files = known.text.files();
        let same = known.can_stay && self.same == Some(files);
        if !same {
            self.differ()?;
            self.list.line(|out| out.extend(known.text.tail()))?;
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
            true => {
                Some((ExitState::Failed, "a directory is empty that was on another file system"))
            }
            false => (self.gone > files / 2).then_some((
                ExitState::Differs,
                "more than half of its files are gone; --allow-removals drops them",
            )),
        };
        let kept = self.kept.or(removals);
        Ok(Updated { ended, kept, same })
    }

    /// Writes the user's comments before the lines of the file in `row`.
    fn notes(&mut self, row: usize) -> io::Result<()> {
        let notes = self.known.text.notes(row);
        self.list.line(|out| out.extend(notes))
    }

    /// Writes a line with a file's digest by the computation `at`.
    fn write(&mut self, name: &[u8], at: usize, digest: &[u8]) -> io::Result<()> {
        let (Known { computations, style, .. }, tag) = (&*self.known, &self.tags[at]);
        self.list.line(|out| style.write(&computations[at], tag, name, digest, out))
    }

    fn hashed(
        &mut self,
        name: &[u8],
        (row, stat): (Option<usize>, Option<Stat>),
        digests: &[Vec<u8>],
    ) -> io::Result<()> {
        let known = Arc::clone(&self.known);
        self.differ()?;
        row.map_or(Ok(()), |row| self.notes(row))?;
        if let Some(stat) = stat.filter(|stat| stat.kind == FileKind::File) {
            let comment = known.sealer.comment(&stat, name, digests);
            self.list.line(|out| out.extend(comment))?;
        }
        for (at, digest) in digests.iter().enumerate() {
            self.write(name, at, digest)?;
        }
        let before = row.and_then(|row| known.digests(row)).map(|(_, digests)| digests);
        let verdict = match (&before, row) {
            (Some(before), _) if *before == digests => Verdict::Ok,
            (_, Some(_)) => Verdict::Changed,
            (_, None) => Verdict::New,
        };
        let computation = &known.computations[0];
        self.verdicts.print(verdict, name, || Details {
            algorithm: Some(computation.to_string()),
            expected: before.map(|before| digest_text(computation, &before[0])),
            found: Some(digest_text(computation, &digests[0])),
            ..Details::default()
        })
    }

    /// Keeps the lines about the file in `row`.
    fn keep(&mut self, row: usize) -> io::Result<()> {
        let known = Arc::clone(&self.known);
        let name = known.text.name(row);
        for at in 0..known.computations.len() {
            let mut digests = known.digests_by(at, row).into_iter();
            digests.try_for_each(|digest| self.write(&name, at, &digest))?;
        }
        Ok(())
    }

    fn failed(&mut self, name: &[u8], row: Option<usize>, error: &io::Error) -> io::Result<()> {
        self.verdicts.complain(name, error)?;
        if Notice::is(error) {
            return Ok(());
        }
        // nothing new is known about the file
        if let Some(row) = row {
            if self.known.has_others(row) {
                let why = "a file could not be read, and has other digests in it";
                self.kept = Some((ExitState::Failed, why));
            }
            self.differ()?;
            self.notes(row)?;
            self.keep(row)?;
        }
        let details = || Details { error: Some(error), ..Details::default() };
        self.verdicts.print(Verdict::Unreadable, name, details)
    }
}

impl Updater<'_> {
    /// Keeps the lines of files that have not changed.
    fn unchanged(&mut self, rows: Range<usize>) -> io::Result<()> {
        let (known, count) = (Arc::clone(&self.known), rows.len());
        if known.can_stay && self.same == Some(rows.start) {
            self.same = Some(rows.end);
        } else {
            self.differ()?;
            for row in rows {
                self.notes(row)?;
                let stamp = known.text.stamp(row).map_or(&[][..], |stamp| stamp.line);
                self.list.line(|out| out.extend([stamp, b"\n"].concat()))?;
                self.keep(row)?;
            }
        }
        self.verdicts.count_matches(count);
        Ok(())
    }

    /// Leaves out the lines of a file that no longer exists.
    fn gone(&mut self, name: &[u8], row: usize) -> io::Result<()> {
        self.gone += 1;
        self.differ()?;
        self.notes(row)?;
        let text = &self.known.text;
        self.verdicts.print(Verdict::Missing, name, || {
            let line = text.lines(row).next();
            line.map(|line| details(text.computation(line.number), &line.digest()))
                .unwrap_or_default()
        })
    }
}

impl Sink<UpdateEntry> for Updater<'_> {
    fn accept(&mut self, entry: UpdateEntry, outcome: Option<Outcome>) -> io::Result<()> {
        let UpdateEntry { name, row, state } = entry;
        match (state, outcome) {
            (FileState::Kept(rows), _) => self.unchanged(rows),
            (FileState::Gone { unmounted }, _) => {
                self.unmounted |= unmounted;
                self.gone(&name, row.expect("only files that the list has are gone"))
            }
            (FileState::Failed(error), _) => self.failed(&name, row, &error),
            (FileState::Lost(error), _) => {
                self.kept = Some((ExitState::Failed, "an operand cannot be opened"));
                self.failed(&name, row, &error)
            }
            (FileState::Hashed(_), None) => Ok(()),
            (FileState::Hashed(stat), Some(Outcome { changed, digests, .. })) => {
                self.verdicts.notice(&name, changed)?;
                let all = |digests: Digests| {
                    digests
                        .into_iter()
                        .map(|digest| Ok(digest?.into_vec()))
                        .collect::<io::Result<Vec<_>>>()
                };
                match digests.and_then(all) {
                    Ok(digests) => self.hashed(&name, (row, stat), &digests),
                    Err(error) => self.failed(&name, row, &error),
                }
            }
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        self.verdicts.flush()
    }
}
