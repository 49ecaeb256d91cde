//! Disks that do not read several large files at once well.
//!
//! The head of a disk that rotates goes back and forth between files that are read at once, and
//! spends most of the time on its way. So a large file on one is set aside, and read when no other is.
//! Small files, and what the system has in its cache, are read as they come.

use std::{
    fs::File,
    io,
    sync::{PoisonError, RwLock},
};

use crate::system::{Stat, is_cached, rotates, stat_file};

/// Which large files are read one after another, each by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Large {
    /// Those on disks that rotate, where the system tells (Linux).
    #[default]
    Auto,
    /// All.
    InTurn,
    /// None.
    SideBySide,
}

/// Whether `file`, of which `stat` is known, or at least its directory's device, is to be read by
/// itself. Files of up to `small` bytes are not.
pub(super) fn is_alone(
    file: &File,
    stat: Option<Stat>,
    directory: Option<u64>,
    small: u64,
    large: Large,
) -> io::Result<bool> {
    // what is known of most files by their directories is enough
    let is_fast = |id| large == Large::Auto && !is_slow(id);
    if large == Large::SideBySide || stat.is_none() && directory.is_some_and(is_fast) {
        return Ok(false);
    }
    let Stat { identity: (id, _), size, .. } = stat.map_or_else(|| stat_file(file), Ok)?;
    if size <= small || is_fast(id) {
        return Ok(false);
    }
    let is_at_hand = || [size / 2, size - 1].iter().all(|at| is_cached(file, *at) == Some(true));
    Ok(large == Large::InTurn || !is_at_hand())
}

/// Whether the device `id` rotates.
fn is_slow(id: u64) -> bool {
    /// What was found out. A process sees few devices.
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
