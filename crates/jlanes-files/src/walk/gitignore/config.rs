//! The user's ignore file, which git's configuration names.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::system;

/// Included files in included files: git's own limit.
const MAX_DEPTH: usize = 10;

/// Finds the name of the user's ignore file.
pub(super) struct Config<'c> {
    /// The top of the work tree.
    pub(super) top: &'c Path,
    /// The repository's common directory.
    pub(super) common: &'c Path,
    /// Reads a file.
    pub(super) read: &'c dyn Fn(&Path) -> Option<Vec<u8>>,
}

impl Config<'_> {
    /// The file that the user's configuration or the repository's names, or the default one.
    pub(super) fn excludes_file(&self) -> Option<PathBuf> {
        let home = env::home_dir();
        let of_variable = env::var_os("XDG_CONFIG_HOME").filter(|dir| !dir.is_empty());
        let of_home = || Some(home.as_ref()?.join(".config"));
        let of_git = of_variable.map(PathBuf::from).or_else(of_home).map(|dir| dir.join("git"));
        let mut found = of_git.as_ref().map(|dir| dir.join("ignore"));
        let of_user = [of_git.map(|dir| dir.join("config")), Some(home?.join(".gitconfig"))];
        for file in of_user.into_iter().flatten().chain([self.common.join("config")]) {
            self.find(&file, 0, &mut found);
        }
        found
    }

    /// The last name in `file` replaces `found`.
    fn find(&self, file: &Path, depth: usize, found: &mut Option<PathBuf>) {
        let text = (self.read)(file).unwrap_or_default();
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text);
        let is_end_of_line = |at| text.get(at) == Some(&b'\n');
        let bytes = text.iter().enumerate();
        let mut bytes = bytes
            .filter(|(at, byte)| **byte != b'\r' || !is_end_of_line(at + 1))
            .map(|(_, it)| *it);
        let mut section = Vec::new();
        // git refuses a file with an error; what is before it counts
        while let Some(Some((key, value))) = setting(&mut bytes, &mut section) {
            match &key[..] {
                b"core.excludesfile" => *found = expanded(&value, self.top).or(found.take()),
                b"include.path" if depth < MAX_DEPTH => {
                    let dir = file.parent().unwrap_or(file);
                    if let Some(file) = expanded(&value, dir) {
                        self.find(&file, depth + 1, found);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The path `value`, which may begin in the home directory or in `dir`.
fn expanded(value: &[u8], dir: &Path) -> Option<PathBuf> {
    match value.strip_prefix(b"~") {
        Some([]) => env::home_dir(),
        Some([b'/', rest @ ..]) => Some(env::home_dir()?.join(system::path(rest))),
        _ => Some(dir.join(system::path(value))),
    }
}

/// The next key, in small letters after its section and a dot, and its value. `None` at the end,
/// and `Some(None)` at an error.
fn setting(
    bytes: &mut impl Iterator<Item = u8>,
    section: &mut Vec<u8>,
) -> Option<Option<(Vec<u8>, Vec<u8>)>> {
    loop {
        match bytes.next()? {
            b'#' | b';' => {
                bytes.find(|byte| *byte == b'\n')?;
            }
            b'[' => match header(bytes) {
                Some(next) => *section = next,
                None => return Some(None),
            },
            byte if byte.is_ascii_whitespace() => {}
            first => {
                let mut key = [&section[..], &[b'.', first]].concat();
                let mut end = bytes.find(|byte| {
                    let is_in_key = byte.is_ascii_alphanumeric() || *byte == b'-';
                    key.extend(is_in_key.then_some(*byte));
                    !is_in_key
                });
                if matches!(end, Some(b' ' | b'\t')) {
                    end = bytes.find(|byte| !matches!(byte, b' ' | b'\t'));
                }
                key.make_ascii_lowercase();
                match end {
                    Some(b'=') => return Some(value(bytes).map(|value| (key, value))),
                    // true
                    None | Some(b'\n') => {}
                    Some(_) => return Some(None),
                }
            }
        }
    }
}

/// The section of the header that goes on here, in small letters.
fn header(bytes: &mut impl Iterator<Item = u8>) -> Option<Vec<u8>> {
    let (mut section, mut is_quoted) = (Vec::new(), false);
    loop {
        let byte = match bytes.next()? {
            b'\n' => return None,
            b']' if !is_quoted => return Some(section),
            b'\\' => bytes.next()?,
            b'"' => {
                is_quoted = !is_quoted;
                b'"'
            }
            byte => byte,
        };
        section.push(byte.to_ascii_lowercase());
    }
}

/// The value up to the end of its line.
fn value(bytes: &mut impl Iterator<Item = u8>) -> Option<Vec<u8>> {
    let (mut value, mut end, mut is_quoted) = (Vec::new(), 0, false);
    loop {
        match bytes.next() {
            None | Some(b'\n') if is_quoted => return None,
            None | Some(b'\n') => break,
            Some(b'#' | b';') if !is_quoted => {
                bytes.find(|byte| *byte == b'\n');
                break;
            }
            Some(byte) if byte.is_ascii_whitespace() && !is_quoted => {
                value.extend((!value.is_empty()).then_some(byte));
                continue;
            }
            Some(b'"') => is_quoted = !is_quoted,
            Some(b'\\') => match bytes.next()? {
                b'\n' => {}
                b't' => value.push(b'\t'),
                b'b' => value.push(8),
                b'n' => value.push(b'\n'),
                byte @ (b'\\' | b'"') => value.push(byte),
                _ => return None,
            },
            Some(byte) => value.push(byte),
        }
        end = value.len();
    }
    value.truncate(end);
    Some(value)
}
