//! The files of an update, and the decision for each: keep its lines, hash it, or remove it.

use std::{
    collections::{HashSet, VecDeque},
    fs, io, iter, mem,
    num::NonZero,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use jlanes_files::{Job, OutputPolicy, Payload, Rules, Target, Work, lists::normalized_path};

use super::old_list::{Examined, OldList};
use crate::{
    files::{OperandFile, Operands, files_of, is_link, parts_below},
    report::Notice,
    system::{self, FileKind},
};

/// The maximum number of files that are compared with the list at once.
const BATCH_FILES: usize = 4096;
/// The maximum number of them that a thread takes at once.
const THREAD_FILES: usize = 256;

/// A file of the old list or of the new one.
pub(crate) struct UpdateEntry {
    pub(super) name: Vec<u8>,
    pub(super) row: Option<usize>,
    pub(super) state: FileState,
}

/// The decision about a file, with the facts that it rests on.
pub(super) enum FileState {
    /// The files in these rows have not changed.
    Kept(Range<usize>),
    ToHash,
    Failed(io::Error),
    /// An operand that cannot be opened, so that nobody knows which of its files are gone.
    OperandFailed(io::Error),
    /// The file no longer exists.
    Gone {
        /// Whether its file system seems to be unmounted.
        unmounted: bool,
    },
}

/// The files of `operands`, followed by files that only the list names.
pub(crate) fn jobs(
    operands: Operands,
    rules: Rules,
    old_list: Arc<OldList>,
    threads: NonZero<usize>,
) -> impl Iterator<Item = Job<UpdateEntry>> + Send {
    let rules = Arc::new(rules);
    let by = Arc::clone(&rules);
    let again = operands.try_clone().filter(|_| !rules.follow);
    let roots = again.into_iter().flat_map(Operands::into_iter).flatten();
    let roots = roots.map(|root| normalized_path(&root)).collect();
    let walk = operands.into_iter().flat_map(move |operand| {
        let of = match &operand {
            Ok(name) | Err((name, _)) => name.clone(),
        };
        let files = files_of(operand, &by);
        files.map(move |(name, found)| (name == of, name, found))
    });
    let seen = vec![false; old_list.text.files()];
    let (walk, ahead, ready) = (walk.fuse(), Vec::new(), VecDeque::new());
    UpdateJobs { walk, rules, roots, old_list, threads, next: 0, seen, rest: 0, ahead, ready }
}

/// Whether the item is an operand, its name, and what the walk found.
type Walked = (bool, Vec<u8>, OperandFile);

/// An iterator over the jobs of an update. It compares files with the list in batches.
struct UpdateJobs<W> {
    walk: W,
    rules: Arc<Rules>,
    /// The plain paths of the operands, unless the walk follows links.
    roots: HashSet<Vec<u8>>,
    old_list: Arc<OldList>,
    threads: NonZero<usize>,
    /// The row after that of the last file.
    next: usize,
    /// The rows of files that the walk has found.
    seen: Vec<bool>,
    /// Rows from here on have not been examined after the walk.
    rest: usize,
    /// Files that were walked while others were examined.
    ahead: Vec<Undecided>,
    ready: VecDeque<Job<UpdateEntry>>,
}

/// A file, its row, and the decision, unless the file must be examined first.
struct Undecided {
    is_operand: bool,
    name: Vec<u8>,
    row: Option<usize>,
    found: Result<Target, FileState>,
}

impl<W: Iterator<Item = Walked>> UpdateJobs<W> {
    /// The next file of the walk that was not found before.
    fn next_walked(&mut self) -> Option<Undecided> {
        loop {
            let (is_operand, name, found) = self.walk.next()?;
            let is_notice = matches!(&found, OperandFile::Failed(error) if Notice::is(error));
            let row = if is_notice { None } else { self.old_list.text.row(&name, self.next) };
            let found = match found {
                OperandFile::File(target) => Ok(target),
                // an unreadable file in a directory is reported when it is read
                OperandFile::Failed(error) if is_operand && !is_notice => {
                    Err(FileState::OperandFailed(error))
                }
                OperandFile::Failed(error) => Err(FileState::Failed(error)),
            };
            if let Some(row) = row {
                self.next = row + 1;
                if mem::replace(&mut self.seen[row], true) {
                    continue;
                }
            }
            return Some(Undecided { is_operand, name, row, found });
        }
    }

    /// The next file that only the list names.
    fn next_unwalked(&mut self) -> Option<Undecided> {
        let row = (self.rest..self.seen.len()).find(|row| !self.seen[*row])?;
        self.rest = row + 1;
        let name = self.old_list.text.name(row).into_owned();
        // the list may have a line about itself
        let is_wanted = |target: &Target| {
            let found = target.stat()?;
            io::Result::Ok(found.is_some_and(|file| {
                file.kind == FileKind::File
                    && self.rules.output_policy(file.identity) != Some(OutputPolicy::Skip)
            }))
        };
        let gone = || {
            let device = self.old_list.text.stamp(row).and_then(|stamp| stamp.device());
            FileState::Gone { unmounted: device.is_some_and(|device| is_unmounted(&name, device)) }
        };
        let found = match Target::named(&name).and_then(|target| Ok((is_wanted(&target)?, target)))
        {
            Ok((true, _)) if is_linked(&name, &self.roots) => Err(gone()),
            Ok((true, target)) => Ok(target),
            Ok((false, _)) => Err(gone()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(gone()),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Err(gone()),
            Err(error) => Err(FileState::Failed(error)),
        };
        Some(Undecided { is_operand: false, name, row: Some(row), found })
    }

    /// The next files of the walk, or after it files that only the list names.
    fn batch(&mut self) -> Vec<Undecided> {
        let mut files: Vec<_> = iter::from_fn(|| self.next_walked()).take(BATCH_FILES).collect();
        if files.is_empty() {
            files.extend(iter::from_fn(|| self.next_unwalked()).take(BATCH_FILES));
        }
        files
    }

    /// Examines `files` on all threads, and continues the walk meanwhile.
    fn examine(&mut self, files: &[Undecided]) -> Vec<Examined> {
        let old_list = Arc::clone(&self.old_list);
        let targets: Vec<_> =
            files.iter().filter_map(|file| Some((file.row, file.found.as_ref().ok()?))).collect();
        let parts = targets.chunks(THREAD_FILES);
        let helpers = self.threads.get().min(parts.len()).saturating_sub(1);
        let (queue, done) = (Mutex::new(parts.enumerate()), Mutex::new(Vec::new()));
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some((at, part)) = next() {
                let examined = old_list.examine(part);
                done.lock().unwrap_or_else(PoisonError::into_inner).push((at, examined));
            }
        };
        thread::scope(|scope| {
            for _ in 0..helpers {
                // if the system refuses a thread, the others do the work
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            self.ahead = self.batch();
            work();
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(at, _)| *at);
        done.into_iter().flat_map(|(_, examined)| examined).collect()
    }

    /// Appends the job for `file`. `examine` returns the file's state.
    fn add(&mut self, file: Undecided, examine: impl FnOnce() -> Examined) {
        let Undecided { is_operand, name, row, found } = file;
        let (state, target) = match found.map(|target| (examine(), target)) {
            Err(state) => (state, None),
            Ok((Examined::Unchanged(row), _)) => {
                if let Some(Job {
                    payload: UpdateEntry { state: FileState::Kept(rows), .. }, ..
                }) = self.ready.back_mut()
                    && rows.end == row
                {
                    rows.end += 1;
                    return;
                }
                (FileState::Kept(row..row + 1), None)
            }
            Ok((Examined::Other(Err(error)), _)) if is_operand => {
                (FileState::OperandFailed(error), None)
            }
            Ok((Examined::Other(_), target)) => (FileState::ToHash, Some(target)),
        };
        // a file keeps the name that it has in the list
        let name = row.map_or(name, |row| self.old_list.text.name(row).into_owned());
        let computations = || Arc::clone(&self.old_list.computations);
        let work = target.map(|target| Work { computations: computations(), target });
        self.ready.push_back(Job { payload: UpdateEntry { name, row, state }, work });
    }
}

/// Whether `name` leads to a file through a link below one of the directories `roots`: a walk that does
/// not follow links cannot find that file, so an audit reports it as missing.
fn is_linked(name: &[u8], roots: &HashSet<Vec<u8>>) -> bool {
    let name = normalized_path(name);
    parts_below(&system::path(&name), roots).is_some_and(|mut parts| parts.any(is_link))
}

/// Whether the file `name`, which was on `device`, seems to be missing because its file system is not
/// mounted: the nearest existing directory is empty, and on another device.
fn is_unmounted(name: &[u8], device: u64) -> bool {
    let path = system::path(name);
    let mut above = path.ancestors().skip(1);
    let dir = above.find_map(|dir| {
        let dir = if dir.as_os_str().is_empty() { ".".as_ref() } else { dir };
        let stat = system::stat(&system::bytes(dir.as_os_str())).ok()?;
        (stat.kind == FileKind::Directory).then_some((dir, stat.identity.0))
    });
    dir.is_some_and(|(dir, now)| {
        now != device && fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none())
    })
}

impl<W: Iterator<Item = Walked>> Iterator for UpdateJobs<W> {
    type Item = Job<UpdateEntry>;

    fn next(&mut self) -> Option<Job<UpdateEntry>> {
        if self.ready.is_empty() {
            let mut files = mem::take(&mut self.ahead);
            if files.is_empty() {
                files = self.batch();
            }
            let mut examined = self.examine(&files).into_iter();
            for file in files {
                self.add(file, || examined.next().expect("each file was examined"));
            }
        }
        self.ready.pop_front()
    }
}

impl Payload for UpdateEntry {
    fn weight(&self) -> usize {
        self.name.len()
    }
}
