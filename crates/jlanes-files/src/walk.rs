//! The files of a directory tree, in byte order of their paths.
//!
//! The order is that of `find DIR -type f | LC_ALL=C sort`: whole paths are compared, with a slash
//! after the name of a directory. Unless the rules say otherwise, symbolic links are not followed,
//! and anything that is neither a file nor a directory is skipped.

use std::{
    ffi::{CStr, CString},
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::{
    read::{OpenDir, Target},
    system::{self, Directory, working_dir},
};

mod entries;
#[cfg(feature = "patterns")]
mod gitignore;
#[cfg(feature = "patterns")]
mod glob;
#[cfg(feature = "patterns")]
mod patterns;
mod rules;

use entries::{DirEntry, Entries, EntryClass};
#[cfg(feature = "patterns")]
use gitignore::{DirIgnoreRules, IgnoreRules};
#[cfg(feature = "patterns")]
pub use patterns::Patterns;
pub use rules::{OutputFile, OutputPolicy, Rules};

/// The maximum number of directories kept open for the files in them.
const OPEN_DIRS: usize = 256;
/// These directories take at most one in this number of the files that the process may have open.
const ONE_IN_DESCRIPTORS: u64 = 4;

/// An entry found by a walk. [The crate's page](crate#a-backup) has an example.
#[derive(Debug)]
pub enum WalkEntry {
    /// A file to hash.
    File(Target),
    /// Something that could not be opened or read.
    Failed(io::Error),
    /// Nothing to hash, but something to report.
    Notice(WalkNotice),
}

/// An entry that a walk reports without an error: one that it skips, or an output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkNotice {
    /// Skipped, because it is neither a file nor a directory. The string says in a message which kind it is.
    NotAFile(&'static str),
    /// An output file. It comes next, and is hashed as far as it is written.
    OutputFile,
    /// A named output file, refused by the [rules](Rules).
    OutputRefused,
}

/// The walk through one directory tree. Every item comes with its path.
pub(crate) struct Walk {
    frames: Vec<Frame>,
    /// An item that comes before further entries: the root's error, or an output file after its notice.
    first: Option<(Vec<u8>, WalkEntry)>,
    rules: Arc<Rules>,
    /// Git's ignore rules, if they are used.
    #[cfg(feature = "patterns")]
    ignore_rules: Option<IgnoreRules>,
    /// Length of the root's path, with its slash.
    root_len: usize,
    /// The number of directories kept open.
    open: Arc<AtomicUsize>,
    budget: usize,
}

/// A directory with entries left to return.
struct Frame {
    dir: Option<Arc<OpenDir>>,
    /// The path, with a slash at its end.
    path: Vec<u8>,
    entries: Entries,
    /// Git's ignore rules here and below.
    #[cfg(feature = "patterns")]
    dir_ignore_rules: Option<DirIgnoreRules>,
    /// The device and the directory's number on it.
    identity: (u64, u64),
}

impl Walk {
    /// A walk by `rules` through the directory `root`, which may be a symbolic link.
    pub(crate) fn new(root: &[u8], rules: Arc<Rules>) -> Self {
        let share = usize::try_from(system::max_open_files() / ONE_IN_DESCRIPTORS);
        let budget = share.map_or(OPEN_DIRS, |share| share.min(OPEN_DIRS));
        let mut walk = Self {
            frames: Vec::new(),
            first: None,
            #[cfg(feature = "patterns")]
            ignore_rules: None,
            rules,
            root_len: root.len() + usize::from(!root.ends_with(b"/")),
            open: Arc::default(),
            budget,
        };
        if walk.rules.max_depth != Some(0)
            && let Err(error) = walk.begin(root)
        {
            walk.first = Some((root.to_vec(), WalkEntry::Failed(error)));
        }
        walk
    }

    /// Reads the root.
    fn begin(&mut self, root: &[u8]) -> io::Result<()> {
        #[cfg(feature = "patterns")]
        if self.rules.gitignore {
            self.ignore_rules = Some(IgnoreRules::new(root)?);
        }
        self.enter(None, &c_string(root), root, true)
    }

    /// Reads the directory `name` in `parent`, at the full path `path`.
    fn enter(
        &mut self,
        parent: Option<&OpenDir>,
        name: &CStr,
        path: &[u8],
        follow: bool,
    ) -> io::Result<()> {
        let found =
            system::open_directory(parent.map_or(working_dir(), OpenDir::at), name, follow)?;
        let identity = system::stat_directory(&found)?.identity;
        if !self.may_enter(identity)? {
            return Ok(());
        }
        let entries = Entries::read(&found, &self.rules)?;
        let mut path = path.to_vec();
        if !path.ends_with(b"/") {
            path.push(b'/');
        }
        #[cfg(feature = "patterns")]
        let dir_ignore_rules = {
            let relative = path.get(self.root_len..).unwrap_or_default();
            let rules = self.ignore_rules.as_ref();
            rules.map(|rules| rules.of_directory(&found, relative)).transpose()?
        };
        let dir = self.keep(found, identity.0);
        self.frames.push(Frame {
            dir,
            path,
            entries,
            #[cfg(feature = "patterns")]
            dir_ignore_rules,
            identity,
        });
        Ok(())
    }

    /// Returns to the parent directory, and reopens it if it was closed.
    fn leave(&mut self) {
        let Some(Frame { dir: Some(below), .. }) = self.frames.pop() else { return };
        let Some(above) = self.frames.last_mut() else { return };
        if above.dir.is_some() || self.open.load(Ordering::Relaxed) >= self.budget {
            return;
        }
        // the target of a symbolic link has another parent
        if let Ok(found) = system::open_directory(below.at(), c"..", true)
            && let Ok(stat) = system::stat_directory(&found)
            && stat.identity == above.identity
        {
            above.dir = Some(Arc::new(OpenDir::new(found, stat.identity.0, &self.open)));
        }
    }

    /// Whether the rules allow entering a directory.
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

    /// Keeps a directory open, unless too many are; then its files are opened by their full paths. A
    /// parent directory is closed first: its paths are shorter, and the system refuses paths of more
    /// than 4 KiB.
    fn keep(&mut self, found: Directory, device: u64) -> Option<Arc<OpenDir>> {
        if self.open.load(Ordering::Relaxed) >= self.budget
            && let Some(above) = self.frames.iter_mut().find(|frame| frame.dir.is_some())
        {
            above.dir = None;
        }
        (self.open.load(Ordering::Relaxed) < self.budget)
            .then(|| Arc::new(OpenDir::new(found, device, &self.open)))
    }
}

impl Iterator for Walk {
    type Item = (Vec<u8>, WalkEntry);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            let frame = self.frames.last_mut()?;
            let Some(DirEntry { name, class, may_be_output }) = frame.entries.next() else {
                self.leave();
                continue;
            };
            let path = [&frame.path, name.to_bytes()].concat();
            let dir = frame.dir.clone();
            let name = if dir.is_some() { name.into() } else { c_string(&path) };
            if let Some(item) = self.visit(dir, name, path, class, may_be_output) {
                return Some(item);
            }
        }
    }
}

impl Walk {
    /// The item for the entry `name` in `dir`, at the full path `path`, if the rules want one.
    fn visit(
        &mut self,
        dir: Option<Arc<OpenDir>>,
        name: CString,
        path: Vec<u8>,
        class: EntryClass,
        may_be_output: bool,
    ) -> Option<(Vec<u8>, WalkEntry)> {
        if !self.admits(&path[self.root_len..], class == EntryClass::Directory) {
            return None;
        }
        let follow = self.rules.follow;
        match class {
            EntryClass::File => {
                let target = Target::Walked { dir, path: name, follow, git: self.rules.git };
                self.file(path, target, may_be_output)
            }
            EntryClass::Directory => {
                if self.rules.max_depth.is_some_and(|max| self.frames.len() >= max) {
                    return None;
                }
                let error = self.enter(dir.as_deref(), &name, &path, follow).err()?;
                Some((path, WalkEntry::Failed(error)))
            }
            EntryClass::Other(kind) => Some((path, WalkEntry::Notice(WalkNotice::NotAFile(kind)))),
            EntryClass::Unexamined => {
                let parent = dir.as_ref().map_or(working_dir(), |dir| dir.at());
                match system::stat_at(parent, &name, follow) {
                    Err(error) => Some((path, WalkEntry::Failed(error))),
                    // it may exist by now
                    Ok(stat) => {
                        let class = EntryClass::of(stat.kind, &self.rules)?;
                        self.visit(dir, name, path, class, may_be_output)
                    }
                }
            }
        }
    }

    /// Whether the rules want the entry `path`, relative to the root.
    fn admits(&self, path: &[u8], is_dir: bool) -> bool {
        self.rules.admit(path, is_dir) && !self.ignores(path, is_dir)
    }

    /// Whether git's rules, if they are used, ignore the entry.
    #[cfg(feature = "patterns")]
    fn ignores(&self, path: &[u8], is_dir: bool) -> bool {
        let inside = self.frames.iter().rev().filter_map(|frame| frame.dir_ignore_rules.as_ref());
        self.ignore_rules.as_ref().is_some_and(|rules| rules.ignores(path, is_dir, inside))
    }

    #[cfg(not(feature = "patterns"))]
    fn ignores(&self, _: &[u8], _: bool) -> bool {
        false
    }

    /// The item for a file.
    fn file(
        &mut self,
        path: Vec<u8>,
        target: Target,
        may_be_output: bool,
    ) -> Option<(Vec<u8>, WalkEntry)> {
        let is_small = |max| target.size().is_none_or(|size| size <= max);
        if !self.rules.max_size.is_none_or(is_small) {
            return None;
        }
        match may_be_output.then(|| self.rules.output_policy(target.identity()?)).flatten() {
            None => Some((path, WalkEntry::File(target))),
            Some(OutputPolicy::Skip | OutputPolicy::Refuse) => None,
            Some(OutputPolicy::Report) => {
                self.first = Some((path.clone(), WalkEntry::File(target)));
                Some((path, WalkEntry::Notice(WalkNotice::OutputFile)))
            }
        }
    }
}

/// A path from the system or the command line.
fn c_string(path: &[u8]) -> CString {
    CString::new(path).expect("names of files have no NUL")
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix};

    use super::*;

    #[test]
    fn an_entry_that_exists_only_later_is_an_entry() {
        let scratch = tempfile::tempdir().unwrap();
        let at = |name| scratch.path().join(name);
        let root = at("root");
        fs::create_dir(&root).unwrap();
        for name in ["dir", "file", "socket"] {
            unix::fs::symlink(at(name), root.join(name)).unwrap();
        }
        let rules = Rules { recurse: true, follow: true, report_skipped: true, ..Rules::default() };
        let walk = Walk::new(root.as_os_str().as_encoded_bytes(), Arc::new(rules));
        fs::create_dir(at("dir")).unwrap();
        fs::write(at("dir/inside"), "").unwrap();
        fs::write(at("file"), "").unwrap();
        let _socket = unix::net::UnixListener::bind(at("socket")).unwrap();
        let found: Vec<_> = walk
            .map(|(path, found)| {
                let name = path[root.as_os_str().len() + 1..].to_vec();
                (String::from_utf8(name).unwrap(), matches!(found, WalkEntry::File(_)))
            })
            .collect();
        let expected = [("dir/inside", true), ("file", true), ("socket", false)];
        assert_eq!(found, expected.map(|(name, is_file)| (name.to_owned(), is_file)));
    }
}
