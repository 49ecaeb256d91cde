//! The files of a directory tree, in byte order of their paths.
//!
//! The order is that of `find DIR -type f | LC_ALL=C sort`: whole paths are compared, in which a
//! directory's name is followed by a slash. Symbolic links are not followed, and what is neither a
//! file nor a directory is passed over, unless the rules say otherwise.

use std::{
    ffi::{CStr, CString},
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::{
    read::{Dir, Target},
    system::{self, At, Directory, Kind, here},
};

mod entries;
mod ignored;
mod rules;

use entries::{Class, Entries, Named};
use ignored::{Layer, Outside};
pub use rules::{Fate, OutputFile, Patterns, Rules};

/// The most directories that are kept open for the files in them, and the part of the allowed
/// descriptors that this may be.
const OPEN_DIRS: usize = 256;
const SHARE: u64 = 4;

/// What a walk comes across.
pub enum Found {
    /// A file that is wanted.
    File(Target),
    /// What could not be opened or read.
    Failed(io::Error),
    /// What is only told of.
    Skipped(Skipped),
}

/// What is told of, and not handed out as a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// It is neither a file nor a directory, but this, and is left out.
    Other(&'static str),
    /// Output goes to it; it comes next, and is hashed as far as it is there.
    Output,
    /// Output goes to it, and it is named, which the [rules](Rules) refuse.
    Refused,
}

/// A walk through one directory tree. Every item comes with its path.
pub(crate) struct Walk {
    frames: Vec<Frame>,
    /// What comes before everything else.
    first: Option<(Vec<u8>, Found)>,
    rules: Arc<Rules>,
    /// What git would leave out, if that is left out.
    outside: Option<Outside>,
    /// Length of the root's path, with its slash.
    root: usize,
    /// Directories that are kept open.
    open: Arc<AtomicUsize>,
    budget: usize,
}

/// A directory whose entries are being handed out.
struct Frame {
    dir: Option<Arc<Dir>>,
    /// Path with a slash at its end.
    path: Vec<u8>,
    entries: Entries,
    /// What git would leave out here and below.
    ignored: Option<Layer>,
    /// What tells it from all others.
    identity: (u64, u64),
}

impl Walk {
    /// A walk by `rules` through the directory `root`, which may be a symbolic link.
    pub(crate) fn new(root: &[u8], rules: Arc<Rules>) -> Self {
        let share = usize::try_from(system::descriptors() / SHARE);
        let budget = share.map_or(OPEN_DIRS, |share| share.min(OPEN_DIRS));
        let mut walk = Self {
            frames: Vec::new(),
            first: None,
            outside: rules.gitignore.then(|| Outside::new(root)),
            rules,
            root: root.len() + usize::from(!root.ends_with(b"/")),
            open: Arc::default(),
            budget,
        };
        if walk.rules.max_depth != Some(0)
            && let Err(error) = walk.enter(None, &c_string(root), root, true)
        {
            walk.first = Some((root.to_vec(), Found::Failed(error)));
        }
        walk
    }

    /// Reads the directory `name` in `parent`, whose whole path is `path`.
    fn enter(
        &mut self,
        parent: Option<&Dir>,
        name: &CStr,
        path: &[u8],
        follow: bool,
    ) -> io::Result<()> {
        let found = system::open_directory(parent.map_or(here(), Dir::at), name, follow)?;
        let identity = system::stat_directory(&found)?.identity;
        if !self.may_enter(identity)? {
            return Ok(());
        }
        let entries = Entries::read(&found, &self.rules)?;
        let mut path = path.to_vec();
        if !path.ends_with(b"/") {
            path.push(b'/');
        }
        let relative = path.get(self.root..).unwrap_or_default();
        let ignored = self.outside.as_ref().map(|outside| outside.inside(&found, relative));
        let dir = self.keep(found, identity.0);
        self.frames.push(Frame { dir, path, entries, ignored, identity });
        Ok(())
    }

    /// Goes back to the directory above, and opens it again if that has been given up.
    fn leave(&mut self) {
        let Some(Frame { dir: Some(below), .. }) = self.frames.pop() else { return };
        let Some(above) = self.frames.last_mut() else { return };
        if above.dir.is_some() || self.open.load(Ordering::Relaxed) >= self.budget {
            return;
        }
        // what is behind a symbolic link has another parent
        if let Ok(found) = system::open_directory(below.at(), c"..", true)
            && let Ok(stat) = system::stat_directory(&found)
            && stat.identity == above.identity
        {
            above.dir = Some(Arc::new(Dir::new(found, stat.identity.0, &self.open)));
        }
    }

    /// Whether the rules allow to go into a directory.
    fn may_enter(&self, to: (u64, u64)) -> io::Result<bool> {
        let Some(root) = self.frames.first() else { return Ok(true) };
        if self.rules.one_file_system && to.0 != root.identity.0 {
            return Ok(false);
        }
        if self.rules.follow && self.frames.iter().any(|frame| frame.identity == to) {
            return Err(system::too_many_links());
        }
        Ok(true)
    }

    /// Keeps a directory open, if it is not one too many; its files are opened by their whole
    /// paths then. Rather is one above it given up, whose paths are shorter, as the system takes
    /// none of more than 4 KiB.
    fn keep(&mut self, found: Directory, device: u64) -> Option<Arc<Dir>> {
        if self.open.load(Ordering::Relaxed) >= self.budget
            && let Some(above) = self.frames.iter_mut().find(|frame| frame.dir.is_some())
        {
            above.dir = None;
        }
        (self.open.load(Ordering::Relaxed) < self.budget)
            .then(|| Arc::new(Dir::new(found, device, &self.open)))
    }
}

impl Iterator for Walk {
    type Item = (Vec<u8>, Found);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            let frame = self.frames.last_mut()?;
            let Some(Named { name, class, may_be_output }) = frame.entries.next() else {
                self.leave();
                continue;
            };
            let is_dir = class == Class::Directory;
            let path = [&frame.path, name.to_bytes()].concat();
            let dir = frame.dir.clone();
            let name = if dir.is_some() { name.into() } else { c_string(&path) };
            if !self.admits(&path[self.root..], is_dir) {
                continue;
            }
            let follow = self.rules.follow;
            match class {
                Class::File => {
                    let target = Target::Walked { dir, path: name, follow, git: self.rules.git };
                    if let Some(file) = self.file(path, target, may_be_output) {
                        return Some(file);
                    }
                }
                Class::Directory => {
                    if self.rules.max_depth.is_some_and(|max| self.frames.len() >= max) {
                        continue;
                    }
                    if let Err(error) = self.enter(dir.as_deref(), &name, &path, follow) {
                        return Some((path, Found::Failed(error)));
                    }
                }
                Class::Other(kind) => {
                    return Some((path, Found::Skipped(Skipped::Other(kind))));
                }
                Class::Dangling => {
                    let parent = dir.as_ref().map_or(here(), |dir| dir.at());
                    // it may be there by now
                    if let Err(error) = system::stat_at(parent, &name, true) {
                        return Some((path, Found::Failed(error)));
                    }
                }
            }
        }
    }
}

impl Walk {
    /// Whether the entry `path`, relative to the root, is wanted.
    fn admits(&self, path: &[u8], is_dir: bool) -> bool {
        if !self.rules.admit(path, is_dir) {
            return false;
        }
        let Some(outside) = &self.outside else { return true };
        let inside = self.frames.iter().rev().filter_map(|frame| frame.ignored.as_ref());
        !outside.has(path, is_dir, inside)
    }

    /// What is handed out for a file.
    fn file(
        &mut self,
        path: Vec<u8>,
        target: Target,
        may_be_output: bool,
    ) -> Option<(Vec<u8>, Found)> {
        let is_small = |max| target.size().is_none_or(|size| size <= max);
        if !self.rules.max_size.is_none_or(is_small) {
            return None;
        }
        match may_be_output.then(|| self.rules.fate(target.identity()?)).flatten() {
            None => Some((path, Found::File(target))),
            Some(Fate::LeftOut | Fate::Refused) => None,
            Some(Fate::ToldOf) => {
                self.first = Some((path.clone(), Found::File(target)));
                Some((path, Found::Skipped(Skipped::Output)))
            }
        }
    }
}

/// A path from the system or from the command line.
fn c_string(path: &[u8]) -> CString {
    CString::new(path).expect("names of files have no NUL")
}

/// What `name` in `dir` is, where the directory itself does not tell.
fn kind_of(dir: At<'_>, name: &CStr, follow: bool) -> Kind {
    system::stat_at(dir, name, follow).map_or(Kind::Unknown, |stat| stat.kind)
}
