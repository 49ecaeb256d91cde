//! `--audit`: compares directories with lists, and reports files that match, changed, moved, are new,
//! or are missing. `--check` cannot find files that no list names; an audit does.
//!
//! Verdicts come in the order of the files. Missing files follow, in the order of the lists. A first
//! walk finds the missing files, so that an unlisted file can be reported as moved when it is hashed.

use std::{ffi::OsString, io, mem, sync::Arc};

use jlanes::Backend;
use jlanes_files::{Computation, Engine, Outcome, Rules, Sink};

use super::{Done, NOT_BEGUN};
use crate::{
    files::Operands,
    hash::of_one_file,
    lists::Accepted,
    report::{Console, Details, ExitState, Notice, Remark, Shown, Verdict, Verdicts, digest_text},
};

mod files;
mod record;

pub(crate) use self::record::{Record, Spellings};
use self::{
    files::{InRecord, Missing, Present, jobs},
    record::{Claim, Unusable},
};

/// The result of reading a file.
struct Read {
    len: u64,
    digests: Vec<Box<[u8]>>,
}

/// Compares files with lists.
pub(crate) struct Audit {
    pub(crate) lists: Vec<OsString>,
    pub(crate) accepted: Accepted,
    pub(crate) operands: Operands,
    pub(crate) rules: Rules,
    pub(crate) ignore_missing: bool,
    /// Whether skipped entries are reported one by one.
    pub(crate) reports_skipped: bool,
    pub(crate) shown: Shown,
}

impl Audit {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, engine: &Engine, console: &Console) -> io::Result<Done> {
        let Self { lists, accepted, operands, rules, ignore_missing, reports_skipped, shown } =
            self;
        let may_doubt = accepted.may_doubt();
        let (record, good) = match Record::read(lists, accepted, console) {
            Ok((record, good)) => (Arc::new(record), good),
            Err(Unusable) => return Ok(NOT_BEGUN),
        };
        let (names, wrong) = operands.collected();
        wrong.iter().for_each(|(list, error)| console.complain(list, error));
        let (rules, operands) = (Arc::new(rules), Operands::Given(names));
        let again = operands.again().expect("names that were given can be had twice");
        let missing = Missing::new(again, &rules, &record);
        let jobs = jobs(operands, rules, Arc::clone(&record), &missing);
        let verdicts = Verdicts::new(console, shown);
        let options = AuditOptions { ignore_missing, may_doubt, reports_skipped };
        let auditor = Auditor::new(verdicts, record, missing, options, engine.backend());
        let (stats, auditor) = engine.run(jobs, auditor)?;
        let formatted = if good { ExitState::Good } else { ExitState::Differs };
        let ended = auditor.finish()?.max(formatted).max(wrong.is_empty().into());
        Ok((Some(stats), ended))
    }
}

/// Compares files with the record of the lists.
struct Auditor<'v> {
    record: Arc<Record>,
    missing: Missing,
    options: AuditOptions,
    backend: Backend,
    verdicts: Verdicts<'v>,
    /// Whether each file of the record was found, in its place or elsewhere.
    met: Vec<bool>,
    current: FileComparison,
    /// Whether any file matches.
    verified: bool,
}

/// The comparison of one file with the record, so far.
#[derive(Default)]
struct FileComparison {
    differs: bool,
    /// Whether the file could not be read.
    failed: bool,
    /// Digests in lines that do not name their algorithm: the file has those in `found`, and not those
    /// in `open`, as far as it was compared.
    open: Vec<Box<[u8]>>,
    found: Vec<Box<[u8]>>,
    /// The claim and the digest to report, and whether they differ: the first that do, or else the
    /// first.
    reported: Option<(Claim, Box<[u8]>, bool)>,
}

impl FileComparison {
    /// Compares the file with its claims by the computations after the first `done` ones.
    fn add(&mut self, record: &Record, (file, done): (usize, usize), read: Read) {
        let by_computation =
            record.claims(file).chunk_by(|a, b| a.computation == b.computation).skip(done);
        self.differs |= !record.allows_size(file, read.len);
        for (claims, digest) in by_computation.zip(read.digests) {
            let is_wrong = |claim: &Claim| *claim.digest != *digest;
            let wrong = claims.iter().position(|claim| !claim.either && is_wrong(claim));
            for claim in claims.iter().filter(|claim| claim.either) {
                let side = if is_wrong(claim) { &mut self.open } else { &mut self.found };
                side.push(claim.digest.clone());
            }
            let right = claims.iter().position(|claim| claim.either && !is_wrong(claim));
            let is_mismatch = self.reported.as_ref().is_some_and(|reported| reported.2);
            if self.reported.is_none() || (wrong.or(right).is_some() && !is_mismatch) {
                let claim = &claims[wrong.or(right).unwrap_or(0)];
                self.reported = Some((claim.clone(), digest, wrong.is_some()));
            }
            self.differs |= wrong.is_some();
        }
    }

    /// The verdict after the last claim; none for a file that could not be read.
    fn verdict(&self) -> Option<Verdict> {
        let is_found = |digest| self.found.contains(digest);
        match (self.failed, self.differs || !self.open.iter().all(is_found)) {
            (true, _) => None,
            (false, true) => Some(Verdict::Changed),
            (false, false) => Some(Verdict::Ok),
        }
    }
}

/// The options of an audit.
struct AuditOptions {
    /// Whether missing files are ignored.
    pub(crate) ignore_missing: bool,
    /// Whether a list may have chosen a weak hash without the user's knowledge.
    pub(crate) may_doubt: bool,
    /// Whether skipped entries are reported one by one, instead of only counted.
    pub(crate) reports_skipped: bool,
}

impl<'v> Auditor<'v> {
    pub(crate) fn new(
        mut verdicts: Verdicts<'v>,
        record: Arc<Record>,
        missing: Missing,
        options: AuditOptions,
        backend: Backend,
    ) -> Self {
        let met = vec![false; record.files().len()];
        verdicts.malformed(record.malformed());
        Self {
            record,
            missing,
            options,
            backend,
            verdicts,
            met,
            current: FileComparison::default(),
            verified: false,
        }
    }

    fn complain(
        &mut self,
        name: &[u8],
        error: &io::Error,
        claim: Option<&Claim>,
    ) -> io::Result<()> {
        if matches!(Notice::of(error), Some(Notice::LeftOut(_))) && !self.options.reports_skipped {
            self.verdicts.left_out();
            return Ok(());
        }
        self.verdicts.complain(name, error)?;
        if Notice::is(error) {
            return Ok(());
        }
        let record = &self.record;
        self.verdicts.print(Verdict::Unreadable, name, || Details {
            error: Some(error),
            ..claim.map_or(Details::default(), |claim| record.details(claim))
        })
    }

    /// A missing file with these digests, which counts as found from now on.
    fn moved(&mut self, read: &Read) -> Option<usize> {
        let numbers = Arc::clone(&self.missing.numbers);
        let found = |computation: usize| {
            let at = numbers.iter().position(|number| *number == computation)?;
            read.digests.get(at)
        };
        for computation in numbers.iter() {
            let key = (*computation, found(*computation)?.clone());
            while let Some(&file) = self.missing.files.get(&key).and_then(|files| files.last()) {
                let claims = self.record.claims(file);
                let fits = |claim: &Claim| {
                    claim.either
                        || found(claim.computation).is_none_or(|digest| **digest == *claim.digest)
                };
                let is_it = !self.met[file]
                    && self.record.allows_size(file, read.len)
                    && claims.iter().all(fits);
                if !is_it && !self.met[file] {
                    break;
                }
                self.missing.files.get_mut(&key).and_then(Vec::pop);
                if is_it {
                    self.met[file] = true;
                    return Some(file);
                }
            }
        }
        None
    }

    fn unknown(&mut self, name: &[u8], read: Option<Read>) -> io::Result<()> {
        if self.record.is_list(name) {
            return Ok(());
        }
        let moved = read.as_ref().and_then(|read| self.moved(read));
        let (record, missing) = (&self.record, &self.missing);
        let found = || {
            let digest = read.as_ref().and_then(|read| read.digests.first());
            missing.computations.first().zip(digest)
        };
        let details = || match (found(), moved) {
            (Some((computation, digest)), None) => Details {
                algorithm: Some(computation.to_string()),
                found: Some(digest_text(computation, digest)),
                ..Details::default()
            },
            (_, Some(file)) => {
                let expected = record.details(&record.claims(file)[0]);
                Details { found: expected.expected.clone(), ..expected }
            }
            (None, None) => Details::default(),
        };
        let from = moved.map_or(Remark::None, |file| Remark::From(&record.files()[file].name));
        let verdict = if moved.is_some() { Verdict::Moved } else { Verdict::New };
        self.verdicts.remark(verdict, name, from, details)
    }

    /// Reports missing files.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(mut self) -> io::Result<ExitState> {
        let record = Arc::clone(&self.record);
        let met = mem::take(&mut self.met);
        let is_missing = |file: &usize| !met[*file] && !self.missing.left_out.contains(file);
        let missing: Vec<_> = (0..met.len())
            .filter(|file| is_missing(file) && !self.options.ignore_missing)
            .collect();
        for file in missing {
            let claim = record.claims(file).first();
            let details = || claim.map(|claim| record.details(claim)).unwrap_or_default();
            self.verdicts.print(Verdict::Missing, &record.files()[file].name, details)?;
        }
        let ended = self.verdicts.finish(&[
            Verdict::Ok,
            Verdict::Changed,
            Verdict::Moved,
            Verdict::New,
            Verdict::Missing,
            Verdict::Unreadable,
        ])?;
        // the list may have been emptied together with the files
        if ended == ExitState::Good && !self.verified {
            self.verdicts.say("no file was verified")?;
            return Ok(ExitState::Differs);
        }
        Ok(ended)
    }

    fn listed(
        &mut self,
        name: &[u8],
        (file, done, is_last): (usize, usize, bool),
        read: Option<io::Result<Read>>,
    ) -> io::Result<()> {
        self.met[file] = true;
        match read {
            Some(Ok(read)) => self.current.add(&self.record, (file, done), read),
            Some(Err(error)) if !mem::replace(&mut self.current.failed, true) => {
                let record = Arc::clone(&self.record);
                self.complain(name, &error, record.claims(file).first())?;
            }
            _ => {}
        }
        if !is_last {
            return Ok(());
        }
        let comparison = mem::take(&mut self.current);
        let Some(verdict) = comparison.verdict() else { return Ok(()) };
        let reported = comparison.reported;
        self.verified |= verdict == Verdict::Ok;
        let claims = self.record.claims(file);
        if verdict == Verdict::Ok && self.options.may_doubt {
            self.verdicts.doubt(
                claims.iter().map(|claim| self.record.computation(claim.computation).strength()),
            );
        }
        let record = &self.record;
        let details = || match &reported {
            Some((claim, found, _)) => Details {
                found: Some(digest_text(record.computation(claim.computation), found)),
                ..record.details(claim)
            },
            None => Details::default(),
        };
        let remark = match &reported {
            Some((claim, ..)) if claim.either && verdict == Verdict::Ok => {
                Remark::By(record.computation(claim.computation))
            }
            _ => Remark::None,
        };
        self.verdicts.remark(verdict, name, remark, details)
    }
}

impl Sink<Present> for Auditor<'_> {
    fn accept(&mut self, present: Present, outcome: Option<Outcome>) -> io::Result<()> {
        let Present { name, state, size, error } = present;
        let changed = outcome.as_ref().is_some_and(|outcome| outcome.changed);
        self.verdicts.notice(&name, changed)?;
        let record = Arc::clone(&self.record);
        let computations: Vec<&Computation> = match state {
            InRecord::Listed { file, done, .. } => {
                let claims = record.claims(file).chunk_by(|a, b| a.computation == b.computation);
                claims.skip(done).map(|claims| record.computation(claims[0].computation)).collect()
            }
            InRecord::Unlisted => self.missing.computations.iter().collect(),
        };
        let found = match (outcome, error) {
            (Some(outcome), _) => {
                let (len, computations) = (outcome.len, computations.into_iter());
                let digests = of_one_file(computations, outcome, self.backend);
                Some(digests.map(|digests| Read { len, digests }))
            }
            (None, Some(error)) => Some(Err(error)),
            (None, None) => size.map(|len| Ok(Read { len, digests: Vec::new() })),
        };
        match (state, found) {
            (InRecord::Listed { file, done, is_last }, found) => {
                self.listed(&name, (file, done, is_last), found)
            }
            (InRecord::Unlisted, Some(Err(error))) => self.complain(&name, &error, None),
            (InRecord::Unlisted, found) => self.unknown(&name, found.and_then(Result::ok)),
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        self.verdicts.flush()
    }
}
