//! Git's configuration, as far as it says what is ignored.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::super::glob::{Glob, Syntax, bytes};
use crate::system;

/// Included files in included files: git's own limit.
const MAX_DEPTH: usize = 10;
/// All included files: one that includes itself several times would multiply.
const MAX_INCLUDED: usize = 1000;
/// References that name references: git's own limit.
const MAX_REFERENCES: usize = 5;

/// Finds what git's configuration says about a repository.
pub(super) struct Config<'c> {
    /// The top of the work tree.
    pub(super) top: &'c Path,
    /// The directory of the work tree's own files, such as `HEAD`.
    pub(super) own: &'c Path,
    /// The repository's common directory.
    pub(super) common: &'c Path,
    /// Reads a file.
    pub(super) read: &'c dyn Fn(&Path) -> Option<Vec<u8>>,
}

/// What git's configuration says.
#[derive(Default)]
pub(super) struct Settings {
    /// The user's ignore file.
    pub(super) excludes_file: Option<PathBuf>,
    /// Whether patterns match small letters and capitals alike.
    pub(super) ignores_case: bool,
    /// Whether a work tree has a configuration of its own.
    has_worktree_config: bool,
    /// The addresses of remote repositories, once all are known.
    remotes: Vec<Vec<u8>>,
    /// The number of included files.
    included: usize,
}

impl Config<'_> {
    /// The settings, of which later ones replace earlier ones: the system's, the user's, the
    /// repository's, the work tree's, and those in variables.
    pub(super) fn settings(&self) -> Settings {
        let mut first = Settings::default();
        self.read_all(&mut first);
        // whether a file is included may depend on all addresses
        let mut settings = Settings { remotes: first.remotes, ..Settings::default() };
        self.read_all(&mut settings);
        settings
    }

    fn read_all(&self, to: &mut Settings) {
        let home = home();
        let of_variable = env::var_os("XDG_CONFIG_HOME").filter(|dir| !dir.is_empty());
        let of_home = || Some(home.as_ref()?.join(".config"));
        let of_git = of_variable.map(PathBuf::from).or_else(of_home).map(|dir| dir.join("git"));
        to.excludes_file = of_git.as_ref().map(|dir| dir.join("ignore"));
        let of_system = env::var_os("GIT_CONFIG_SYSTEM").map(PathBuf::from);
        let of_system = of_system.or_else(|| cfg!(unix).then(|| "/etc/gitconfig".into()));
        let no_system = env::var_os("GIT_CONFIG_NOSYSTEM");
        let no_system = no_system.is_some_and(|text| is_true(&system::bytes(&text)));
        let of_user = match env::var_os("GIT_CONFIG_GLOBAL") {
            Some(file) => [Some(file.into()), None],
            None => [of_git.map(|dir| dir.join("config")), home.map(|it| it.join(".gitconfig"))],
        };
        let files =
            of_system.filter(|_| !no_system).into_iter().chain(of_user.into_iter().flatten());
        for file in files.chain([self.common.join("config")]) {
            self.find(&file, 0, to);
        }
        if to.has_worktree_config {
            self.find(&self.own.join("config.worktree"), 0, to);
        }
        let count = env::var("GIT_CONFIG_COUNT").ok();
        let count = count.and_then(|count| count.trim_ascii_start().parse().ok());
        for at in 0..count.unwrap_or(0_u32) {
            let get = |name| env::var_os(format!("GIT_CONFIG_{name}_{at}"));
            // git fails where one is missing
            let (Some(key), Some(value)) = (get("KEY"), get("VALUE")) else { break };
            let (mut key, value) = (system::bytes(&key).to_vec(), system::bytes(&value).to_vec());
            lower_case(&mut key);
            self.set(&key, Some(&value), Path::new(""), 0, to);
        }
    }

    /// Adds the settings in `file`.
    fn find(&self, file: &Path, depth: usize, to: &mut Settings) {
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
            self.set(&key, value.as_deref(), file, depth, to);
        }
    }

    /// Adds the setting `key`, which `file` has. Without a value it is true.
    fn set(&self, key: &[u8], value: Option<&[u8]>, file: &Path, depth: usize, to: &mut Settings) {
        let text = value.unwrap_or_default();
        let is_true = value.is_none_or(is_true);
        let dir = file.parent().unwrap_or(file);
        match key {
            b"core.excludesfile" if value.is_some() => {
                to.excludes_file = expanded(text, self.top).or(to.excludes_file.take());
            }
            b"core.ignorecase" => to.ignores_case = is_true,
            // git reads this from one file
            b"extensions.worktreeconfig" if file == self.common.join("config") => {
                to.has_worktree_config = is_true;
            }
            b"include.path" => self.include(text, dir, depth, to),
            _ => {
                let condition = key.strip_prefix(b"includeif.");
                let condition = condition.and_then(|key| key.strip_suffix(b".path"));
                if condition.is_some_and(|condition| self.is_met(condition, file, to)) {
                    self.include(text, dir, depth, to);
                } else if key.strip_prefix(b"remote.").is_some_and(|key| key.ends_with(b".url")) {
                    to.remotes.push(text.to_vec());
                }
            }
        }
    }

    fn include(&self, name: &[u8], dir: &Path, depth: usize, to: &mut Settings) {
        to.included += 1;
        let may_include = depth < MAX_DEPTH && to.included <= MAX_INCLUDED;
        if let Some(file) = expanded(name, dir).filter(|_| may_include) {
            self.find(&file, depth + 1, to);
        }
    }

    /// Whether the condition of a file that `file` includes is met.
    fn is_met(&self, condition: &[u8], file: &Path, settings: &Settings) -> bool {
        let Some(colon) = condition.iter().position(|byte| *byte == b':') else { return false };
        let (kind, pattern) = (&condition[..colon], &condition[colon + 1..]);
        match kind {
            b"gitdir" | b"gitdir/i" => {
                let real = |path: &Path| fs::canonicalize(path).ok();
                let start = match pattern {
                    [b'~', b'/', ..] => home().as_deref().and_then(real),
                    [b'.', b'/', ..] => real(file).and_then(|file| Some(file.parent()?.into())),
                    _ => None,
                };
                let pattern = match start {
                    // what these stand for is no pattern
                    Some(start) => {
                        let start = system::bytes(start.as_os_str()).to_vec();
                        let start = start.iter().flat_map(|byte| [b'\\', *byte]).collect();
                        [start, pattern[1..].to_vec()].concat()
                    }
                    None if pattern.starts_with(b"/") => pattern.to_vec(),
                    None => [b"**/", pattern].concat(),
                };
                let matches = |place: &Path| {
                    matches(&pattern, &system::bytes(place.as_os_str()), kind.ends_with(b"i"))
                };
                // or the path by which the user came here
                let shell = env::var_os("PWD").map(PathBuf::from);
                let shell = shell.filter(|dir| real(dir).as_deref() == Some(self.top));
                let as_named = || shell.as_deref().unwrap_or(self.top).join(".git");
                matches(real(self.own).as_deref().unwrap_or(self.own))
                    || self.own == self.top.join(".git") && matches(&as_named())
            }
            b"onbranch" => {
                let name = self.reference();
                let branch = name.as_deref().and_then(|name| name.strip_prefix(b"refs/heads/"));
                branch.is_some_and(|branch| matches(pattern, branch, false))
            }
            b"hasconfig" => pattern.strip_prefix(b"remote.*.url:").is_some_and(|pattern| {
                glob(pattern).is_some_and(|glob| {
                    settings.remotes.iter().any(|address| glob.is_match(&bytes(address)))
                })
            }),
            _ => false,
        }
    }

    /// The reference that `HEAD` stands for, which may name another one.
    fn reference(&self) -> Option<Vec<u8>> {
        let mut name = self.named(&self.own.join("HEAD"))?;
        for _ in 0..MAX_REFERENCES {
            // git refuses other names
            let is_odd = |byte: &u8| *byte <= b' ' || b"\x7f~^:?*[\\".contains(byte);
            if !name.starts_with(b"refs/") || name.iter().any(is_odd) {
                return None;
            }
            match self.named(&self.common.join(system::path(&name))) {
                Some(next) => name = next,
                None => return Some(name),
            }
        }
        None
    }

    /// The reference that the file of another one names, by a symbolic link or by its text.
    fn named(&self, file: &Path) -> Option<Vec<u8>> {
        let target = fs::read_link(file).ok();
        let target = target.map(|target| system::bytes(target.as_os_str()).to_vec());
        target
            .filter(|target| target.starts_with(b"refs/"))
            .or_else(|| Some((self.read)(file)?.strip_prefix(b"ref:")?.trim_ascii().to_vec()))
    }
}

/// The user's directory. Git does not ask the system for it.
fn home() -> Option<PathBuf> {
    if cfg!(unix) { env::var_os("HOME").map(PathBuf::from) } else { env::home_dir() }
}

/// Whether `text` matches the pattern of a condition, which means all below a directory if it ends
/// with a slash.
fn matches(pattern: &[u8], text: &[u8], ignores_case: bool) -> bool {
    let all: &[u8] = if pattern.ends_with(b"/") { b"**" } else { b"" };
    let glob = glob(&[pattern, all].concat());
    glob.is_some_and(|glob| glob.is_match_in(&bytes(text), ignores_case))
}

/// The pattern of a condition.
fn glob(pattern: &[u8]) -> Option<Glob> {
    Glob::new(&bytes(pattern), &Syntax { braces: false, paths: true, start: 0 })
}

/// Whether a value means true, such as a number that is not zero: `-1`, `0x1` or `1k`.
fn is_true(value: &[u8]) -> bool {
    let value = value.to_ascii_lowercase();
    let number = value.strip_prefix(b"-").or(value.strip_prefix(b"+")).unwrap_or(&value);
    let is_number = number.first().is_some_and(u8::is_ascii_digit);
    let is_zero = || !number.iter().any(|byte| matches!(byte, b'1'..=b'9' | b'a'..=b'f'));
    matches!(&value[..], b"true" | b"yes" | b"on") || is_number && !is_zero()
}

/// What git takes for a blank.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Makes letters small, but for those between the first dot and the last.
fn lower_case(key: &mut [u8]) {
    let first = key.iter().position(|byte| *byte == b'.').unwrap_or(key.len());
    let last = key.iter().rposition(|byte| *byte == b'.').unwrap_or(0);
    key[..first].make_ascii_lowercase();
    key[last..].make_ascii_lowercase();
}

/// The path `value`, which may begin in the home directory or in `dir`.
fn expanded(value: &[u8], dir: &Path) -> Option<PathBuf> {
    match value.strip_prefix(b"~") {
        Some([]) => home(),
        Some([b'/', rest @ ..]) => Some(home()?.join(system::path(rest))),
        _ => Some(dir.join(system::path(value))),
    }
}

/// A key, in small letters but for a quoted part, and its value.
type Setting = (Vec<u8>, Option<Vec<u8>>);

/// The next key after its section and a dot, and its value. `None` at the end, and `Some(None)` at
/// an error.
fn setting(bytes: &mut impl Iterator<Item = u8>, section: &mut Vec<u8>) -> Option<Option<Setting>> {
    loop {
        match bytes.next()? {
            b'#' | b';' => {
                bytes.find(|byte| *byte == b'\n')?;
            }
            b'[' => match header(bytes) {
                Some(next) => *section = next,
                None => return Some(None),
            },
            byte if is_blank(byte) => {}
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
                key[section.len()..].make_ascii_lowercase();
                match end {
                    Some(b'=') => return Some(value(bytes).map(|value| (key, Some(value)))),
                    None | Some(b'\n') => return Some(Some((key, None))),
                    Some(_) => return Some(None),
                }
            }
        }
    }
}

/// The section of the header that goes on here, in small letters, with a dot before a quoted part.
fn header(bytes: &mut impl Iterator<Item = u8>) -> Option<Vec<u8>> {
    let (mut section, mut is_quoted) = (Vec::new(), false);
    loop {
        match bytes.next()? {
            b'\n' => return None,
            b']' if !is_quoted => return Some(section),
            b' ' | b'\t' if !is_quoted => {}
            b'"' => {
                is_quoted = !is_quoted;
                section.extend(is_quoted.then_some(b'.'));
            }
            b'\\' if is_quoted => section.push(bytes.next()?),
            byte if is_quoted => section.push(byte),
            byte => section.push(byte.to_ascii_lowercase()),
        }
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
            Some(byte) if is_blank(byte) && !is_quoted => {
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
