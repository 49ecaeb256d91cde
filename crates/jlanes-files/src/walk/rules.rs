//! Rules for choosing files of a directory tree.

use std::ffi::CStr;

use globset::{Candidate, Error, Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// What a walk returns and where it goes. The default is every file, in order.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Enter directories at all.
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
    pub links: bool,
    /// Return entries in the order of the directory.
    pub unsorted: bool,
    /// Only these files, if there are any patterns.
    pub include: Patterns,
    /// Neither these files nor these directories.
    pub exclude: Patterns,
    /// Skip what git would ignore, and git's own files.
    pub gitignore: bool,
    /// Read files as git stores them, and skip what looks like git's own files.
    pub git: bool,
    /// Report what is skipped because it is neither a file nor a directory.
    pub tell: bool,
    /// Report symbolic links, too, if they are skipped.
    pub tell_links: bool,
    /// The output files.
    pub outputs: Vec<OutputFile>,
}

/// An output file.
#[derive(Clone, Debug)]
pub struct OutputFile {
    /// Its device and its number on it.
    pub identity: (u64, u64),
    /// Its name, if it is known: directories of some file systems report other numbers.
    pub name: Option<Vec<u8>>,
    /// How to treat it.
    pub fate: Fate,
}

/// How to treat an output file that is among the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Skipped.
    LeftOut,
    /// Skipped in directories, and refused if it is named.
    Refused,
    /// Hashed as it is, and reported.
    ToldOf,
}

impl Rules {
    /// Whether the entry `path`, relative to the root, is wanted.
    pub(super) fn admit(&self, path: &[u8], is_dir: bool) -> bool {
        let is_gits = || self.git && path.split(|byte| *byte == b'/').next_back() == Some(b".git");
        !self.exclude.is_match(path)
            && !is_gits()
            && (is_dir || self.include.is_empty() || self.include.is_match(path))
    }

    /// Whether the operand `path` is wanted: `.` and paths that end in a parent always are.
    pub(crate) fn admit_operand(&self, path: &[u8], is_dir: bool) -> bool {
        let parts = path.split(|byte| *byte == b'/').filter(|part| !matches!(*part, b"" | b"."));
        let parts: Vec<_> = parts.collect();
        match parts.last() {
            None | Some(&b"..") => true,
            Some(_) => self.admit(&parts.join(&b'/'), is_dir),
        }
    }

    /// Whether files of a directory may be skipped because of their name, size or place.
    #[must_use]
    pub fn are_narrow(&self) -> bool {
        let has_patterns = !self.include.is_empty() || !self.exclude.is_empty();
        let has_limits = self.max_depth.is_some() || self.max_size.is_some();
        has_patterns || has_limits || self.one_file_system || self.gitignore
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

    /// How to treat the file `identity`, if it is an output file.
    #[must_use]
    pub fn fate(&self, identity: (u64, u64)) -> Option<Fate> {
        let known = self.outputs.iter().find(|output| output.identity == identity);
        known.map(|output| output.fate)
    }
}

/// Path patterns in shell syntax. One without a slash applies to names at any depth; one with a
/// slash to full paths, relative to the root. `**` matches any number of directories.
#[derive(Clone, Debug)]
pub struct Patterns {
    text: GlobSet,
    /// Patterns that are not UTF-8, with a character for each byte.
    bytes: GlobSet,
}

impl Default for Patterns {
    fn default() -> Self {
        Self { text: GlobSet::empty(), bytes: GlobSet::empty() }
    }
}

impl Patterns {
    /// Patterns as in `.gitignore`: those with a slash apply to paths below the root, others to
    /// names. In a pattern that is not UTF-8, `?` and `[...]` match ASCII characters alone.
    ///
    /// # Errors
    ///
    /// For an invalid pattern, with a description of the error.
    pub fn new<P: AsRef<[u8]>>(patterns: &[P]) -> Result<Self, (Vec<u8>, String)> {
        let (mut text, mut bytes) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for pattern in patterns.iter().map(AsRef::as_ref) {
            let error = |error: Error| (pattern.to_vec(), error.kind().to_string());
            if pattern.iter().all(|byte| *byte == b'/') {
                return Err((pattern.to_vec(), "it matches nothing".to_owned()));
            }
            match str::from_utf8(pattern) {
                Ok(pattern) => text.add(glob(pattern).map_err(error)?),
                Err(_) => bytes.add(glob(&one_char_a_byte(pattern)).map_err(error)?),
            };
        }
        let set =
            |set: GlobSetBuilder| set.build().map_err(|it| (Vec::new(), it.kind().to_string()));
        Ok(Self { text: set(text)?, bytes: set(bytes)? })
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.bytes.is_empty()
    }

    fn is_match(&self, path: &[u8]) -> bool {
        (!self.text.is_empty() && self.text.is_match_candidate(&Candidate::from_bytes(path)))
            || (!self.bytes.is_empty() && self.bytes.is_match(one_char_a_byte(path)))
    }
}

/// `bytes` as text, one character of Latin-1 for each.
fn one_char_a_byte(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
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
        let exclude = Patterns::new(&["*.o", ".*", "/d"]).unwrap();
        let include = Patterns::new(&["*.c", "*.o"]).unwrap();
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
            assert!(Patterns::new(&[pattern]).is_err(), "{pattern:?}");
        }
    }

    #[test]
    fn patterns_are_about_names_or_whole_paths() {
        let rows: [(&[u8], &[u8], bool); 15] = [
            (b"\xff*", b"d/\xff\xfe", true),
            (b"\xff*", b"d/\xfe\xff", false),
            (b"a?\xff", b"ab\xff", true),
            (b"/d/\xff", b"d/\xff", true),
            (b"*.rs", b"a.rs", true),
            (b"*.rs", b"deep/down/a.rs", true),
            (b"*.rs", b"a.rs/x", false),
            (b"target", b"deep/target", true),
            (b"target/", b"target", true),
            (b"/target", b"target", true),
            (b"/target", b"deep/target", false),
            (b"src/*.rs", b"src/a.rs", true),
            (b"src/*.rs", b"src/b/a.rs", false),
            (b"src/**/*.rs", b"src/b/c/a.rs", true),
            (b"src/*.rs", b"deep/src/a.rs", false),
        ];
        for (pattern, path, expected) in rows {
            let patterns = Patterns::new(&[pattern]).unwrap();
            let shown = (pattern.escape_ascii(), path.escape_ascii());
            assert_eq!(patterns.is_match(path), expected, "{} on {}", shown.0, shown.1);
        }
    }
}
