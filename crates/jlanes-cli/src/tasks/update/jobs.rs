//! The files of a list that is brought up to date, and what is to be done about each.

use std::{fs, io, sync::Arc};

use super::{known::Known, stamp::Sealer};
use crate::{
    files::{Fate, Files, Found, Operands, Rules, Target},
    hash::{Job, Payload, Work},
    report::Notice,
    system::{self, FileKind, Stat},
};

/// A file of the list, or one that is to be.
pub(crate) struct Entry {
    pub(super) name: Vec<u8>,
    pub(super) row: Option<usize>,
    pub(super) state: State,
}

pub(super) enum State {
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
    let met = vec![false; known.text.record.files().len()];
    let sealer = Sealer::new(&known.schemes);
    Updates { walk: Box::new(walk), rest: 0, met, rules, known, sealer }
}

struct Updates {
    /// Whether it is an operand, its name, and what was found.
    walk: Box<dyn Iterator<Item = (bool, Vec<u8>, Found)> + Send>,
    /// Rows of the list from here on have not been looked at behind the walk.
    rest: usize,
    /// The rows of the files that the walk came across.
    met: Vec<bool>,
    rules: Arc<Rules>,
    known: Arc<Known>,
    sealer: Sealer,
}

impl Updates {
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
        let name = row.map_or(name, |row| self.known.text.record.files()[row].name.to_vec());
        let schemes = || Arc::clone(&self.known.schemes);
        let work = target.map(|target| Work { digesters: schemes(), target });
        Job { payload: Entry { name, row, state }, work }
    }

    fn gone(&self, name: Vec<u8>, row: usize) -> Job<Entry> {
        let unmounted = self.known.device(row).is_some_and(|device| is_unmounted(&name, device));
        Job {
            payload: Entry { name, row: Some(row), state: State::Gone { unmounted } },
            work: None,
        }
    }
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
        for (is_operand, name, found) in self.walk.by_ref() {
            if matches!(&found, Found::Failed(error) if Notice::is(error)) {
                return Some(self.job(name, None, found, false));
            }
            let row = self.known.text.record.row(&name);
            match row {
                Some(row) if std::mem::replace(&mut self.met[row], true) => {}
                _ => return Some(self.job(name, row, found, is_operand)),
            }
        }
        let row = (self.rest..self.met.len()).find(|row| !self.met[*row])?;
        self.rest = row + 1;
        let name = self.known.text.record.files()[row].name.to_vec();
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
        self.name.len()
    }
}
