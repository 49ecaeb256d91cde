//! Git's object ids of blobs and trees, in SHA-256 (or SHA-1) repositories.
//!
//! An object's id is the hash of its type, its length in decimal, a zero byte and its content.

use alloc::{boxed::Box, format, string::String, vec::Vec};
use core::cmp::Ordering;

use jlanes_core::function::AnyFunction;

use super::{Error, hash};

/// The ids of many blobs, one after the other.
///
/// # Panics
/// If `out` has not as many digests as there are `contents`.
pub fn blob_ids(function: &AnyFunction, contents: &[&[u8]], out: &mut [u8]) {
    assert_eq!(contents.len() * function.output_size(), out.len(), "as many ids as contents");
    let headers: Vec<String> = contents.iter().map(|content| header("blob", content)).collect();
    let message = |i: usize| [headers[i].as_bytes(), contents[i]];
    function.digest_with(&[], message, out);
}

/// The kind of a tree's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// A file.
    File,
    /// An executable file.
    Executable,
    /// A symbolic link; its blob is the target.
    Link,
    /// A tree.
    Tree,
    /// A commit of a submodule.
    Commit,
}

impl Mode {
    fn octal(self) -> &'static str {
        match self {
            Self::File => "100644",
            Self::Executable => "100755",
            Self::Link => "120000",
            Self::Tree => "40000",
            Self::Commit => "160000",
        }
    }
}

/// An entry of a tree, with an object's id `D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'n, D> {
    /// The kind of the entry.
    pub mode: Mode,
    /// Its name, without slashes.
    pub name: &'n [u8],
    /// The id of the object.
    pub id: D,
}

impl<D> Entry<'_, D> {
    /// Whether git could check out the entry.
    fn is_valid(&self) -> bool {
        !matches!(self.name, b"" | b"." | b"..") && !self.name.iter().any(|b| matches!(b, 0 | b'/'))
    }

    /// Git's order: by name, with a slash appended to the names of trees.
    fn order(&self, other: &Self) -> Ordering {
        fn key<D>(entry: &Entry<'_, D>) -> impl Iterator<Item = u8> {
            let slash = (entry.mode == Mode::Tree).then_some(b'/');
            entry.name.iter().copied().chain(slash)
        }
        key(self).cmp(key(other))
    }
}

/// The id of a tree; the order of the entries does not matter.
///
/// # Errors
/// [`Error::Name`] for an invalid file name, [`Error::DuplicateName`] for two entries of the same
/// name.
pub fn tree_id<D: AsRef<[u8]> + Clone>(
    function: &AnyFunction,
    entries: &[Entry<'_, D>],
) -> Result<Box<[u8]>, Error> {
    if !entries.iter().all(Entry::is_valid) {
        return Err(Error::Name);
    }
    let mut names: Vec<_> = entries.iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Error::DuplicateName);
    }
    let mut entries = entries.to_vec();
    entries.sort_by(Entry::order);
    let mut content = Vec::new();
    for entry in &entries {
        content.extend_from_slice(entry.mode.octal().as_bytes());
        content.push(b' ');
        content.extend_from_slice(entry.name);
        content.push(0);
        content.extend_from_slice(entry.id.as_ref());
    }
    Ok(hash(function, [header("tree", &content).as_bytes(), &content]))
}

fn header(kind: &str, content: &[u8]) -> String {
    format!("{kind} {}\0", content.len())
}
