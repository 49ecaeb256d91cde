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

use jlanes_files::{
    Computation, Digests, Engine, Outcome, OutputPolicy, Rules, Sink, lists::Style,
};

use super::{ListOutput, NOT_BEGUN, TaskOutcome};
use crate::{
    files::Operands,
    lists::AcceptedDigests,
    report::{
        Console, Destination, Details, ExitState, Notice, Output, Verdict, VerdictOptions,
        Verdicts, details, digest_text,
    },
    system::Stat,
};

mod jobs;
mod old_list;
mod stamp;
mod text;

use jobs::{FileState, UpdateEntry, jobs};
use old_list::OldList;
use text::UPDATE_TIME_PREFIX;

/// Updates a list.
pub(crate) struct Update {
    pub(crate) list: ListOutput,
    /// Whether more than half of the listed files may be missing.
    pub(crate) allow_removals: bool,
    pub(crate) accepted: AcceptedDigests,
    pub(crate) operands: Operands,
    /// The digests of the new list; empty for those of the old one.
    pub(crate) computations: Vec<Computation>,
    pub(crate) rules: Rules,
    pub(crate) style: Style,
    pub(crate) shown: VerdictOptions,
    /// Whether the exit status reports that files differ from the list.
    pub(crate) reports_differences: bool,
}

impl Update {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, engine: &Engine, console: &Console) -> io::Result<TaskOutcome> {
        let Self { list, accepted, operands, computations, mut rules, style, shown, .. } = self;
        let old_list = OldList::read(list, accepted, (computations, style), console);
        let Some(mut old_list) = old_list else { return Ok(NOT_BEGUN) };
        let (replacement, to) = match old_list.list.open() {
            Ok(opened) => opened,
            Err(error) => {
                old_list.list.report_error("--update", &error, console);
                return Ok(NOT_BEGUN);
            }
        };
        old_list.discard_future_time(replacement.begun());
        let old_list = Arc::new(old_list);
        rules.outputs.extend(replacement.outputs(OutputPolicy::Skip));
        let jobs = jobs(operands, rules, Arc::clone(&old_list), engine.max_threads());
        let verdicts = Verdicts::new(console, shown);
        let updater = Updater::new(verdicts, Arc::clone(&old_list), replacement.begun(), to);
        let (stats, updater) = engine.clone().record_stat(true).run(jobs, updater)?;
        let UpdateOutcome { ended, kept, unchanged_files } = updater.finish(self.allow_removals)?;
        let changed = (ExitState::Failed, "it has changed meanwhile");
        let kept = match kept.or((!old_list.is_unchanged()).then_some(changed)) {
            None => {
                if !unchanged_files {
                    replacement.commit()?;
                }
                ExitState::Good
            }
            Some((ended, why)) => {
                let error = io::Error::other(format!("left as it was: {why}"));
                old_list.list.report_error("--update", &error, console);
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
    old_list: Arc<OldList>,
    /// The tags of the new digests.
    tags: Vec<String>,
    list: Output,
    /// The time when the update began.
    begun: SystemTime,
    /// The number of files, from the first on, that equal the old list. `None` after a difference;
    /// before one, nothing is written.
    unchanged_files: Option<usize>,
    /// The number of files in the old list that are gone.
    gone: usize,
    /// Whether a file system seems to be unmounted.
    unmounted: bool,
    /// The reason why the old list has to stay, if there is one.
    kept: Option<KeepReason>,
}

/// The reason why an old list stays, and the outcome that it means.
type KeepReason = (ExitState, &'static str);

/// The end of an update, before the list is replaced.
struct UpdateOutcome {
    /// The exit status that the verdicts lead to.
    pub(crate) ended: ExitState,
    /// The reason why the old list has to stay, if there is one.
    pub(crate) kept: Option<KeepReason>,
    /// Whether the new list equals the old one.
    pub(crate) unchanged_files: bool,
}

impl<'v> Updater<'v> {
    /// Makes an updater for the list at `to`. Its files are read after `begun`.
    pub(crate) fn new(
        verdicts: Verdicts<'v>,
        old_list: Arc<OldList>,
        begun: SystemTime,
        to: Destination,
    ) -> Self {
        let tags = old_list.computations.iter().map(Computation::tag).collect();
        let (list, unchanged_files) = (Output::new(to), Some(0));
        let (gone, unmounted, kept) = (0, false, None);
        Self { verdicts, old_list, tags, list, begun, unchanged_files, gone, unmounted, kept }
    }

    /// Writes the lines that equal the old list, because the next one differs.
    fn write_unchanged_lines(&mut self) -> io::Result<()> {
        let Some(rows) = self.unchanged_files.take() else { return Ok(()) };
        if let Ok(begun) = self.begun.duration_since(UNIX_EPOCH) {
            let moment = format!("{}.{:09}\n", begun.as_secs(), begun.subsec_nanos());
            self.list.line(|out| out.extend([UPDATE_TIME_PREFIX, &moment].concat().bytes()))?;
        }
        let mut before = self.old_list.text.before(rows);
        before.try_for_each(|line| self.list.line(|out| out.extend_from_slice(line)))
    }

    /// Ends the new list.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(mut self, allow_removals: bool) -> io::Result<UpdateOutcome> {
        let old_list = Arc::clone(&self.old_list);
        let files = old_list.text.files();
        let unchanged_files = old_list.can_stay && self.unchanged_files == Some(files);
        if !unchanged_files {
            self.write_unchanged_lines()?;
            self.list.line(|out| out.extend(old_list.text.trailing_comments()))?;
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
        Ok(UpdateOutcome { ended, kept, unchanged_files })
    }

    /// Writes the user's comments before the lines of the file in `row`.
    fn write_user_comments(&mut self, row: usize) -> io::Result<()> {
        let notes = self.old_list.text.user_comments(row);
        self.list.line(|out| out.extend(notes))
    }

    /// Writes a line with a file's digest by the computation `at`.
    fn write(&mut self, name: &[u8], at: usize, digest: &[u8]) -> io::Result<()> {
        let (OldList { computations, style, .. }, tag) = (&*self.old_list, &self.tags[at]);
        self.list.line(|out| style.write(&computations[at], tag, name, digest, out))
    }

    fn hashed(
        &mut self,
        name: &[u8],
        (row, stat): (Option<usize>, Option<Stat>),
        digests: &[Vec<u8>],
    ) -> io::Result<()> {
        let old_list = Arc::clone(&self.old_list);
        self.write_unchanged_lines()?;
        row.map_or(Ok(()), |row| self.write_user_comments(row))?;
        if let Some(stat) = stat {
            let comment = old_list.sealer.comment(&stat, name, digests);
            self.list.line(|out| out.extend(comment))?;
        }
        for (at, digest) in digests.iter().enumerate() {
            self.write(name, at, digest)?;
        }
        let before = row.and_then(|row| old_list.digests(row)).map(|(_, digests)| digests);
        let verdict = match (&before, row) {
            (Some(before), _) if *before == digests => Verdict::Ok,
            (_, Some(_)) => Verdict::Changed,
            (_, None) => Verdict::New,
        };
        let computation = &old_list.computations[0];
        self.verdicts.print(verdict, name, || Details {
            algorithm: Some(computation.to_string()),
            expected: before.map(|before| digest_text(computation, &before[0])),
            found: Some(digest_text(computation, &digests[0])),
            ..Details::default()
        })
    }

    /// Keeps the lines about the file in `row`.
    fn keep(&mut self, row: usize) -> io::Result<()> {
        let old_list = Arc::clone(&self.old_list);
        let name = old_list.text.name(row);
        for at in 0..old_list.computations.len() {
            let mut digests = old_list.digests_by(at, row).into_iter();
            digests.try_for_each(|digest| self.write(&name, at, &digest))?;
        }
        Ok(())
    }

    fn failed(&mut self, name: &[u8], row: Option<usize>, error: &io::Error) -> io::Result<()> {
        self.verdicts.report_error(name, error)?;
        if Notice::is(error) {
            return Ok(());
        }
        // nothing new is known about the file
        if let Some(row) = row {
            if self.old_list.has_other_digests(row) {
                let why = "a file could not be read, and has other digests in it";
                self.kept = Some((ExitState::Failed, why));
            }
            self.write_unchanged_lines()?;
            self.write_user_comments(row)?;
            self.keep(row)?;
        }
        let details = || Details { error: Some(error), ..Details::default() };
        self.verdicts.print(Verdict::Unreadable, name, details)
    }
}

impl Updater<'_> {
    /// Keeps the lines of files that have not changed.
    fn unchanged(&mut self, rows: Range<usize>) -> io::Result<()> {
        let (old_list, count) = (Arc::clone(&self.old_list), rows.len());
        if old_list.can_stay && self.unchanged_files == Some(rows.start) {
            self.unchanged_files = Some(rows.end);
        } else {
            self.write_unchanged_lines()?;
            for row in rows {
                self.write_user_comments(row)?;
                let stamp = old_list.text.stamp(row).map_or(&[][..], |stamp| stamp.line);
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
        self.write_unchanged_lines()?;
        self.write_user_comments(row)?;
        let text = &self.old_list.text;
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
            (FileState::OperandFailed(error), _) => {
                self.kept = Some((ExitState::Failed, "an operand cannot be opened"));
                self.failed(&name, row, &error)
            }
            (FileState::ToHash, None) => Ok(()),
            (FileState::ToHash, Some(Outcome { stat, changed, digests, .. })) => {
                self.verdicts.report_if_changed(&name, changed)?;
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

    fn flush(&mut self) -> io::Result<()> {
        self.verdicts.flush()
    }
}
