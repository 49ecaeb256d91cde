//! Patterns of paths, in shell syntax.

use super::glob::{Glob, Syntax, characters};

/// Path patterns in shell syntax. One without a slash applies to names at any depth; one with a
/// slash to full paths, relative to the root. `**` matches any number of directories.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    names: Vec<Glob>,
    paths: Vec<Glob>,
}

impl Patterns {
    /// Patterns as in `.gitignore`: those with a slash apply to paths below the root, others to
    /// names. `?` and `[...]` match a character, or a byte that is not UTF-8.
    ///
    /// # Errors
    ///
    /// For an invalid pattern, with a description of the error.
    pub fn new<P: AsRef<[u8]>>(patterns: &[P]) -> Result<Self, (Vec<u8>, String)> {
        let mut new = Self::default();
        for pattern in patterns.iter().map(AsRef::as_ref) {
            let error = |why: &str| (pattern.to_vec(), why.to_owned());
            let text = characters(pattern);
            let Some(last) = text.iter().rposition(|char| *char != '/') else {
                return Err(error("it matches nothing"));
            };
            let text = &text[..=last];
            let paths = text.contains(&'/');
            let text = &text[text.iter().take_while(|char| **char == '/').count()..];
            let glob = Glob::new(text, &Syntax { braces: true, paths, start: 0 });
            let glob =
                glob.ok_or_else(|| error("a bracket, brace or backslash without its end"))?;
            if paths { &mut new.paths } else { &mut new.names }.push(glob);
        }
        Ok(new)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.paths.is_empty()
    }

    pub(super) fn is_match(&self, path: &[u8]) -> bool {
        if self.is_empty() {
            return false;
        }
        let path = characters(path);
        let name = path.rsplit(|char| *char == '/').next().unwrap_or(&path);
        self.names.iter().any(|glob| glob.is_match(name))
            || self.paths.iter().any(|glob| glob.is_match(&path))
    }
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
    fn long_patterns_take_no_stack() {
        let patterns = ["**/", "{,}"].map(|part| part.repeat(200_000) + "a");
        assert!(Patterns::new(&patterns[..1]).unwrap().is_match(b"b/a"));
        assert!(Patterns::new(&patterns[1..]).unwrap().is_match(b"a"));
    }

    #[test]
    fn patterns_are_about_names_or_whole_paths() {
        let rows: [(&[u8], &[u8], bool); 26] = [
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
            // a class has no slash, and characters may have several bytes
            ("\u{e9}?".as_bytes(), "\u{e9}\u{e9}".as_bytes(), true),
            (b"??", "\u{e9}".as_bytes(), false),
            ("[\u{e9}]".as_bytes(), "\u{e9}".as_bytes(), true),
            ("[\u{e9}]*".as_bytes(), "\u{e8}".as_bytes(), false),
            (b"{a,b{,c},d/**/[e]}x", b"d/f/ex", true),
            (b"{a,b{,c}}x", b"bx", true),
            (b"a[!b]c", b"a/c", false),
            (b"a[+-9]c", b"a/c", false),
            (b"a[+-9]c", b"a1c", true),
            (b"d/a[^b]c", b"d/a/c", false),
            (b"d/a[^b]c", b"d/axc", true),
        ];
        for (pattern, path, expected) in rows {
            let patterns = Patterns::new(&[pattern]).unwrap();
            let shown = (pattern.escape_ascii(), path.escape_ascii());
            assert_eq!(patterns.is_match(path), expected, "{} on {}", shown.0, shown.1);
        }
    }
}
