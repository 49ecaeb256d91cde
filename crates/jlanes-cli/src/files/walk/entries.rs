//! The entries of one directory: read at once, sorted, and kept in as little memory as they need.

use std::{
    cmp::Ordering,
    ffi::CStr,
    io,
    os::fd::{AsFd, OwnedFd},
};

use rustix::fs::FileType;

use super::{Rules, kind_of};

/// Names and kinds, handed out in order. A million entries with names of 20 bytes take 28 MiB.
pub(super) struct Entries {
    /// All names, each with a NUL behind it.
    names: Vec<u8>,
    sorted: Vec<Entry>,
    next: usize,
}

/// Where a name is.
#[derive(Clone, Copy)]
struct Entry {
    start: u32,
    len: u16,
    is_dir: bool,
}

impl Entry {
    fn name(self, names: &[u8]) -> &[u8] {
        &names[self.start as usize..][..usize::from(self.len)]
    }

    /// The order of whole paths: a directory's entries continue its name with a slash.
    fn cmp(self, other: Self, names: &[u8]) -> Ordering {
        let key = |entry: Self| {
            let slash: &[u8] = if entry.is_dir { b"/" } else { b"" };
            entry.name(names).iter().chain(slash)
        };
        key(self).cmp(key(other))
    }
}

impl Entries {
    /// The files and directories in `dir`, also behind symbolic links if they are followed.
    pub(super) fn read(dir: &OwnedFd, rules: &Rules) -> io::Result<Self> {
        let mut entries = Self { names: Vec::new(), sorted: Vec::new(), next: 0 };
        let follow = rules.follow;
        for_each(dir, |name, kind| {
            let unclear = kind == FileType::Unknown || (follow && kind == FileType::Symlink);
            let kind = if unclear { kind_of(dir.as_fd(), name, follow) } else { kind };
            let is_message = rules.links && kind == FileType::Symlink;
            entries.add(name, if is_message { FileType::RegularFile } else { kind });
        })?;
        if !rules.unsorted {
            let Self { names, sorted, .. } = &mut entries;
            sorted.sort_unstable_by(|a, b| a.cmp(*b, names));
        }
        Ok(entries)
    }

    fn add(&mut self, name: &CStr, kind: FileType) {
        let bytes = name.to_bytes();
        let is_dir = kind == FileType::Directory;
        if matches!(bytes, b"." | b"..") || !(is_dir || kind == FileType::RegularFile) {
            return;
        }
        let start = u32::try_from(self.names.len()).expect("names of a directory fit 4 GiB");
        let len = u16::try_from(bytes.len()).expect("a name fits 64 KiB");
        self.names.extend_from_slice(name.to_bytes_with_nul());
        self.sorted.push(Entry { start, len, is_dir });
    }

    /// The next entry's name, and whether it is a directory.
    pub(super) fn next(&mut self) -> Option<(&CStr, bool)> {
        let entry = *self.sorted.get(self.next)?;
        self.next += 1;
        let name = CStr::from_bytes_until_nul(&self.names[entry.start as usize..])
            .expect("every name has a NUL behind it");
        Some((name, entry.is_dir))
    }
}

/// Calls `each` for every entry of `dir`.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn for_each(dir: &OwnedFd, mut each: impl FnMut(&CStr, FileType)) -> io::Result<()> {
    use rustix::fs::RawDir;

    let mut buffer = Vec::with_capacity(32 << 10);
    let mut entries = RawDir::new(dir, buffer.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let entry = entry?;
        each(entry.file_name(), entry.file_type());
    }
    Ok(())
}

/// Calls `each` for every entry of `dir`.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn for_each(dir: &OwnedFd, mut each: impl FnMut(&CStr, FileType)) -> io::Result<()> {
    for entry in rustix::fs::Dir::read_from(dir)? {
        let entry = entry?;
        each(entry.file_name(), entry.file_type());
    }
    Ok(())
}
