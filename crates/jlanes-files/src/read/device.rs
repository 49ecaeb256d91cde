//! Recognition of disks that are slow at reading several large files at once.
//!
//! The head of a rotating disk would spend most of the time moving between the files, so a large file
//! on such a disk is set aside and read alone. Small files and cached files are read as they come.

use std::{
    fs::File,
    io,
    sync::{PoisonError, RwLock},
};

use crate::system::{Stat, is_cached, rotates, stat_file};

/// The large files that are read one at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LargeFileOrder {
    /// Those on rotating disks, if the system knows (Linux).
    #[default]
    Auto,
    /// All.
    InTurn,
    /// None.
    SideBySide,
}

/// Whether to read `file` alone, given its `stat` or at least the device of its directory. Never for
/// files of up to `small` bytes.
pub(super) fn must_read_alone(
    file: &File,
    stat: Option<Stat>,
    directory: Option<u64>,
    small: u64,
    large: LargeFileOrder,
) -> io::Result<bool> {
    // for most files, the device of the directory is enough
    let is_fast = |id| large == LargeFileOrder::Auto && !is_slow(id);
    if large == LargeFileOrder::SideBySide || stat.is_none() && directory.is_some_and(is_fast) {
        return Ok(false);
    }
    let Stat { identity: (id, _), size, .. } = stat.map_or_else(|| stat_file(file), Ok)?;
    if size <= small || is_fast(id) {
        return Ok(false);
    }
    let is_in_cache = || [size / 2, size - 1].iter().all(|at| is_cached(file, *at) == Some(true));
    Ok(large == LargeFileOrder::InTurn || !is_in_cache())
}

/// Whether the device `id` rotates.
fn is_slow(id: u64) -> bool {
    /// Known devices; a process sees few.
    static KNOWN: RwLock<Vec<(u64, bool)>> = RwLock::new(Vec::new());
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, slow)) = known.iter().find(|(known, _)| *known == id) {
        return *slow;
    }
    drop(known);
    let slow = rotates(id);
    KNOWN.write().unwrap_or_else(PoisonError::into_inner).push((id, slow));
    slow
}
