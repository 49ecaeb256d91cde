//! Git's ignore rules: `.gitignore`, `.git/info/exclude` and the user's file.
//!
//! The rules of a repository do not apply in another repository inside it.

mod config;
mod pattern;

use std::{
    env,
    ffi::{CStr, CString},
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use config::Settings;
use pattern::Pattern;

use super::glob::bytes;
use crate::system::{self, At, Directory, FileKind, working_dir};

/// The maximum number of bytes of such a file: nobody writes a longer one by hand. A longer one has no
/// patterns, because one that is cut off may ignore what its end takes back.
const MAX_RULES_BYTES: u64 = 4 << 20;

/// The ignore rules that come from outside of the walk.
pub(super) struct IgnoreRules {
    /// The walk's root, as an absolute path without symbolic links.
    root: PathBuf,
    /// The rules of the directories above the root, the innermost first.
    above: Vec<DirIgnoreRules>,
}

/// The ignore rules of a directory, for everything below it.
pub(super) struct DirIgnoreRules {
    /// Patterns in ascending order of precedence.
    patterns: Vec<Pattern>,
    /// The length of the directory's path from the walk's root.
    len: usize,
    /// The path of the walk's root from the directory, if it is above.
    below: Vec<u8>,
    /// Whether the directory is the top of a repository.
    is_top: bool,
    /// Whether patterns in this repository match small letters and capitals alike.
    ignores_case: bool,
}

impl IgnoreRules {
    /// The rules for a walk through `root`, which may be in a repository.
    ///
    /// # Errors
    ///
    /// If git refuses its configuration.
    pub(super) fn new(root: &[u8]) -> io::Result<Self> {
        let root = system::path(root);
        let absolute = || Some(env::current_dir().ok()?.join(&root));
        let root = fs::canonicalize(&root).ok().or_else(absolute).unwrap_or_else(|| root.into());
        let has_git = |dir: &Path| git_dir(dir).is_some();
        let mut above = Vec::new();
        if !has_git(&root)
            && let Some(top) = root.ancestors().skip(1).find(|dir| has_git(dir))
        {
            let dirs = root.ancestors().skip(1).take_while(|dir| dir.starts_with(top));
            let mut below = Vec::new();
            for (dir, inside) in dirs.zip(root.ancestors()) {
                let name = system::bytes(inside.file_name().unwrap_or_default());
                below = [&name, &b"/"[..], &below].concat();
                let found = c_string(dir)
                    .and_then(|dir| system::open_directory(working_dir(), &dir, true).ok());
                let Some(found) = found else { continue };
                let rules = DirIgnoreRules::read(system::at(&found), dir)?;
                above.push(DirIgnoreRules { below: below.clone(), ..rules });
            }
        }
        Ok(Self { root, above })
    }

    /// The rules of the directory `path`, relative to the root.
    ///
    /// # Errors
    ///
    /// If git refuses its configuration.
    pub(super) fn of_directory(&self, dir: &Directory, path: &[u8]) -> io::Result<DirIgnoreRules> {
        let absolute = self.root.join(system::path(path));
        let rules = DirIgnoreRules::read(system::at(dir), &absolute)?;
        Ok(DirIgnoreRules { len: path.len(), ..rules })
    }

    /// Whether the entry `path`, relative to the root, is ignored; `layers` are those of its
    /// directories, the innermost first.
    pub(super) fn ignores<'l>(
        &'l self,
        path: &[u8],
        is_dir: bool,
        layers: impl Iterator<Item = &'l DirIgnoreRules> + Clone,
    ) -> bool {
        if path.split(|byte| *byte == b'/').next_back() == Some(b".git") {
            return true;
        }
        let layers = layers.chain(&self.above);
        let ignores_case =
            layers.clone().find(|layer| layer.is_top).is_some_and(|layer| layer.ignores_case);
        for layer in layers {
            let path = bytes(&[&layer.below, &path[layer.len..]].concat());
            let mut patterns = layer.patterns.iter().rev();
            if let Some(pattern) =
                patterns.find(|pattern| pattern.matches(&path, is_dir, ignores_case))
            {
                return !pattern.is_negative;
            }
            if layer.is_top {
                break;
            }
        }
        false
    }
}

impl DirIgnoreRules {
    /// The rules of the open directory `dir`, at `path`.
    fn read(dir: At<'_>, path: &Path) -> io::Result<Self> {
        let has_git = system::stat_at(dir, c".git", false).is_ok();
        let git_dir = if has_git { git_dir(path) } else { None };
        let is_top = git_dir.is_some();
        let (mut patterns, mut ignores_case) = (Vec::new(), false);
        let mut read = |dir, path: &Path, follow| {
            let text = c_string(path).and_then(|path| text(dir, &path, follow)).unwrap_or_default();
            let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text);
            patterns.extend(text.split(|byte| *byte == b'\n').filter_map(Pattern::parse));
        };
        if let Some(git_dir) = &git_dir {
            let settings = Settings::of(path)?;
            ignores_case = settings.ignores_case;
            if let Some(path) = settings.excludes_file {
                read(working_dir(), &path, true);
            }
            read(working_dir(), &git_dir.join("info/exclude"), true);
        }
        // git does not follow this link, either
        read(dir, Path::new(".gitignore"), false);
        Ok(Self { patterns, len: 0, below: Vec::new(), is_top, ignores_case })
    }
}

/// The common directory of the repository with the work tree `top`. In an added work tree, the file
/// `.git` names a directory in which `commondir` names the repository's.
///
/// `None` without a repository: what is only called `.git` means nothing to git, either.
fn git_dir(top: &Path) -> Option<PathBuf> {
    let git = top.join(".git");
    let named = |file: &Path, prefix: &[u8]| {
        let text = text(working_dir(), &c_string(file)?, true)?;
        let mut name = text.strip_prefix(prefix)?;
        // blanks belong to the name
        while let [before @ .., b'\n' | b'\r'] = name {
            name = before;
        }
        Some(file.parent()?.join(system::path(name)))
    };
    let own = named(&git, b"gitdir: ").unwrap_or(git);
    let common = named(&own.join("commondir"), b"").unwrap_or_else(|| own.clone());
    let has = |name: &str| common.join(name).is_dir();
    (is_head(&own.join("HEAD")) && has("objects") && has("refs")).then_some(common)
}

/// Whether git takes the file for the `HEAD` of a repository: it names a branch or a commit.
fn is_head(file: &Path) -> bool {
    if let Ok(target) = fs::read_link(file) {
        return system::bytes(target.as_os_str()).starts_with(b"refs/");
    }
    let Some(text) = c_string(file).and_then(|file| text(working_dir(), &file, true)) else {
        return false;
    };
    match text.strip_prefix(b"ref:") {
        Some(name) => name.trim_ascii_start().starts_with(b"refs/"),
        None => text.get(..40).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
    }
}

fn c_string(path: &Path) -> Option<CString> {
    CString::new(system::bytes(path.as_os_str())).ok()
}

/// The bytes of the file `path` in `dir`; `None` unless it is a regular file, because opening
/// others could block, and not too long.
fn text(dir: At<'_>, path: &CStr, follow: bool) -> Option<Vec<u8>> {
    let file = system::open(dir, path, follow).ok()?;
    if system::stat_file(&file).ok()?.kind != FileKind::File {
        return None;
    }
    let mut text = Vec::new();
    let len = file.take(MAX_RULES_BYTES + 1).read_to_end(&mut text).ok()? as u64;
    (len <= MAX_RULES_BYTES).then_some(text)
}
