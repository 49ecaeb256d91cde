//! A tree of files in memory.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result};

pub(crate) type Entries = BTreeMap<String, Node>;

pub(crate) enum Node {
    Directory(Entries),
    File { data: Vec<u8>, executable: bool },
    Link(String),
}

/// Reads a path and everything below it.
pub(crate) fn read(path: &Path) -> Result<Node> {
    let metadata = fs::symlink_metadata(path).with_context(|| path.display().to_string())?;
    if metadata.is_symlink() {
        let target = fs::read_link(path)?;
        return Ok(Node::Link(target.to_str().context("a target in UTF-8")?.into()));
    }
    if metadata.is_file() {
        return Ok(Node::File { data: fs::read(path)?, executable: executable(&metadata) });
    }
    let mut entries = Entries::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name().into_string().ok().context("a name in UTF-8")?;
        entries.insert(name, read(&entry.path())?);
    }
    Ok(Node::Directory(entries))
}

/// Whether a file's owner may execute it.
#[cfg(unix)]
pub(crate) fn executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
pub(crate) fn executable(_metadata: &fs::Metadata) -> bool {
    false
}
