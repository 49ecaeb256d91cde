//! `--audit`: compares directories with lists, and reports files that match, changed, moved, are new,
//! or are missing. `--check` cannot find files that no list names; an audit does.
//!
//! Verdicts come in the order of the files. Missing files follow, in the order of the lists. A first
//! walk finds the missing files, so that an unlisted file can be reported as moved when it is hashed.

use std::{ffi::OsString, io, mem, sync::Arc};

use jlanes::Backend;
use jlanes_files::{Computation, Engine, Outcome, Rules, Sink};

use super::{NOT_BEGUN, TaskOutcome};
use crate::{
    files::Operands,
    hash::digests_of_one_file,
    lists::AcceptedDigests,
    report::{
        Console, Details, ExitState, Notice, Remark, Verdict, VerdictOptions, Verdicts, digest_text,
    },
};

mod files;
mod listing;

pub(crate) use self::listing::{Listing, PathSpellings};
use self::{
    files::{InListing, MissingFiles, PresentFile, jobs},
    listing::{Claim, UnusableLists},
};

/// The result of reading a file.
struct FileDigests {
    len: u64,
    digests: Vec<Box<[u8]>>,
}

/// Compares files with lists.
pub(crate) struct Audit {
    pub(crate) lists: Vec<OsString>,
    pub(crate) accepted: AcceptedDigests,
    pub(crate) operands: Operands,
    pub(crate) rules: Rules,
    pub(crate) ignore_missing: bool,
    /// Whether skipped entries are reported one by one.
    pub(crate) reports_skipped: bool,
    pub(crate) shown: VerdictOptions,
}

impl Audit {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, engine: &Engine, console: &Console) -> io::Result<TaskOutcome> {
        let Self { lists, accepted, operands, rules, ignore_missing, reports_skipped, shown } =
            self;
        let may_be_weak = accepted.may_be_weak();
        let (listing, good) = match Listing::read(lists, accepted, console) {
            Ok((listing, good)) => (Arc::new(listing), good),
            Err(UnusableLists) => return Ok(NOT_BEGUN),
        };
        let (names, wrong) = operands.into_names();
        wrong.iter().for_each(|(list, error)| console.report_error(list, error));
        let (rules, operands) = (Arc::new(rules), Operands::Given(names));
        let again = operands.try_clone().expect("names that were given can be had twice");
        let missing = MissingFiles::new(again, &rules, &listing);
        let jobs = jobs(operands, rules, Arc::clone(&listing), &missing);
        let verdicts = Verdicts::new(console, shown);
        let is_silent = shown.status;
        let options = AuditOptions { ignore_missing, may_be_weak, reports_skipped, is_silent };
        let auditor = Auditor::new(verdicts, listing, missing, options, engine.backend());
        let (stats, auditor) = engine.run(jobs, auditor)?;
        let formatted = if good { ExitState::Good } else { ExitState::Differs };
        let ended = auditor.finish()?.max(formatted).max(wrong.is_empty().into());
        Ok((Some(stats), ended))
    }
}

/// Compares files with the listing of the lists.
struct Auditor<'v> {
    listing: Arc<Listing>,
    missing: MissingFiles,
    options: AuditOptions,
    backend: Backend,
    verdicts: Verdicts<'v>,
    /// Whether each file of the listing was found, in its place or elsewhere.
    seen: Vec<bool>,
    current: FileComparison,
    /// Whether any file matches.
    verified: bool,
}

/// The comparison of one file with the listing, so far.
#[derive(Default)]
struct FileComparison {
    differs: bool,
    /// Whether the file could not be read.
    failed: bool,
    /// Digests in lines that do not name their algorithm: the file has those in `matched`, and not those
    /// in `unmatched`, as far as it was compared.
    unmatched: Vec<Box<[u8]>>,
    matched: Vec<Box<[u8]>>,
    /// The claim and the digest to report, and whether they differ: the first that do, or else the
    /// first.
    reported: Option<(Claim, Box<[u8]>, bool)>,
}

impl FileComparison {
    /// Compares the file with its claims by the computations after the first `done` ones.
    fn add(&mut self, listing: &Listing, (file, done): (usize, usize), read: FileDigests) {
        let by_computation =
            listing.claims(file).chunk_by(|a, b| a.computation == b.computation).skip(done);
        self.differs |= !listing.allows_size(file, read.len);
        for (claims, digest) in by_computation.zip(read.digests) {
            let is_wrong = |claim: &Claim| *claim.digest != *digest;
            let wrong = claims.iter().position(|claim| !claim.any_suffices && is_wrong(claim));
            for claim in claims.iter().filter(|claim| claim.any_suffices) {
                let side = if is_wrong(claim) { &mut self.unmatched } else { &mut self.matched };
                side.push(claim.digest.clone());
            }
            let right = claims.iter().position(|claim| claim.any_suffices && !is_wrong(claim));
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
        let is_found = |digest| self.matched.contains(digest);
        match (self.failed, self.differs || !self.unmatched.iter().all(is_found)) {
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
    pub(crate) may_be_weak: bool,
    /// Whether skipped entries are reported one by one, instead of only counted.
    pub(crate) reports_skipped: bool,
    /// Whether nothing is reported.
    pub(crate) is_silent: bool,
}

impl<'v> Auditor<'v> {
    pub(crate) fn new(
        mut verdicts: Verdicts<'v>,
        listing: Arc<Listing>,
        missing: MissingFiles,
        options: AuditOptions,
        backend: Backend,
    ) -> Self {
        let seen = vec![false; listing.files().len()];
        verdicts.count_malformed(listing.malformed());
        Self {
            listing,
            missing,
            options,
            backend,
            verdicts,
            seen,
            current: FileComparison::default(),
            verified: false,
        }
    }

    fn report_error(
        &mut self,
        name: &[u8],
        error: &io::Error,
        claim: Option<&Claim>,
    ) -> io::Result<()> {
        if matches!(Notice::of(error), Some(Notice::LeftOut(_))) && !self.options.reports_skipped {
            self.verdicts.count_left_out();
            return Ok(());
        }
        self.verdicts.report_error(name, error)?;
        if Notice::is(error) {
            return Ok(());
        }
        let listing = &self.listing;
        self.verdicts.print(Verdict::Unreadable, name, || Details {
            error: Some(error),
            ..claim.map_or(Details::default(), |claim| listing.details(claim))
        })
    }

    /// A missing file with these digests, which counts as found from now on.
    fn take_moved(&mut self, read: &FileDigests) -> Option<usize> {
        let numbers = Arc::clone(&self.missing.numbers);
        let digest_by = |computation: usize| {
            let at = numbers.iter().position(|number| *number == computation)?;
            read.digests.get(at)
        };
        for computation in numbers.iter() {
            let key = (*computation, digest_by(*computation)?.clone());
            while let Some(&file) = self.missing.files.get(&key).and_then(|files| files.last()) {
                let claims = self.listing.claims(file);
                let fits = |claim: &Claim| {
                    claim.any_suffices
                        || digest_by(claim.computation).is_none_or(|it| **it == *claim.digest)
                };
                let is_it = !self.seen[file]
                    && self.listing.allows_size(file, read.len)
                    && claims.iter().all(fits);
                if !is_it && !self.seen[file] {
                    break;
                }
                self.missing.files.get_mut(&key).and_then(Vec::pop);
                if is_it {
                    self.seen[file] = true;
                    return Some(file);
                }
            }
        }
        None
    }

    fn report_unlisted(&mut self, name: &[u8], read: Option<FileDigests>) -> io::Result<()> {
        if self.listing.is_list(name) {
            return Ok(());
        }
        let moved = read.as_ref().and_then(|read| self.take_moved(read));
        let (listing, missing) = (&self.listing, &self.missing);
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
                let expected = listing.details(&listing.claims(file)[0]);
                Details { found: expected.expected.clone(), ..expected }
            }
            (None, None) => Details::default(),
        };
        let from = moved.map_or(Remark::None, |file| Remark::From(&listing.files()[file].name));
        let verdict = if moved.is_some() { Verdict::Moved } else { Verdict::New };
        self.verdicts.print_with_remark(verdict, name, from, details)
    }

    /// Reports missing files.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(mut self) -> io::Result<ExitState> {
        let listing = Arc::clone(&self.listing);
        let seen = mem::take(&mut self.seen);
        let is_missing = |file: &usize| !seen[*file] && !self.missing.left_out.contains(file);
        let missing: Vec<_> = (0..seen.len())
            .filter(|file| is_missing(file) && !self.options.ignore_missing)
            .collect();
        for file in missing {
            let claim = listing.claims(file).first();
            let details = || claim.map(|claim| listing.details(claim)).unwrap_or_default();
            self.verdicts.print(Verdict::Missing, &listing.files()[file].name, details)?;
        }
        let ended = self.verdicts.finish(&[
            Verdict::Ok,
            Verdict::Changed,
            Verdict::Moved,
            Verdict::New,
            Verdict::Missing,
            Verdict::Unreadable,
        ])?;
        // a file may have grown past --max-size, or be in a .gitignore by now
        let left_out = self.missing.left_out.len() as u64;
        if !self.options.is_silent {
            let noun = ("listed file was", "listed files were");
            self.verdicts.warn(left_out, noun, "left out, as the options want")?;
        }
        // the list may have been emptied together with the files
        if ended == ExitState::Good && !self.verified {
            self.verdicts.say("no file was verified")?;
            return Ok(ExitState::Differs);
        }
        Ok(ended)
    }

    fn compare_listed(
        &mut self,
        name: &[u8],
        (file, done, is_last): (usize, usize, bool),
        read: Option<io::Result<FileDigests>>,
    ) -> io::Result<()> {
        self.seen[file] = true;
        match read {
            Some(Ok(read)) => self.current.add(&self.listing, (file, done), read),
            Some(Err(error)) if !mem::replace(&mut self.current.failed, true) => {
                let listing = Arc::clone(&self.listing);
                self.report_error(name, &error, listing.claims(file).first())?;
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
        let claims = self.listing.claims(file);
        if verdict == Verdict::Ok && self.options.may_be_weak {
            self.verdicts.count_if_weak(
                claims.iter().map(|claim| self.listing.computation(claim.computation).strength()),
            );
        }
        let listing = &self.listing;
        let details = || match &reported {
            Some((claim, found, _)) => Details {
                found: Some(digest_text(listing.computation(claim.computation), found)),
                ..listing.details(claim)
            },
            None => Details::default(),
        };
        let remark = match &reported {
            Some((claim, ..)) if claim.any_suffices && verdict == Verdict::Ok => {
                Remark::By(listing.computation(claim.computation))
            }
            _ => Remark::None,
        };
        self.verdicts.print_with_remark(verdict, name, remark, details)
    }
}

impl Sink<PresentFile> for Auditor<'_> {
    fn accept(&mut self, present: PresentFile, outcome: Option<Outcome>) -> io::Result<()> {
        let PresentFile { name, state, size, error } = present;
        let changed = outcome.as_ref().is_some_and(|outcome| outcome.changed);
        self.verdicts.report_if_changed(&name, changed)?;
        let listing = Arc::clone(&self.listing);
        let computations: Vec<&Computation> = match state {
            InListing::Listed { file, done, .. } => {
                let claims = listing.claims(file).chunk_by(|a, b| a.computation == b.computation);
                claims.skip(done).map(|claims| listing.computation(claims[0].computation)).collect()
            }
            InListing::Unlisted => self.missing.computations.iter().collect(),
        };
        let found = match (outcome, error) {
            (Some(outcome), _) => {
                let (len, computations) = (outcome.len, computations.into_iter());
                let digests = digests_of_one_file(computations, outcome, self.backend);
                Some(digests.map(|digests| FileDigests { len, digests }))
            }
            (None, Some(error)) => Some(Err(error)),
            (None, None) => size.map(|len| Ok(FileDigests { len, digests: Vec::new() })),
        };
        match (state, found) {
            (InListing::Listed { file, done, is_last }, found) => {
                self.compare_listed(&name, (file, done, is_last), found)
            }
            (InListing::Unlisted, Some(Err(error))) => self.report_error(&name, &error, None),
            (InListing::Unlisted, found) => self.report_unlisted(&name, found.and_then(Result::ok)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.verdicts.flush()
    }
}
