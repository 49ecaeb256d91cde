//! Patterns of paths, in shell syntax.

use globset::{Candidate, Error, Glob, GlobBuilder, GlobSet, GlobSetBuilder};

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
        if patterns.is_empty() {
            return Ok(Self::default());
        }
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

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.bytes.is_empty()
    }

    pub(super) fn is_match(&self, path: &[u8]) -> bool {
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
    use crate::Rules;

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
