//! Which files of a directory tree are wanted.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

use globset::{Error, Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// What a walk hands out and where it goes. The default is every file, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// How many levels of directories are gone through; the root is the first.
    pub(crate) max_depth: Option<usize>,
    /// Bytes of the largest file that is wanted.
    pub(crate) max_size: Option<u64>,
    /// Stay on the root's file system.
    pub(crate) one_file_system: bool,
    /// Follow symbolic links.
    pub(crate) follow: bool,
    /// Symbolic links are files themselves, of what they say.
    pub(crate) links: bool,
    /// Take entries as directories have them.
    pub(crate) unsorted: bool,
    /// Only these files, if there are any patterns.
    pub(crate) include: Patterns,
    /// Neither these files nor these directories.
    pub(crate) exclude: Patterns,
}

impl Rules {
    /// Whether the entry `path`, relative to the root, is wanted.
    pub(super) fn admit(&self, path: &[u8], is_dir: bool) -> bool {
        !self.exclude.is_match(path)
            && (is_dir || self.include.0.is_empty() || self.include.is_match(path))
    }
}

/// Shell patterns. One without a slash is about names at any depth; one with a slash is about
/// whole paths, relative to the root. `**` stands for any number of directories.
#[derive(Clone, Debug)]
pub(crate) struct Patterns(GlobSet);

impl Default for Patterns {
    fn default() -> Self {
        Self(GlobSet::empty())
    }
}

impl Patterns {
    /// # Errors
    /// For a pattern that is none.
    pub(crate) fn new(patterns: &[String]) -> Result<Self, Error> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            set.add(glob(pattern)?);
        }
        Ok(Self(set.build()?))
    }

    fn is_match(&self, path: &[u8]) -> bool {
        !self.0.is_empty() && self.0.is_match(OsStr::from_bytes(path))
    }
}

fn glob(pattern: &str) -> Result<Glob, Error> {
    let anchored = pattern.trim_end_matches('/').contains('/');
    let pattern = pattern.trim_matches('/');
    let whole = if anchored { pattern.to_owned() } else { format!("**/{pattern}") };
    GlobBuilder::new(&whole).literal_separator(true).build()
}

#[cfg(test)]
mod tests {
    use super::*;

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
