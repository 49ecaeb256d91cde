//! Git's ignore rules: `.gitignore`, `.git/info/exclude` and the user's file.
//!
//! The rules of a repository do not apply in another repository inside it.

use std::{
    env,
    ffi::{CStr, CString},
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder},
};

use crate::system::{self, At, Directory, FileKind, working_dir};

/// The maximum number of bytes read of such a file: nobody writes a longer one by hand.
const MAX_RULES_BYTES: u64 = 4 << 20;

/// The ignore rules that come from outside of the walk.
pub(super) struct IgnoreRules {
    /// The walk's root, as an absolute path without symbolic links.
    root: PathBuf,
    /// The rules of the directories above the root, the outermost first.
    above: Vec<DirIgnoreRules>,
}

/// The ignore rules of a directory, for everything below it.
pub(super) struct DirIgnoreRules {
    /// Patterns in ascending order of precedence.
    files: Vec<Gitignore>,
    /// Whether the directory is the top of a repository.
    is_top: bool,
}

impl IgnoreRules {
    /// The rules for a walk through `root`, which may be in a repository.
    pub(super) fn new(root: &[u8]) -> Self {
        let root = system::path(root);
        let absolute = || Some(env::current_dir().ok()?.join(&root));
        let root = fs::canonicalize(&root).ok().or_else(absolute).unwrap_or_else(|| root.into());
        let has_git = |dir: &Path| dir.join(".git").symlink_metadata().is_ok();
        let mut above = Vec::new();
        if !has_git(&root)
            && let Some(top) = root.ancestors().skip(1).find(|dir| has_git(dir))
        {
            let dirs = root.ancestors().skip(1).take_while(|dir| dir.starts_with(top));
            let layer = |dir: &Path| {
                let found = system::open_directory(working_dir(), &c_string(dir)?, true).ok()?;
                Some(layer(system::at(&found), dir))
            };
            above = dirs.filter_map(layer).collect();
            above.reverse();
        }
        Self { root, above }
    }

    /// The rules of the directory `path`, relative to the root.
    pub(super) fn of_directory(&self, dir: &Directory, path: &[u8]) -> DirIgnoreRules {
        layer(system::at(dir), &self.absolute(path))
    }

    /// Whether the entry `path`, relative to the root, is ignored; `layers` are those of its
    /// directories, the innermost first.
    pub(super) fn ignores<'l>(
        &'l self,
        path: &[u8],
        is_dir: bool,
        layers: impl Iterator<Item = &'l DirIgnoreRules>,
    ) -> bool {
        if path.split(|byte| *byte == b'/').next_back() == Some(b".git") {
            return true;
        }
        let path = self.absolute(path);
        for layer in layers.chain(self.above.iter().rev()) {
            for file in layer.files.iter().rev() {
                match file.matched(&path, is_dir) {
                    Match::None => {}
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                }
            }
            if layer.is_top {
                break;
            }
        }
        false
    }

    fn absolute(&self, path: &[u8]) -> PathBuf {
        self.root.join(system::path(path))
    }
}

/// The rules of the open directory `dir`, at `path`.
fn layer(dir: At<'_>, path: &Path) -> DirIgnoreRules {
    let is_top = system::stat_at(dir, c".git", false).is_ok();
    let mut files = Vec::new();
    if is_top {
        files.push(GitignoreBuilder::new(path).build_global().0);
        let exclude = common_dir(path).join("info/exclude");
        files
            .extend(c_string(&exclude).and_then(|name| patterns(working_dir(), &name, true, path)));
    }
    // git does not follow this link, either
    files.extend(patterns(dir, c".gitignore", false, path));
    files.retain(|file| !file.is_empty());
    DirIgnoreRules { files, is_top }
}

/// The common directory of the repository at `top`. In an added work tree, the file `.git` names a
/// directory in which `commondir` names the repository's.
fn common_dir(top: &Path) -> PathBuf {
    let git = top.join(".git");
    let named = |file: &Path, prefix: &[u8]| {
        let text = text(working_dir(), &c_string(file)?, true)?;
        let name = text.strip_prefix(prefix)?.trim_ascii();
        Some(file.parent()?.join(system::path(name)))
    };
    let own = named(&git, b"gitdir:").unwrap_or(git);
    named(&own.join("commondir"), b"").unwrap_or(own)
}

fn c_string(path: &Path) -> Option<CString> {
    CString::new(system::bytes(path.as_os_str())).ok()
}

/// The patterns in the file `path` in `dir`, for paths below `root`.
fn patterns(dir: At<'_>, path: &CStr, follow: bool, root: &Path) -> Option<Gitignore> {
    let text = text(dir, path, follow)?;
    let mut patterns = GitignoreBuilder::new(root);
    for line in String::from_utf8_lossy(&text).trim_start_matches('\u{feff}').lines() {
        // git skips invalid patterns, too
        let _ = patterns.add_line(None, line);
    }
    patterns.build().ok()
}

/// The bytes of the file `path` in `dir`; `None` unless it is a regular file, because opening
/// others could block.
fn text(dir: At<'_>, path: &CStr, follow: bool) -> Option<Vec<u8>> {
    let file = system::open(dir, path, follow).ok()?;
    if system::stat_file(&file).ok()?.kind != FileKind::File {
        return None;
    }
    let mut text = Vec::new();
    file.take(MAX_RULES_BYTES).read_to_end(&mut text).ok()?;
    Some(text)
}
