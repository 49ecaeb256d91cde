//! The entries of one directory: read at once, sorted, and stored compactly.

use std::{cmp::Ordering, ffi::CStr, io};

use super::Rules;
use crate::system::{self, Directory, FileKind};

/// The treatment of an entry: hash it, enter it, skip it with a notice, or examine it again in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryClass {
    File,
    Directory,
    /// Neither file nor directory: skipped. The name is for messages.
    Other(&'static str),
    /// An entry that cannot be examined, such as a symbolic link to follow without a target.
    Unexamined,
}

impl EntryClass {
    /// The treatment by `rules` of an entry of this kind; `None` if it is skipped silently.
    pub(super) fn of(kind: FileKind, rules: &Rules) -> Option<Self> {
        let other = |name| rules.report_skipped.then_some(Self::Other(name));
        match kind {
            FileKind::File => Some(Self::File),
            FileKind::Directory => Some(Self::Directory),
            FileKind::Link if rules.hash_links => Some(Self::File),
            FileKind::Link => rules.report_links.then_some(Self::Other("symbolic link")),
            FileKind::Fifo => other("FIFO"),
            FileKind::Socket => other("socket"),
            FileKind::BlockDevice => other("block device"),
            FileKind::CharacterDevice => other("character device"),
            FileKind::Unknown => other("file of an unknown kind"),
        }
    }
}

/// An entry of the directory, borrowed from [`Entries`].
#[derive(Clone, Copy)]
pub(super) struct DirEntry<'n> {
    pub(super) name: &'n CStr,
    pub(super) class: EntryClass,
    /// Whether the entry may be an output file.
    pub(super) may_be_output: bool,
}

/// Names and kinds, returned in order. A million entries with names of 20 bytes take 28 MiB.
pub(super) struct Entries {
    /// All names, each followed by a NUL.
    names: Vec<u8>,
    sorted: Vec<NameSpan>,
    /// Entries that are neither files nor directories, by the start of their names.
    others: Vec<(u32, EntryClass)>,
    /// The starts of the names of possible output files.
    outputs: Vec<u32>,
    next: usize,
}

/// The place of an entry's name among all names, and its kind.
#[derive(Clone, Copy)]
struct NameSpan {
    start: u32,
    len: u16,
    kind: CommonKind,
}

/// The kind of an entry in one byte. `Entries::others` has the [`EntryClass`] of the few that are neither.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CommonKind {
    File,
    Directory,
    Other,
}

impl NameSpan {
    fn name(self, names: &[u8]) -> &[u8] {
        &names[self.start as usize..][..usize::from(self.len)]
    }

    /// Compares full paths: a directory's name is followed by a slash.
    fn cmp(self, other: Self, names: &[u8]) -> Ordering {
        let (a, b) = (self.name(names), other.name(names));
        let common = a.len().min(b.len());
        let rest = |entry: Self, name: &'_ [u8]| {
            let slash = (entry.kind == CommonKind::Directory).then_some(b'/');
            name.get(common).copied().or(slash)
        };
        a[..common].cmp(&b[..common]).then_with(|| rest(self, a).cmp(&rest(other, b)))
    }
}

impl Entries {
    /// The files and directories in `dir`, including link targets if links are followed.
    pub(super) fn read(dir: &Directory, rules: &Rules) -> io::Result<Self> {
        let mut entries = Self {
            names: Vec::new(),
            sorted: Vec::new(),
            others: Vec::new(),
            outputs: Vec::new(),
            next: 0,
        };
        let follow = rules.follow;
        system::entries(dir, |name, kind, inode| {
            let unclear = kind == FileKind::Unknown || (follow && kind == FileKind::Link);
            let class = match unclear.then(|| system::stat_at(system::at(dir), name, follow)) {
                None => EntryClass::of(kind, rules),
                Some(Ok(stat)) => EntryClass::of(stat.kind, rules),
                Some(Err(_)) => Some(EntryClass::Unexamined),
            };
            if let Some(class) = class {
                entries.add(name, class, rules.may_be_output(name, inode));
            }
        })?;
        if !rules.unsorted {
            let Self { names, sorted, .. } = &mut entries;
            sorted.sort_unstable_by(|a, b| a.cmp(*b, names));
        }
        Ok(entries)
    }

    fn add(&mut self, name: &CStr, class: EntryClass, may_be_output: bool) {
        let bytes = name.to_bytes();
        if matches!(bytes, b"." | b"..") {
            return;
        }
        let start = u32::try_from(self.names.len()).expect("names of a directory fit 4 GiB");
        let len = u16::try_from(bytes.len()).expect("a name fits 64 KiB");
        self.names.extend_from_slice(name.to_bytes_with_nul());
        let kind = match class {
            EntryClass::File => CommonKind::File,
            EntryClass::Directory => CommonKind::Directory,
            EntryClass::Other(_) | EntryClass::Unexamined => {
                self.others.push((start, class));
                CommonKind::Other
            }
        };
        if may_be_output {
            self.outputs.push(start);
        }
        self.sorted.push(NameSpan { start, len, kind });
    }

    /// The next entry.
    pub(super) fn next(&mut self) -> Option<DirEntry<'_>> {
        let entry = *self.sorted.get(self.next)?;
        self.next += 1;
        let name = CStr::from_bytes_until_nul(&self.names[entry.start as usize..])
            .expect("every name has a NUL after it");
        let class = match entry.kind {
            CommonKind::File => EntryClass::File,
            CommonKind::Directory => EntryClass::Directory,
            CommonKind::Other => {
                let at = self.others.binary_search_by_key(&entry.start, |(start, _)| *start);
                self.others[at.expect("they were added in this order")].1
            }
        };
        Some(DirEntry { name, class, may_be_output: self.outputs.contains(&entry.start) })
    }
}
