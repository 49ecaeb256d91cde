//! `--check`: compares the files of lists with their digests, by GNU's rules.

mod mismatches;

use std::{collections::HashSet, ffi::OsString, io, iter, mem};

use jlanes::Backend;
use jlanes_files::{Engine, Outcome, Sink, lists::Entry};

use self::mismatches::Mismatches;
use super::TaskOutcome;
use crate::{
    hash::{
        digests_of_one_file,
        directory::{DirectoryDigest, DirectoryItem},
    },
    lists::{AcceptedDigests, Directories, ListItem, ListTools, reader},
    report::{
        Console, Details, ExitState, Notice, Remark, Verdict, VerdictOptions, Verdicts, details,
        digest_text,
    },
    system::{stat, stat_stdin},
};

/// Compares the files of lists with their digests.
pub(crate) struct Check {
    pub(crate) lists: Vec<OsString>,
    pub(crate) accepted: AcceptedDigests,
    pub(crate) strictness: Strictness,
    pub(crate) shown: VerdictOptions,
    pub(crate) only: Vec<OsString>,
    pub(crate) directories: Directories,
}

impl Check {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, engine: &Engine, console: &Console) -> io::Result<TaskOutcome> {
        let Self { lists, accepted, strictness, shown, only, directories } = self;
        let jobs = reader::jobs(lists, accepted.clone(), only, directories);
        let checker = Checker::new(console, accepted, (strictness, shown), engine.backend());
        let (stats, checker) = engine.run(jobs, checker)?;
        Ok((Some(stats), checker.finish()?))
    }
}

/// The options that decide whether a check succeeds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Strictness {
    pub(crate) ignore_missing: bool,
    pub(crate) strict: bool,
    pub(crate) warn: bool,
    /// The number of files that must match.
    pub(crate) required: u64,
}

/// The counts and findings of the current list, for its warnings and the exit status.
#[derive(Debug, Default)]
struct Tally {
    well_formed: bool,
    malformed: u64,
    /// Whether a line was refused.
    refused: bool,
    matched: bool,
    mismatched: u64,
    unreadable: u64,
    /// The first missing file.
    absent: Option<Vec<u8>>,
    mismatches: Mismatches,
}

/// The device and the file's number on it, unique to the file.
type Identity = (u64, u64);

/// The sink of a check: prints verdicts on the files of lists.
pub(crate) struct Checker<'v> {
    console: &'v Console,
    accepted: AcceptedDigests,
    strictness: Strictness,
    shown: VerdictOptions,
    backend: Backend,
    verdicts: Verdicts<'v>,
    tally: Tally,
    /// Whether any file matches by a digest that cannot be forged.
    has_strong: bool,
    /// The matching files of all lists, up to the required number.
    verified: HashSet<Identity>,
    /// The members of the current directory so far.
    directory: DirectoryDigest,
    /// The first error that leaves the current directory without a digest, and the path that has it.
    failed: Option<(Vec<u8>, io::Error)>,
    /// The worst outcome of a list so far.
    ended: ExitState,
}

impl<'v> Checker<'v> {
    pub(crate) fn new(
        console: &'v Console,
        accepted: AcceptedDigests,
        (strictness, shown): (Strictness, VerdictOptions),
        backend: Backend,
    ) -> Self {
        Self {
            console,
            accepted,
            strictness,
            shown,
            backend,
            verdicts: Verdicts::new(console, shown),
            tally: Tally::default(),
            has_strong: false,
            verified: HashSet::new(),
            directory: DirectoryDigest::default(),
            failed: None,
            ended: ExitState::Good,
        }
    }

    fn check_file(&mut self, entry: &Entry, outcome: Outcome) -> io::Result<()> {
        self.verdicts.report_if_changed(&entry.name, outcome.changed)?;
        let (len, computations) = (outcome.len, entry.digests.iter().map(|(it, _)| it));
        self.conclude(entry, digests_of_one_file(computations, outcome, self.backend), Some(len))
    }

    /// Prints the verdict on a file or directory with digests.
    fn conclude(
        &mut self,
        entry: &Entry,
        found: io::Result<Vec<Box<[u8]>>>,
        len: Option<u64>,
    ) -> io::Result<()> {
        let name = &entry.name;
        let found = match found {
            Ok(found) => found,
            Err(error) if self.is_ignored(&error) => return Ok(()),
            Err(error) => {
                if error.kind() == io::ErrorKind::NotFound {
                    self.tally.absent.get_or_insert_with(|| name.clone());
                }
                self.verdicts.report_error(name, &error)?;
                return self.unreadable(entry, &error);
            }
        };
        let compared = entry.compare(len, &found);
        let mut matches = None;
        let verdict = if compared.is_ok() {
            self.tally.matched = true;
            self.count(name);
            if self.accepted.may_be_weak() {
                self.has_strong |=
                    self.verdicts.count_if_weak(entry.digests.iter().map(|(it, _)| it.strength()));
            }
            Verdict::Ok
        } else {
            self.tally.mismatched += 1;
            let (mismatches, tries) = (&mut self.tally.mismatches, !self.shown.status);
            matches = mismatches.add(entry, &self.accepted, tries, self.backend);
            Verdict::Failed
        };
        let at = compared.unwrap_or_else(|at| at);
        let ((computation, expected), found) = (&entry.digests[at], &found[at]);
        let is_one = entry.digests.iter().all(|(other, _)| other == &entry.digests[0].0);
        let by = entry.any_suffices && !is_one && compared.is_ok();
        let remark = if by { Remark::By(computation) } else { Remark::None };
        self.verdicts.print_with_remark(verdict, name, remark, || Details {
            found: Some(digest_text(computation, found)),
            matches,
            ..details(computation, expected)
        })
    }

    /// Prints the verdict on a file with a size and no digest.
    fn check_size(&mut self, entry: &Entry, size: io::Result<u64>) -> io::Result<()> {
        match size {
            Ok(size) if entry.size == Some(size) => {
                self.tally.matched = true;
                self.count(&entry.name);
                if self.accepted.may_be_weak() {
                    self.verdicts.count_if_weak(iter::empty());
                }
                self.verdicts.print(Verdict::Ok, &entry.name, Details::default)
            }
            Ok(_) => {
                self.tally.mismatched += 1;
                self.verdicts.print(Verdict::Failed, &entry.name, Details::default)
            }
            Err(error) if self.is_ignored(&error) => Ok(()),
            Err(error) => {
                self.verdicts.report_error(&entry.name, &error)?;
                self.unreadable(entry, &error)
            }
        }
    }

    fn is_ignored(&self, error: &io::Error) -> bool {
        self.strictness.ignore_missing && error.kind() == io::ErrorKind::NotFound
    }

    fn unreadable(&mut self, entry: &Entry, error: &io::Error) -> io::Result<()> {
        self.tally.unreadable += 1;
        let digest = entry.digests.first();
        self.verdicts.print(Verdict::Unreadable, &entry.name, || Details {
            error: Some(error),
            ..digest
                .map(|(computation, expected)| details(computation, expected))
                .unwrap_or_default()
        })
    }

    /// Adds a member of the current directory.
    fn member(&mut self, item: DirectoryItem, outcome: Option<Outcome>) -> io::Result<()> {
        let changed = outcome.as_ref().is_some_and(|outcome| outcome.changed);
        self.verdicts.report_if_changed(item.path(), changed)?;
        let Some((path, error)) = self.directory.add(item, outcome) else { return Ok(()) };
        if Notice::is(&error) {
            return self.verdicts.report_error(&path, &error);
        }
        if self.failed.is_some() {
            return self.verdicts.report_error(&path, &error);
        }
        // the directory itself may be missing
        self.failed = Some((path, error));
        Ok(())
    }

    fn directory(&mut self, entry: &Entry) -> io::Result<()> {
        let directory = mem::take(&mut self.directory);
        match self.failed.take() {
            None => {
                let found = directory.finish(&entry.digests[0].0, self.backend);
                self.conclude(entry, found.map(|digest| vec![digest.into()]), None)
            }
            Some((path, error)) => {
                let bare = |path: &[u8]| path.strip_suffix(b"/").unwrap_or(path).to_vec();
                let is_whole = bare(&path) == bare(&self.accepted.names.path(&entry.name));
                if is_whole && self.is_ignored(&error) {
                    return Ok(());
                }
                self.verdicts.report_error(&path, &error)?;
                self.unreadable(entry, &error)
            }
        }
    }

    /// Counts a matching file, under any number of names, up to the required number.
    fn count(&mut self, name: &[u8]) {
        if (self.verified.len() as u64) < self.strictness.required {
            let path = self.accepted.names.path(name);
            let stat = if name == b"-" { stat_stdin() } else { stat(&path) };
            self.verified.extend(stat.ok().map(|stat| stat.identity));
        }
    }

    fn malformed(&mut self, list: &[u8], line: u64, tagged: Option<&[u8]>) -> io::Result<()> {
        self.tally.malformed += 1;
        if !self.strictness.warn {
            return Ok(());
        }
        let tag = self.accepted.tag(tagged);
        self.verdicts.say_about(list, format!("{line}: improperly formatted {tag} checksum line"))
    }

    fn refused(&mut self, list: &[u8], line: u64, why: &str) -> io::Result<()> {
        self.tally.malformed += 1;
        self.tally.refused = true;
        self.verdicts.say_about(list, format!("{line}: refused: {why}"))
    }

    /// Ends a list, and prints its warnings.
    fn end(
        &mut self,
        path: &[u8],
        skipped: bool,
        hint: Option<&str>,
        literal: Option<&[u8]>,
    ) -> io::Result<()> {
        let mut tally = mem::take(&mut self.tally);
        let (Strictness { ignore_missing, strict, .. }, status) =
            (self.strictness, self.shown.status);
        self.verdicts.count_malformed(tally.malformed);
        let advice = tally.absent.take().filter(|_| !status).and_then(|name| {
            let is_ours = self.accepted.tools == ListTools::All;
            is_ours.then(|| self.accepted.names.missing_file_hint(path, &name))?
        });
        let has_trouble = tally.malformed + tally.mismatched > 0;
        let hint = hint.filter(|_| has_trouble).or(advice.as_deref());
        if !tally.well_formed && !skipped {
            self.verdicts.say_about(path, "no properly formatted checksum lines found")?;
        } else if !status {
            let Tally { malformed, unreadable, mismatched, .. } = tally;
            self.verdicts.warn(malformed, ("line is", "lines are"), "improperly formatted")?;
            self.verdicts.warn(unreadable, ("listed file", "listed files"), "could not be read")?;
            let noun = ("computed checksum", "computed checksums");
            self.verdicts.warn(mismatched, noun, "did NOT match")?;
            if ignore_missing && !tally.matched {
                self.verdicts.say_about(path, "no file was verified")?;
            }
        }
        let compared = self.accepted.mismatch_hints(path, &tally.mismatches.failed);
        let compared = compared.into_iter().filter(|_| !status);
        for hint in hint.map(str::to_owned).into_iter().chain(compared) {
            self.verdicts.say_about(path, hint)?;
        }
        if let Some(name) = literal.filter(|_| !status) {
            let what = b"names are read as they are written where no file has the decoded one: ";
            self.verdicts.say_about(path, [what, &*self.console.quote(name)].concat())?;
        }
        for (name, what) in &tally.mismatches.hints {
            let name = self.console.quote(name);
            self.verdicts.say_about(path, [&*name, b": ", what.as_bytes()].concat())?;
        }
        // mismatches have set the outcome already
        let is_compared = tally.matched || skipped || tally.mismatched > 0;
        self.ended = self.ended.max(match is_compared && !tally.refused {
            _ if !tally.well_formed && !skipped => ExitState::Failed,
            true if !strict || tally.malformed == 0 => ExitState::Good,
            _ => ExitState::Differs,
        });
        Ok(())
    }

    /// Ends the check, after the last list.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(mut self) -> io::Result<ExitState> {
        // another line may have a stronger digest of the same file
        if self.has_strong && !self.strictness.warn {
            self.verdicts.clear_weak_matches();
        }
        let ended = self.verdicts.finish(&[Verdict::Ok, Verdict::Failed, Verdict::Unreadable])?;
        let Strictness { required, .. } = self.strictness;
        let verified = self.verified.len() as u64;
        if verified < required {
            let message = format!("{verified} of {required} required files were verified");
            self.verdicts.say(message)?;
            self.ended = self.ended.max(ExitState::Differs);
        }
        Ok(ended.max(self.ended))
    }
}

impl Sink<ListItem> for Checker<'_> {
    fn accept(&mut self, listed: ListItem, outcome: Option<Outcome>) -> io::Result<()> {
        match (listed, outcome) {
            (ListItem::File(entry), Some(outcome)) => {
                self.tally.well_formed = true;
                self.check_file(&entry, outcome)
            }
            (ListItem::File(_), None) => Ok(()),
            (ListItem::Sized(entry, size), _) => {
                self.tally.well_formed = true;
                self.check_size(&entry, size)
            }
            (ListItem::Member(item), outcome) => self.member(item, outcome),
            (ListItem::Directory(entry), _) => {
                self.tally.well_formed = true;
                self.directory(&entry)
            }
            (ListItem::Malformed { list, line, refused: Some(why), .. }, _) => {
                self.refused(&list, line, &why)
            }
            (ListItem::Malformed { list, line, tagged, .. }, _) => {
                self.malformed(&list, line, tagged.as_deref())
            }
            (ListItem::End { list, skipped, hint, literal }, _) => {
                self.end(&list, skipped, hint.as_deref(), literal.as_deref())
            }
            (ListItem::Absent { name }, _) => {
                self.ended = self.ended.max(ExitState::Differs);
                self.verdicts.say_about(&name, "is in no list")
            }
            (ListItem::Unreadable { list, error }, _) => {
                self.ended = ExitState::Failed;
                self.tally = Tally::default();
                self.verdicts.report_error(&list, &error)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.verdicts.flush()
    }
}
