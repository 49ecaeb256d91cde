//! Systems without information about disks, and without hints.

use std::{fs::File, ops::Range};

pub(crate) fn read_sequentially(_: &File) {}

pub(crate) fn read_ahead(_: &File, _: u64) {}

pub(crate) fn next_data(_: &File, _: u64) -> Option<Range<u64>> {
    None
}

pub(crate) fn is_cached(_: &File, _: u64) -> Option<bool> {
    None
}

/// Unknown, so large files are read and not mapped.
pub(crate) fn is_local(_: &File) -> bool {
    false
}

pub(crate) fn rotates(_: u64) -> bool {
    false
}
