//! A pattern of git's ignore files, with the meaning that git gives each byte.

use super::super::glob::{Glob, Syntax, bytes};

/// A line of an ignore file.
pub(super) struct Pattern {
    /// Whether it takes back what earlier patterns ignore.
    pub(super) is_negative: bool,
    directories_only: bool,
    /// Whether it is for names instead of paths.
    names_only: bool,
    /// `None` if it matches nothing.
    glob: Option<Glob>,
}

impl Pattern {
    /// The pattern in a line; `None` for a comment.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = line.split(|byte| *byte == 0).next()?;
        if line.starts_with(b"#") {
            return None;
        }
        let line = trim_blanks(line);
        let (is_negative, line) = line.strip_prefix(b"!").map_or((false, line), |it| (true, it));
        let (directories_only, line) =
            line.strip_suffix(b"/").map_or((false, line), |it| (true, it));
        let names_only = !line.contains(&b'/');
        let line = line.strip_prefix(b"/").unwrap_or(line);
        let is_special = |byte: &u8| matches!(byte, b'*' | b'?' | b'[' | b'\\');
        // git compares what is before this without its matcher, for which the pattern begins here
        let start = line.iter().position(is_special).unwrap_or(line.len());
        let glob = Glob::new(&bytes(line), &Syntax { braces: false, paths: !names_only, start });
        Some(Self { is_negative, directories_only, names_only, glob })
    }

    /// Whether it matches `path`, the [`bytes`] relative to the directory of the ignore file.
    pub(super) fn matches(&self, path: &[char], is_dir: bool, ignores_case: bool) -> bool {
        let name = path.rsplit(|char| *char == '/').next().unwrap_or(path);
        let text = if self.names_only { name } else { path };
        (is_dir || !self.directories_only)
            && self.glob.as_ref().is_some_and(|glob| glob.is_match_in(text, ignores_case))
    }
}

/// `line` without the blanks at its end that no backslash protects.
fn trim_blanks(line: &[u8]) -> &[u8] {
    let (mut at, mut end) = (0, 0);
    while let Some(byte) = line.get(at) {
        at += 1 + usize::from(*byte == b'\\');
        if *byte != b' ' {
            end = at.min(line.len());
        }
    }
    &line[..end]
}
