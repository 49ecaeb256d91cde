//! Rules for choosing files of a directory tree.

use std::ffi::CStr;

#[cfg(feature = "patterns")]
use super::Patterns;

/// The files that a walk returns, and the directories that it enters. By default, that is a single
/// named file and no directory; with `recurse: true`, it is every file below a directory, in order.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Enter directories; otherwise a directory is an error, as with `File::open`.
    pub recurse: bool,
    /// The number of directory levels to enter; the root is the first.
    pub max_depth: Option<usize>,
    /// The size of the largest file wanted, in bytes.
    pub max_size: Option<u64>,
    /// Stay on the root's file system.
    pub one_file_system: bool,
    /// Follow symbolic links.
    pub follow: bool,
    /// Hash the target paths of symbolic links.
    pub hash_links: bool,
    /// Return entries in the order of the directory.
    pub unsorted: bool,
    /// The patterns of the only files wanted, if there are any.
    #[cfg(feature = "patterns")]
    pub include: Patterns,
    /// The patterns of files and directories that are skipped.
    #[cfg(feature = "patterns")]
    pub exclude: Patterns,
    /// Skip files that git's ignore patterns match, tracked or not, and git's own files. In a repository,
    /// the program `git`, if it is installed, is asked for its configuration.
    #[cfg(feature = "patterns")]
    pub gitignore: bool,
    /// Read files as git stores them, and skip files that look like git's own.
    pub git: bool,
    /// Report entries that are skipped because they are neither files nor directories.
    pub report_skipped: bool,
    /// Report symbolic links that are skipped, too.
    pub report_links: bool,
    /// The output files.
    pub outputs: Vec<OutputFile>,
}

/// An output file.
#[derive(Clone, Debug)]
pub struct OutputFile {
    /// Its device and its number on it.
    pub identity: (u64, u64),
    /// Its name, if known: in some file systems, the number in a directory is another one.
    pub name: Option<Vec<u8>>,
    /// The treatment of the file.
    pub policy: OutputPolicy,
}

/// The treatment of an output file that is among the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputPolicy {
    /// Skipped.
    Skip,
    /// Skipped in directories, and refused by name.
    Refuse,
    /// Hashed as it is, and reported.
    Report,
}

impl Rules {
    /// Whether the entry `path`, relative to the root, is wanted.
    pub(super) fn admit(&self, path: &[u8], is_dir: bool) -> bool {
        let is_gits = || self.git && path.split(|byte| *byte == b'/').next_back() == Some(b".git");
        !is_gits() && self.matches(path, is_dir)
    }

    #[cfg(feature = "patterns")]
    fn matches(&self, path: &[u8], is_dir: bool) -> bool {
        let is_included = || is_dir || self.include.is_empty() || self.include.is_match(path);
        !self.exclude.is_match(path) && is_included()
    }

    #[cfg(not(feature = "patterns"))]
    fn matches(&self, _: &[u8], _: bool) -> bool {
        true
    }

    /// Whether the rules want the operand `path`: `.` and paths that end in a parent always.
    pub(crate) fn admit_operand(&self, path: &[u8], is_dir: bool) -> bool {
        let parts = path.split(|byte| *byte == b'/').filter(|part| !matches!(*part, b"" | b"."));
        let parts: Vec<_> = parts.collect();
        match parts.last() {
            None | Some(&b"..") => true,
            Some(_) => self.admit(&parts.join(&b'/'), is_dir),
        }
    }

    /// Whether a file of a directory may be skipped because of its name, size or place.
    #[must_use]
    pub fn may_skip_files(&self) -> bool {
        #[cfg(feature = "patterns")]
        let has_patterns = !self.include.is_empty() || !self.exclude.is_empty() || self.gitignore;
        #[cfg(not(feature = "patterns"))]
        let has_patterns = false;
        let has_limits = self.max_depth.is_some() || self.max_size.is_some();
        has_patterns || has_limits || self.one_file_system
    }

    /// Whether an entry with this name, and this number if known, may be an output file.
    pub(super) fn may_be_output(&self, name: &CStr, inode: Option<u64>) -> bool {
        let is_name = |known: &Vec<u8>| known == name.to_bytes();
        let is_it = |output: &OutputFile| {
            inode.is_none_or(|inode| output.identity.1 == inode)
                || output.name.as_ref().is_some_and(is_name)
        };
        self.outputs.iter().any(is_it)
    }

    /// The treatment of the file `identity`, if it is an output file.
    #[must_use]
    pub fn output_policy(&self, identity: (u64, u64)) -> Option<OutputPolicy> {
        let known = self.outputs.iter().find(|output| output.identity == identity);
        known.map(|output| output.policy)
    }
}
