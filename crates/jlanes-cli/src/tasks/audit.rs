//! Comparing directories with lists: what matches, what changed, what moved, what is new, and what
//! is missing. `--check` cannot see a file that no list names; this can.

use std::{
    collections::HashMap,
    ffi::{OsStr, OsString},
    io,
    os::unix::ffi::OsStrExt,
    sync::Arc,
};

use jlanes::Backend;
use rustix::fs::stat;

use crate::{
    files::{Files, Found, Operands, Rules},
    hash::{Job, Outcome, Scheme, Sink, What, Work, of_one_file},
    lists::{Accepted, Listed, line::plain, reader},
    report::{Output, Voice},
};

/// What lists say, all of it: this is the one mode whose memory grows with the number of files.
#[derive(Default)]
pub(crate) struct Record {
    /// Row of each [plain] name.
    index: HashMap<Vec<u8>, usize>,
    rows: Vec<Row>,
    /// The lists themselves, which need not be listed: device and inode.
    lists: Vec<(u64, u64)>,
}

struct Row {
    name: Vec<u8>,
    scheme: Scheme,
    digest: Vec<u8>,
}

impl Record {
    /// Reads `lists`. The flag tells whether everything in them could be read.
    pub(crate) fn read(paths: Vec<OsString>, accepted: Accepted, voice: &Voice) -> (Self, bool) {
        let lists = paths.iter().filter_map(|path| identity(path)).collect();
        let mut record = Self { lists, ..Self::default() };
        let mut good = true;
        for Job { payload, .. } in reader::jobs(paths, accepted, Vec::new()) {
            match payload {
                Listed::File { name, scheme, digest } => {
                    record.index.insert(plain(&name), record.rows.len());
                    record.rows.push(Row { name, scheme, digest });
                }
                Listed::Malformed { list, line, refused, .. } => {
                    good = false;
                    let why = match refused {
                        Some(why) => format!("refused: {why}"),
                        None => "improperly formatted checksum line".to_owned(),
                    };
                    let place = format!(": {line}: {why}");
                    voice.say(&[&*voice.quote(&list), place.as_bytes()].concat());
                }
                Listed::Unreadable { list, error } => {
                    good = false;
                    voice.complain(&list, &error);
                }
                _ => {}
            }
        }
        (record, good)
    }

    /// The row about the file `name`.
    fn row(&self, name: &[u8]) -> Option<usize> {
        self.index.get(&plain(name)).copied()
    }

    /// The scheme to look at the file `name` with: its own, or the lists' first.
    fn scheme(&self, name: &[u8]) -> Scheme {
        let row = self.row(name).unwrap_or(0);
        let plain = || Scheme::plain(What::SHA256);
        self.rows.get(row).map_or_else(plain, |row| row.scheme.clone())
    }
}

/// What tells a file from all others.
fn identity(path: &OsStr) -> Option<(u64, u64)> {
    stat(path).ok().map(|stat| (stat.st_dev, stat.st_ino))
}

/// A file that is there.
pub(crate) struct Present {
    name: Vec<u8>,
    scheme: Scheme,
    /// Why there is nothing to hash.
    error: Option<io::Error>,
}

/// The files that `operands` stand for, each with the scheme that `record` has for it.
pub(crate) fn jobs(
    operands: Operands,
    rules: Rules,
    record: Arc<Record>,
) -> impl Iterator<Item = Job<Present>> + Send {
    let rules = Arc::new(rules);
    let files = operands.into_iter().flat_map(move |operand| Files::of(operand, Some(&rules)));
    files.map(move |(name, found)| {
        let scheme = record.scheme(&name);
        match found {
            Found::File(target) => {
                let work = Some(Work { schemes: Arc::new([scheme.clone()]), target });
                Job { payload: Present { name, scheme, error: None }, work }
            }
            Found::Failed(error) => {
                Job { payload: Present { name, scheme, error: Some(error) }, work: None }
            }
        }
    })
}

/// Tells how files and record differ.
pub(crate) struct Auditor<'v> {
    voice: &'v Voice,
    record: Arc<Record>,
    quiet: bool,
    backend: Backend,
    output: Output,
    /// Which rows of the record have been met.
    met: Vec<bool>,
    /// Files that the record does not name, with their digests.
    unknown: Vec<(Vec<u8>, Box<[u8]>)>,
    /// Whether nothing differs.
    pub(crate) all_good: bool,
}

impl<'v> Auditor<'v> {
    pub(crate) fn new(
        voice: &'v Voice,
        record: Arc<Record>,
        quiet: bool,
        backend: Backend,
    ) -> Self {
        let met = vec![false; record.rows.len()];
        let output = Output::default();
        Self { voice, record, quiet, backend, output, met, unknown: Vec::new(), all_good: true }
    }

    fn verdict(&mut self, name: &[u8], verdict: &[u8]) -> io::Result<()> {
        self.output.verdict(&self.voice.quote(name), verdict)
    }

    fn differs(&mut self, name: &[u8], verdict: &[u8]) -> io::Result<()> {
        self.all_good = false;
        self.verdict(name, verdict)
    }

    fn compare(&mut self, name: Vec<u8>, digest: Box<[u8]>) -> io::Result<()> {
        let record = Arc::clone(&self.record);
        let Some(row) = record.row(&name) else {
            self.unknown.push((name, digest));
            return Ok(());
        };
        self.met[row] = true;
        if record.rows[row].digest != *digest {
            return self.differs(&name, b"CHANGED");
        }
        if self.quiet { Ok(()) } else { self.verdict(&name, b"OK") }
    }

    fn complain(&mut self, name: &[u8], error: &io::Error) -> io::Result<()> {
        if let Some(row) = self.record.row(name) {
            self.met[row] = true;
        }
        self.output.flush()?;
        self.voice.complain(name, error);
        self.differs(name, b"FAILED open or read")
    }

    /// Tells what only the whole comparison shows.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(mut self) -> io::Result<bool> {
        let record = Arc::clone(&self.record);
        let absent =
            |met: &[bool], i: usize| !met[i] && record.row(&record.rows[i].name) == Some(i);
        let mut missing: HashMap<&[u8], Vec<usize>> = HashMap::new();
        // the last row of a name counts, as in the index; later rows are taken first
        for (i, row) in record.rows.iter().enumerate().rev() {
            if absent(&self.met, i) {
                missing.entry(&row.digest).or_default().push(i);
            }
        }
        for (name, digest) in std::mem::take(&mut self.unknown) {
            if identity(OsStr::from_bytes(&name)).is_some_and(|id| record.lists.contains(&id)) {
                continue;
            }
            match missing.get_mut(&*digest).and_then(Vec::pop) {
                Some(row) => {
                    self.met[row] = true;
                    let from = self.voice.quote(&record.rows[row].name).into_owned();
                    self.differs(&name, &[b"MOVED from ", &from[..]].concat())?;
                }
                None => self.differs(&name, b"NEW")?,
            }
        }
        for (i, row) in record.rows.iter().enumerate() {
            if absent(&self.met, i) {
                self.differs(&row.name, b"MISSING")?;
            }
        }
        self.output.flush()?;
        Ok(self.all_good)
    }
}

impl Sink<Present> for Auditor<'_> {
    fn accept(&mut self, file: Present, outcome: Option<Outcome>) -> io::Result<()> {
        let Present { name, scheme, error } = file;
        let changed = outcome.as_ref().is_some_and(|outcome| outcome.changed);
        self.output.notice(self.voice, &name, changed)?;
        let digest = outcome.map(|outcome| {
            let len = outcome.len;
            let digest = outcome.only_digest()?;
            Ok(of_one_file(&scheme, len, digest, self.backend))
        });
        match (digest, error) {
            (Some(Ok(digest)), _) => self.compare(name, digest),
            (Some(Err(error)), _) | (None, Some(error)) => self.complain(&name, &error),
            (None, None) => Ok(()),
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
