//! The files of a list that is brought up to date, and what is to be done about each.

use std::{collections::VecDeque, fs, io, num::NonZero, panic::resume_unwind, sync::Arc, thread};

use super::{
    known::Known,
    rows::{Rows, Told},
    stamp::{self, Sealer},
};
use crate::{
    files::{Fate, Files, Found, Operands, Rules, Target},
    hash::{Job, Payload, Work},
    report::Notice,
    system::{self, FileKind, Stat},
};

/// Files that are compared at once with rows of the list, and the fewest that are worth a thread. The
/// engine takes many such batches ahead, which hold the files' names.
const BATCH: usize = 1024;
const SHARE: usize = 256;

/// A file of the list, or one that is to be.
pub(crate) struct Entry {
    pub(super) name: Vec<u8>,
    pub(super) row: Option<usize>,
    pub(super) state: State,
}

pub(super) enum State {
    /// These files are as they were, and are next in the list.
    Same(Vec<Vec<u8>>),
    /// It is like this, and has the digests that the list has.
    Kept(Stat),
    /// It was like this before it was read.
    Hashed(Option<Stat>),
    Failed(io::Error),
    /// It is an operand that cannot be opened: nobody knows what is gone of it.
    Lost(io::Error),
    /// There is no such file any more.
    Gone {
        /// Whether its file system seems to be gone, too.
        unmounted: bool,
    },
}

/// The files of `operands`, then the files that only the list names.
pub(crate) fn jobs(
    operands: Operands,
    rules: Rules,
    known: Arc<Known>,
    threads: NonZero<usize>,
) -> impl Iterator<Item = Job<Entry>> + Send {
    let rules = Arc::new(rules);
    let by = Arc::clone(&rules);
    let walk = operands.into_iter().flat_map(move |operand| {
        let of = match &operand {
            Ok(name) | Err((name, _)) => name.clone(),
        };
        let files = Files::of(operand, &by);
        files.map(move |(name, found)| (name == of, name, found))
    });
    let (rows, sealer) = (known.rows(), Sealer::new(&known.schemes));
    let (walk, held) = (Box::new(walk.fuse()), VecDeque::new());
    Updates { walk, held, rows, same: 0, rest: 0, met: None, rules, known, sealer, threads }
}

/// Whether it is an operand, its name, and what was found.
type Walked = (bool, Vec<u8>, Found);

struct Updates {
    walk: Box<dyn Iterator<Item = Walked> + Send>,
    /// Items that come before the rest of the walk.
    held: VecDeque<Walked>,
    /// The rest of the list, as long as all is as it was.
    rows: Option<Rows>,
    /// How many files were.
    same: usize,
    /// Rows of the list from here on have not been looked at behind the walk.
    rest: usize,
    /// The rows of the files that the walk came across, once anything differs.
    met: Option<Vec<bool>>,
    rules: Arc<Rules>,
    known: Arc<Known>,
    sealer: Sealer,
    threads: NonZero<usize>,
}

/// A file that the walk and the list have in the same place.
struct Paired {
    is_operand: bool,
    name: Vec<u8>,
    target: Target,
    told: Told,
}

impl Paired {
    /// Whether the file is the one that the list has the digest of; `text` has what the list tells.
    fn is_same(&self, text: &[u8], known: &Known, sealer: &Sealer) -> bool {
        let (digest, stamp) = &self.told;
        let Some(seal) = stamp::seal(&text[stamp.clone()]) else { return false };
        let Ok(Some(stat)) = self.target.look() else { return false };
        known.is_sealed(&stat, &self.name, &[&text[digest.clone()]], seal, sealer)
    }
}

impl Updates {
    /// The next files of the walk, as far as they are the next ones of the list and as they were.
    fn same(&mut self, mut rows: Rows) -> Option<Job<Entry>> {
        let (mut paired, mut text) = (Vec::new(), Vec::new());
        while paired.len() < BATCH
            && let Some((is_operand, name, found)) = self.walk.next()
        {
            let told = match &found {
                Found::File(_) => rows.find(&name, &mut text),
                Found::Failed(_) => None,
            };
            match (found, told) {
                (Found::File(target), Some(told)) => {
                    paired.push(Paired { is_operand, name, target, told });
                }
                (found, _) => {
                    self.held.push_back((is_operand, name, found));
                    break;
                }
            }
        }
        if paired.is_empty() && self.held.is_empty() {
            if rows.is_at_end() {
                self.met = Some(Vec::new());
            }
            return None;
        }
        let others = paired.split_off(self.count_same(&paired, &text));
        if others.is_empty() && self.held.front().is_none_or(|(.., found)| is_notice(found)) {
            self.rows = Some(rows);
        }
        for Paired { is_operand, name, target, .. } in others.into_iter().rev() {
            self.held.push_front((is_operand, name, Found::File(target)));
        }
        self.same += paired.len();
        let names: Vec<_> = paired.into_iter().map(|file| file.name).collect();
        let entry = |names| Entry { name: Vec::new(), row: None, state: State::Same(names) };
        (!names.is_empty()).then(|| Job { payload: entry(names), work: None })
    }

    /// How many files of `paired`, from the first one on, are as they were.
    fn count_same(&self, paired: &[Paired], text: &[u8]) -> usize {
        let known = &self.known;
        let count = |files: &[Paired], sealer: &Sealer| {
            let differs = |file: &Paired| !file.is_same(text, known, sealer);
            files.iter().position(differs).unwrap_or(files.len())
        };
        let each = paired.len().div_ceil(self.threads.get()).max(SHARE);
        let (first, others) = paired.split_at(each.min(paired.len()));
        thread::scope(|scope| {
            let spawn = |part| {
                let sealer = self.sealer.clone();
                let helper = thread::Builder::new();
                // if the system refuses a thread, this one does the work
                helper.spawn_scoped(scope, move || count(part, &sealer)).map_err(|_| part)
            };
            let others: Vec<_> = others.chunks(each).map(spawn).collect();
            let mut same = count(first, &self.sealer);
            for (part, other) in (1..).zip(others) {
                let of_it = match other {
                    Ok(helper) => helper.join().unwrap_or_else(|panic| resume_unwind(panic)),
                    Err(part) => count(part, &self.sealer),
                };
                if same == part * each {
                    same += of_it;
                }
            }
            same
        })
    }

    fn job(&self, name: Vec<u8>, row: Option<usize>, found: Found, is_operand: bool) -> Job<Entry> {
        let failed = |error| if is_operand { State::Lost(error) } else { State::Failed(error) };
        let (state, target) = match found {
            Found::Failed(error) if Notice::is(&error) => (State::Failed(error), None),
            Found::Failed(error) => (failed(error), None),
            Found::File(target) => match (target.look(), row) {
                // reading the files of a directory reports what is wrong with one
                (Err(error), _) if is_operand => (State::Lost(error), None),
                (Ok(Some(stat)), Some(row))
                    if self.known.is_unchanged(row, &stat, &self.sealer) =>
                {
                    (State::Kept(stat), None)
                }
                (looked, _) => (State::Hashed(looked.ok().flatten()), Some(target)),
            },
        };
        // a list goes on with the names that it has
        let name = row.map_or(name, |row| self.known.text().record.files()[row].name.to_vec());
        let schemes = || Arc::clone(&self.known.schemes);
        let work = target.map(|target| Work { digesters: schemes(), target });
        Job { payload: Entry { name, row, state }, work }
    }

    /// The rows that the walk came across.
    fn met(&mut self) -> &mut [bool] {
        let (known, same) = (&self.known, self.same);
        self.met.get_or_insert_with(|| {
            let files = known.text().record.files().len();
            (0..files).map(|row| row < same).collect()
        })
    }

    fn gone(&self, name: Vec<u8>, row: usize) -> Job<Entry> {
        let unmounted = self.known.device(row).is_some_and(|device| is_unmounted(&name, device));
        Job {
            payload: Entry { name, row: Some(row), state: State::Gone { unmounted } },
            work: None,
        }
    }
}

/// Whether this is only to be told.
fn is_notice(found: &Found) -> bool {
    matches!(found, Found::Failed(error) if Notice::is(error))
}

/// Whether the file `name`, which was on `device`, seems to be missing because that is not mounted:
/// the nearest directory that there is has nothing in it, and is elsewhere.
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

impl Iterator for Updates {
    type Item = Job<Entry>;

    fn next(&mut self) -> Option<Job<Entry>> {
        if self.held.is_empty()
            && let Some(rows) = self.rows.take()
            && let Some(job) = self.same(rows)
        {
            return Some(job);
        }
        while let Some((is_operand, name, found)) =
            self.held.pop_front().or_else(|| self.walk.next())
        {
            if is_notice(&found) {
                return Some(self.job(name, None, found, false));
            }
            let row = self.known.text().record.row(&name);
            match row {
                Some(row) if std::mem::replace(&mut self.met()[row], true) => {}
                _ => return Some(self.job(name, row, found, is_operand)),
            }
        }
        let rest = self.rest;
        let met = self.met();
        let row = (rest..met.len()).find(|row| !met[*row])?;
        self.rest = row + 1;
        let name = self.known.text().record.files()[row].name.to_vec();
        // the list itself may have a line in it
        let is_wanted = |target: &Target| {
            let looked = target.look()?;
            io::Result::Ok(looked.is_some_and(|file| {
                file.kind == FileKind::File && self.rules.fate(file.identity) != Some(Fate::LeftOut)
            }))
        };
        Some(match Target::named(&name).and_then(|target| Ok((is_wanted(&target)?, target))) {
            Ok((true, target)) => self.job(name, Some(row), Found::File(target), false),
            Ok((false, _)) => self.gone(name, row),
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.gone(name, row),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => self.gone(name, row),
            Err(error) => self.job(name, Some(row), Found::Failed(error), false),
        })
    }
}

impl Payload for Entry {
    fn weight(&self) -> usize {
        let same = if let State::Same(names) = &self.state { &names[..] } else { &[] };
        self.name.len() + same.iter().map(Vec::len).sum::<usize>()
    }
}
