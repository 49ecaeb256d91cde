//! Which files of a directory tree are wanted.

use std::ffi::CStr;

use globset::{Candidate, Error, Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// What a walk hands out and where it goes. The default is every file, in order.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Go through directories at all.
    pub recurse: bool,
    /// How many levels of directories are gone through; the root is the first.
    pub max_depth: Option<usize>,
    /// Bytes of the largest file that is wanted.
    pub max_size: Option<u64>,
    /// Stay on the root's file system.
    pub one_file_system: bool,
    /// Follow symbolic links.
    pub follow: bool,
    /// Symbolic links are files themselves, of what they say.
    pub links: bool,
    /// Take entries as directories have them.
    pub unsorted: bool,
    /// Only these files, if there are any patterns.
    pub include: Patterns,
    /// Neither these files nor these directories.
    pub exclude: Patterns,
    /// Leave out what git would ignore, and git's own.
    pub gitignore: bool,
    /// Read files as git has them, and leave out what looks like git's own.
    pub git: bool,
    /// Tell of what is neither a file nor a directory, and so passed over.
    pub tell: bool,
    /// Tell of symbolic links, too, where they are passed over.
    pub tell_links: bool,
    /// The files that output goes to.
    pub outputs: Vec<OutputFile>,
}

/// A file that output goes to.
#[derive(Clone, Debug)]
pub struct OutputFile {
    /// Its device, and its number there.
    pub identity: (u64, u64),
    /// Its name, if it is known: directories of some file systems have other numbers.
    pub name: Option<Vec<u8>>,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of the file that output goes to, if it is among those that are hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is left out.
    LeftOut,
    /// It is left out of directories, and refused where it is named.
    Refused,
    /// It is hashed as it is, and told of.
    ToldOf,
}

impl Rules {
    /// Whether the entry `path`, relative to the root, is wanted.
    pub(super) fn admit(&self, path: &[u8], is_dir: bool) -> bool {
        let is_gits = || self.git && path.split(|byte| *byte == b'/').next_back() == Some(b".git");
        !self.exclude.is_match(path)
            && !is_gits()
            && (is_dir || self.include.0.is_empty() || self.include.is_match(path))
    }

    /// Whether the operand `path` is wanted: `.` and what leads to a parent always is.
    pub(crate) fn admit_operand(&self, path: &[u8], is_dir: bool) -> bool {
        let parts = path.split(|byte| *byte == b'/').filter(|part| !matches!(*part, b"" | b"."));
        let parts: Vec<_> = parts.collect();
        match parts.last() {
            None | Some(&b"..") => true,
            Some(_) => self.admit(&parts.join(&b'/'), is_dir),
        }
    }

    /// Whether files in a directory may be left out because of what they are called, their size or their place.
    #[must_use]
    pub fn are_narrow(&self) -> bool {
        let has_patterns = !self.include.0.is_empty() || !self.exclude.0.is_empty();
        let has_limits = self.max_depth.is_some() || self.max_size.is_some();
        has_patterns || has_limits || self.one_file_system || self.gitignore
    }

    /// Whether an entry with this name, and this number if that is known, may be a file that output goes to.
    pub(super) fn may_be_output(&self, name: &CStr, inode: Option<u64>) -> bool {
        let is_name = |known: &Vec<u8>| known == name.to_bytes();
        let is_it = |output: &OutputFile| {
            inode.is_none_or(|inode| output.identity.1 == inode)
                || output.name.as_ref().is_some_and(is_name)
        };
        self.outputs.iter().any(is_it)
    }

    /// What becomes of the file `identity`, if output goes to it.
    #[must_use]
    pub fn fate(&self, identity: (u64, u64)) -> Option<Fate> {
        let known = self.outputs.iter().find(|output| output.identity == identity);
        known.map(|output| output.fate)
    }
}

/// Shell patterns. One without a slash is about names at any depth; one with a slash is about
/// whole paths, relative to the root. `**` stands for any number of directories.
/// Patterns of paths.
#[derive(Clone, Debug)]
pub struct Patterns(GlobSet);

impl Default for Patterns {
    fn default() -> Self {
        Self(GlobSet::empty())
    }
}

impl Patterns {
    /// Patterns as in `.gitignore`: those with a slash are about paths below the root, others about
    /// names.
    ///
    /// # Errors
    /// For a pattern that is none, with what is wrong with it.
    pub fn new(patterns: &[String]) -> Result<Self, (String, String)> {
        if patterns.is_empty() {
            return Ok(Self::default());
        }
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            if pattern.trim_matches('/').is_empty() {
                return Err((pattern.clone(), "it matches nothing".to_owned()));
            }
            set.add(glob(pattern).map_err(|error| (pattern.clone(), error.kind().to_string()))?);
        }
        let whole = set.build().map_err(|error| (patterns.join(" "), error.kind().to_string()))?;
        Ok(Self(whole))
    }

    fn is_match(&self, path: &[u8]) -> bool {
        !self.0.is_empty() && self.0.is_match_candidate(&Candidate::from_bytes(path))
    }
}

fn glob(pattern: &str) -> Result<Glob, Error> {
    let anchored = pattern.trim_end_matches('/').contains('/');
    let pattern = pattern.trim_matches('/');
    let whole = if anchored { pattern.to_owned() } else { format!("**/{pattern}") };
    GlobBuilder::new(&whole).literal_separator(true).backslash_escape(true).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_admitted_by_their_names() {
        let exclude = Patterns::new(&["*.o".to_owned(), ".*".to_owned(), "/d".to_owned()]).unwrap();
        let include = Patterns::new(&["*.c".to_owned(), "*.o".to_owned()]).unwrap();
        let rules = Rules { exclude, include, ..Rules::default() };
        for (path, is_dir, expected) in [
            ("a.c", false, true),
            ("x/a.c", false, true),
            ("/x/a.o", false, false),
            ("a.h", false, false),
            ("e", true, true),
            ("d", true, false),
            ("./d/", true, false),
            (".", true, true),
            ("..", true, true),
            ("../.", true, true),
            ("x/..", true, true),
            ("./.hidden", true, false),
            ("/", true, true),
        ] {
            assert_eq!(rules.admit_operand(path.as_bytes(), is_dir), expected, "{path}");
        }
    }

    #[test]
    fn patterns_that_match_nothing_are_errors() {
        for pattern in ["", "/", "//", "[", "a{b"] {
            assert!(Patterns::new(&[pattern.to_owned()]).is_err(), "{pattern:?}");
        }
    }

    #[test]
    fn patterns_are_about_names_or_whole_paths() {
        let rows = [
            ("*.rs", "a.rs", true),
            ("*.rs", "deep/down/a.rs", true),
            ("*.rs", "a.rs/x", false),
            ("target", "deep/target", true),
            ("target/", "target", true),
            ("/target", "target", true),
            ("/target", "deep/target", false),
            ("src/*.rs", "src/a.rs", true),
            ("src/*.rs", "src/b/a.rs", false),
            ("src/**/*.rs", "src/b/c/a.rs", true),
            ("src/*.rs", "deep/src/a.rs", false),
        ];
        for (pattern, path, expected) in rows {
            let patterns = Patterns::new(&[pattern.to_owned()]).unwrap();
            assert_eq!(patterns.is_match(path.as_bytes()), expected, "{pattern} on {path}");
        }
    }
}
