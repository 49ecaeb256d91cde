//! What git would leave out, by its files `.gitignore`, `.git/info/exclude` and that of the user.
//!
//! Rules of a repository do not reach into another one inside it.

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

use crate::system::{self, At, Directory, Kind, here};

/// Bytes of such a file that are read: whatever is longer is not one that somebody wrote.
const LONGEST: u64 = 4 << 20;

/// What is left out of a walk by what stands outside of it.
pub(super) struct Outside {
    /// The walk's root, as an absolute path without symbolic links.
    root: PathBuf,
    /// From the outermost directory to the innermost.
    above: Vec<Layer>,
}

/// What a directory leaves out, of what is in it and below.
pub(super) struct Layer {
    /// From those that count least to those that count most.
    files: Vec<Gitignore>,
    /// It is the top of a repository.
    is_top: bool,
}

impl Outside {
    /// What counts for a walk through `root`, which may be in a repository.
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
                let found = system::open_directory(here(), &c_string(dir)?, true).ok()?;
                Some(layer(system::at(&found), dir))
            };
            above = dirs.filter_map(layer).collect();
            above.reverse();
        }
        Self { root, above }
    }

    /// What the directory `path`, relative to the root, leaves out itself.
    pub(super) fn inside(&self, dir: &Directory, path: &[u8]) -> Layer {
        layer(system::at(dir), &self.absolute(path))
    }

    /// Whether the entry `path`, relative to the root, is left out, where the directories that it is
    /// in have `layers`, the innermost first.
    pub(super) fn has<'l>(
        &'l self,
        path: &[u8],
        is_dir: bool,
        layers: impl Iterator<Item = &'l Layer>,
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

/// What the open directory `dir`, whose path is `path`, leaves out itself.
fn layer(dir: At<'_>, path: &Path) -> Layer {
    let is_top = system::stat_at(dir, c".git", false).is_ok();
    let mut files = Vec::new();
    if is_top {
        files.push(GitignoreBuilder::new(path).build_global().0);
        let exclude = common_dir(path).join("info/exclude");
        files.extend(c_string(&exclude).and_then(|name| patterns(here(), &name, true, path)));
    }
    // git follows no link here either
    files.extend(patterns(dir, c".gitignore", false, path));
    files.retain(|file| !file.is_empty());
    Layer { files, is_top }
}

/// Where the repository at `top` has what its work trees share: a work tree that was added has a
/// file `.git`, which names a directory, in which `commondir` names that of the repository.
fn common_dir(top: &Path) -> PathBuf {
    let git = top.join(".git");
    let named = |file: &Path, prefix: &[u8]| {
        let text = text(here(), &c_string(file)?, true)?;
        let name = text.strip_prefix(prefix)?.trim_ascii();
        Some(file.parent()?.join(system::path(name)))
    };
    let own = named(&git, b"gitdir:").unwrap_or(git);
    named(&own.join("commondir"), b"").unwrap_or(own)
}

fn c_string(path: &Path) -> Option<CString> {
    CString::new(system::bytes(path.as_os_str())).ok()
}

/// The patterns in the file `path` in `dir`, about what is below `root`.
fn patterns(dir: At<'_>, path: &CStr, follow: bool, root: &Path) -> Option<Gitignore> {
    let text = text(dir, path, follow)?;
    let mut patterns = GitignoreBuilder::new(root);
    for line in String::from_utf8_lossy(&text).trim_start_matches('\u{feff}').lines() {
        // git passes over what is not a pattern, too
        let _ = patterns.add_line(None, line);
    }
    patterns.build().ok()
}

/// The bytes of the file `path` in `dir`. Whatever is not a regular file has none: to open it could
/// take for ever.
fn text(dir: At<'_>, path: &CStr, follow: bool) -> Option<Vec<u8>> {
    let file = system::open(dir, path, follow).ok()?;
    if system::stat_file(&file).ok()?.kind != Kind::File {
        return None;
    }
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text).ok()?;
    Some(text)
}
