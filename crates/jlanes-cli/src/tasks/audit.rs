//! Comparing directories with lists: what matches, what changed, what moved, what is new, and what
//! is missing. `--check` cannot see a file that no list names; this can.
//!
//! Verdicts come in the order of the files, and those about files that are missing behind them, in
//! the order of the lists. So that a file which no list names can be told to have moved in its turn,
//! a first walk finds out which files are missing: what is new is hashed as they were.

use std::{
    collections::{HashMap, HashSet},
    io, mem,
    sync::Arc,
};

use jlanes::Backend;

use crate::{
    files::{Files, Found, Operands, Rules},
    hash::{Job, Outcome, Payload, Scheme, Sink, Work, of_one_file},
    lists::{line::plain, text::spelled},
    report::{Details, Notice, Remark, Verdict, Verdicts},
    system::{self, Kind},
};

mod record;

pub(crate) use record::{Claim, Record, Unusable};

/// Digests of a file that come from one read; a list may claim any number of them.
const AT_ONCE: usize = 16;

/// What is to be looked for in the place of missing files.
pub(crate) struct Sought {
    /// How files that no list names are hashed: nothing if nothing is missing.
    schemes: Arc<[Scheme]>,
    /// The missing files with such a digest, the first one last.
    files: HashMap<(usize, Vec<u8>), Vec<usize>>,
    /// Numbers of the schemes.
    numbers: Arc<[usize]>,
    /// Files that are where lists say, but not wanted.
    left_out: HashSet<usize>,
}

impl Sought {
    /// What is missing among the files that `operands` stand for.
    pub(crate) fn new(operands: Operands, rules: &Arc<Rules>, record: &Record) -> Self {
        let mut met = vec![false; record.files().len()];
        let roots = operands.again().filter(|_| rules.are_narrow());
        for (name, found) in operands.into_iter().flat_map(|operand| Files::of(operand, rules)) {
            let is_there = !matches!(found, Found::Failed(error) if Notice::is(&error));
            if is_there && let Some(file) = record.row(&name) {
                met[file] = true;
            }
        }
        let left_out: HashSet<_> = match roots {
            Some(roots) => {
                let roots: Vec<_> = roots.into_iter().flatten().map(|root| plain(&root)).collect();
                let rows = record.paths().filter(|(path, row)| !met[*row] && is_in(path, &roots));
                rows.map(|(_, row)| row).collect()
            }
            None => HashSet::new(),
        };
        left_out.iter().for_each(|row| met[*row] = true);
        let mut numbers = Vec::new();
        let mut files: HashMap<_, Vec<_>> = HashMap::new();
        let missing = (0..met.len()).rev().filter(|file| !met[*file]);
        for (file, claim) in missing.filter_map(|file| Some((file, record.sought(file)?))) {
            if !numbers.contains(&claim.scheme) {
                if numbers.len() == AT_ONCE {
                    continue;
                }
                numbers.push(claim.scheme);
            }
            files.entry((claim.scheme, claim.digest.clone())).or_default().push(file);
        }
        let schemes = numbers.iter().map(|number| record.scheme(*number).clone()).collect();
        Self { schemes, files, numbers: numbers.into(), left_out }
    }
}

/// Whether `path` is a file in one of the directories `roots`.
fn is_in(path: &[u8], roots: &[Vec<u8>]) -> bool {
    let is_below = |root: &Vec<u8>| match path.strip_prefix(&root[..]) {
        Some(rest) => root.is_empty() || root.ends_with(b"/") || rest.starts_with(b"/"),
        None => false,
    };
    let is_file = || system::stat_link(path).is_ok_and(|stat| stat.kind == Kind::File);
    roots.iter().any(is_below) && is_file()
}

/// A file that is there.
pub(crate) struct Present {
    name: Vec<u8>,
    what: What,
    /// Its size, if that is all that is compared.
    size: Option<u64>,
    /// Why there is nothing to hash.
    error: Option<io::Error>,
}

/// What is known of a file that is there.
#[derive(Clone, Copy)]
enum What {
    /// Lists name it, in this row. Claims of so many schemes have been looked at before; there may
    /// be further ones.
    Listed {
        file: usize,
        done: usize,
        is_last: bool,
    },
    Unknown,
}

/// The files that `operands` stand for, each with what `record` says that it has.
pub(crate) fn jobs(
    operands: Operands,
    rules: Arc<Rules>,
    record: Arc<Record>,
    sought: &Sought,
) -> impl Iterator<Item = Job<Present>> + Send + use<> {
    let files = operands.into_iter().flat_map(move |operand| Files::of(operand, &rules));
    let unknown = Arc::clone(&sought.schemes);
    // most files have digests of the same schemes
    let mut last: (Vec<usize>, Arc<[Scheme]>) = (Vec::new(), Arc::new([]));
    files.flat_map(move |(name, found)| {
        let file = record.row(&name);
        let present = |what, error| Present { name: name.clone(), what, size: None, error };
        match (found, file) {
            (Found::Failed(error), _) if Notice::is(&error) => {
                vec![Job { payload: present(What::Unknown, Some(error)), work: None }]
            }
            (Found::Failed(error), file) => {
                let listed = |file| What::Listed { file, done: 0, is_last: true };
                let payload = present(file.map_or(What::Unknown, listed), Some(error));
                vec![Job { payload, work: None }]
            }
            (Found::File(target), None) => {
                let schemes = Arc::clone(&unknown);
                let work = (!schemes.is_empty()).then_some(Work { digesters: schemes, target });
                vec![Job { payload: present(What::Unknown, None), work }]
            }
            (Found::File(target), Some(file)) if record.claims(file).is_empty() => {
                let what = What::Listed { file, done: 0, is_last: true };
                let payload = match target.look() {
                    Ok(stat) => Present { size: stat.map(|stat| stat.size), ..present(what, None) },
                    Err(error) => present(what, Some(error)),
                };
                vec![Job { payload, work: None }]
            }
            (Found::File(target), Some(file)) => {
                let mut numbers: Vec<_> =
                    record.claims(file).iter().map(|claim| claim.scheme).collect();
                numbers.dedup();
                let parts = numbers.chunks(AT_ONCE).enumerate();
                let job = |(i, part): (usize, &[usize])| {
                    if last.0 != part {
                        let schemes = part.iter().map(|number| record.scheme(*number).clone());
                        last = (part.to_vec(), schemes.collect());
                    }
                    let done = i * AT_ONCE;
                    let is_last = done + part.len() == numbers.len();
                    let work = Work { digesters: Arc::clone(&last.1), target: target.clone() };
                    let payload = present(What::Listed { file, done, is_last }, None);
                    Job { payload, work: Some(work) }
                };
                parts.map(job).collect()
            }
        }
    })
}

/// What was read of a file.
struct Read {
    len: u64,
    digests: Vec<Box<[u8]>>,
}

/// Tells how files and record differ.
pub(crate) struct Auditor<'v> {
    record: Arc<Record>,
    sought: Sought,
    /// Whether files that are missing do not matter.
    ignore_missing: bool,
    /// Whether lists may have chosen a hash that is broken.
    may_doubt: bool,
    backend: Backend,
    verdicts: Verdicts<'v>,
    /// Which files of the record have been met, here or elsewhere.
    met: Vec<bool>,
    /// Whether the file whose digests are being looked at has differed so far.
    differs: bool,
    /// Digests of lines that leave their algorithm open: first the ones that no algorithm has matched,
    /// then the ones that one has.
    open: Vec<Vec<u8>>,
    found: Vec<Vec<u8>>,
    /// The digest that is told of it, the first that differs, or else the first, with what should
    /// be in its place, and whether it differs.
    told: Option<(Claim, Box<[u8]>, bool)>,
    /// Whether it could not be read.
    failed: bool,
    /// Whether a file matches.
    verified: bool,
    /// Whether nothing differs.
    all_good: bool,
}

impl<'v> Auditor<'v> {
    pub(crate) fn new(
        mut verdicts: Verdicts<'v>,
        record: Arc<Record>,
        sought: Sought,
        (ignore_missing, may_doubt): (bool, bool),
        backend: Backend,
    ) -> Self {
        let met = vec![false; record.files().len()];
        verdicts.malformed(record.malformed());
        Self {
            record,
            sought,
            ignore_missing,
            may_doubt,
            backend,
            verdicts,
            met,
            differs: false,
            open: Vec::new(),
            found: Vec::new(),
            told: None,
            failed: false,
            verified: false,
            all_good: true,
        }
    }

    fn complain(
        &mut self,
        name: &[u8],
        error: &io::Error,
        claim: Option<&Claim>,
    ) -> io::Result<()> {
        self.verdicts.complain(name, error)?;
        if Notice::is(error) {
            return Ok(());
        }
        self.all_good = false;
        let record = &self.record;
        self.verdicts.tell(Verdict::Unreadable, name, || Details {
            error: Some(error),
            ..claim.map_or(Details::default(), |claim| record.details(claim))
        })
    }

    /// Compares a file with the claims of the schemes from number `done` on, until one differs.
    fn compare(&mut self, file: usize, done: usize, read: Read) {
        let record = Arc::clone(&self.record);
        let by_scheme = record.claims(file).chunk_by(|a, b| a.scheme == b.scheme).skip(done);
        self.differs |= !record.allows_size(file, read.len);
        for (claims, digest) in by_scheme.zip(read.digests) {
            let is_wrong = |claim: &Claim| *claim.digest != *digest;
            let wrong = claims.iter().position(|claim| !claim.either && is_wrong(claim));
            for claim in claims.iter().filter(|claim| claim.either) {
                let side = if is_wrong(claim) { &mut self.open } else { &mut self.found };
                side.push(claim.digest.clone());
            }
            let right = claims.iter().position(|claim| claim.either && !is_wrong(claim));
            let is_told = self.told.as_ref().is_some_and(|told| told.2);
            if self.told.is_none() || (wrong.or(right).is_some() && !is_told) {
                let claim = &claims[wrong.or(right).unwrap_or(0)];
                self.told = Some((claim.clone(), digest, wrong.is_some()));
            }
            self.differs |= wrong.is_some();
        }
    }

    /// The missing file that has been found with these digests, and counts as met now.
    fn moved(&mut self, read: &Read) -> Option<usize> {
        let sought = Arc::clone(&self.sought.numbers);
        let found = |scheme: usize| {
            let at = sought.iter().position(|number| *number == scheme)?;
            read.digests.get(at)
        };
        for scheme in sought.iter() {
            let key = (*scheme, found(*scheme)?.to_vec());
            while let Some(&file) = self.sought.files.get(&key).and_then(|files| files.last()) {
                let claims = self.record.claims(file);
                let fits = |claim: &Claim| {
                    claim.either
                        || found(claim.scheme).is_none_or(|digest| **digest == *claim.digest)
                };
                let is_it = !self.met[file]
                    && self.record.allows_size(file, read.len)
                    && claims.iter().all(fits);
                if !is_it && !self.met[file] {
                    break;
                }
                self.sought.files.get_mut(&key).and_then(Vec::pop);
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
        self.all_good = false;
        let moved = read.as_ref().and_then(|read| self.moved(read));
        let (record, sought) = (&self.record, &self.sought);
        let found = || {
            let digest = read.as_ref().and_then(|read| read.digests.first());
            sought.schemes.first().zip(digest)
        };
        let details = || match (found(), moved) {
            (Some((scheme, digest)), None) => Details {
                algorithm: Some(scheme.to_string()),
                found: Some(spelled(scheme, digest)),
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

    /// Tells what only the whole comparison shows. Returns whether nothing differs.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(mut self) -> io::Result<bool> {
        let record = Arc::clone(&self.record);
        let met = mem::take(&mut self.met);
        let is_missing = |file: &usize| !met[*file] && !self.sought.left_out.contains(file);
        let missing: Vec<_> =
            (0..met.len()).filter(|file| is_missing(file) && !self.ignore_missing).collect();
        for file in missing {
            self.all_good = false;
            let claim = record.claims(file).first();
            let details = || claim.map(|claim| record.details(claim)).unwrap_or_default();
            self.verdicts.tell(Verdict::Missing, &record.files()[file].name, details)?;
        }
        self.verdicts.finish(&[
            Verdict::Ok,
            Verdict::Changed,
            Verdict::Moved,
            Verdict::New,
            Verdict::Missing,
            Verdict::Unreadable,
        ])?;
        if self.ignore_missing && !self.verified {
            self.verdicts.say(b"no file was verified")?;
            return Ok(false);
        }
        Ok(self.all_good)
    }

    fn listed(
        &mut self,
        name: &[u8],
        (file, done, is_last): (usize, usize, bool),
        read: Option<io::Result<Read>>,
    ) -> io::Result<()> {
        self.met[file] = true;
        match read {
            Some(Ok(read)) => self.compare(file, done, read),
            Some(Err(error)) if !mem::replace(&mut self.failed, true) => {
                let record = Arc::clone(&self.record);
                self.complain(name, &error, record.claims(file).first())?;
            }
            _ => {}
        }
        if !is_last {
            return Ok(());
        }
        let told = self.told.take();
        let found = mem::take(&mut self.found);
        self.differs |= mem::take(&mut self.open).iter().any(|digest| !found.contains(digest));
        let verdict = match (mem::take(&mut self.failed), mem::take(&mut self.differs)) {
            (true, _) => return Ok(()),
            (_, true) => Verdict::Changed,
            _ => Verdict::Ok,
        };
        self.all_good &= verdict == Verdict::Ok;
        self.verified |= verdict == Verdict::Ok;
        let claims = self.record.claims(file);
        let is_broken = |claim: &Claim| self.record.scheme(claim.scheme).is_broken();
        let is_doubtful = self.may_doubt && !claims.is_empty() && claims.iter().all(is_broken);
        if verdict == Verdict::Ok && is_doubtful {
            self.verdicts.doubtful();
        }
        let record = &self.record;
        let details = || match &told {
            Some((claim, found, _)) => Details {
                found: Some(spelled(record.scheme(claim.scheme), found)),
                ..record.details(claim)
            },
            None => Details::default(),
        };
        let remark = match &told {
            Some((claim, ..)) if claim.either && verdict == Verdict::Ok => {
                Remark::By(record.scheme(claim.scheme))
            }
            _ => Remark::None,
        };
        self.verdicts.remark(verdict, name, remark, details)
    }
}

impl Payload for Present {
    fn weight(&self) -> usize {
        self.name.len()
    }
}

impl Sink<Present> for Auditor<'_> {
    fn accept(&mut self, present: Present, outcome: Option<Outcome>) -> io::Result<()> {
        let Present { name, what, size, error } = present;
        let changed = outcome.as_ref().is_some_and(|outcome| outcome.changed);
        self.verdicts.notice(&name, changed)?;
        self.all_good &= !changed;
        let record = Arc::clone(&self.record);
        let schemes: Vec<&Scheme> = match what {
            What::Listed { file, done, .. } => {
                let claims = record.claims(file).chunk_by(|a, b| a.scheme == b.scheme);
                claims.skip(done).map(|claims| record.scheme(claims[0].scheme)).collect()
            }
            What::Unknown => self.sought.schemes.iter().collect(),
        };
        let backend = self.backend;
        let digests = |Outcome { len, digests, .. }: Outcome| {
            let one = |(scheme, digest): (&&Scheme, io::Result<Box<[u8]>>)| {
                Ok(of_one_file(scheme, len, digest?, backend))
            };
            let digests = schemes.iter().zip(digests?).map(one).collect::<io::Result<_>>()?;
            Ok(Read { len, digests })
        };
        let found = match (outcome, error) {
            (Some(outcome), _) => Some(digests(outcome)),
            (None, Some(error)) => Some(Err(error)),
            (None, None) => size.map(|len| Ok(Read { len, digests: Vec::new() })),
        };
        drop(schemes);
        match (what, found) {
            (What::Listed { file, done, is_last }, found) => {
                self.listed(&name, (file, done, is_last), found)
            }
            (What::Unknown, Some(Err(error))) => self.complain(&name, &error, None),
            (What::Unknown, found) => self.unknown(&name, found.and_then(Result::ok)),
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        self.verdicts.flush()
    }
}
