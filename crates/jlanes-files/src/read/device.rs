//! Disks that do not read several large files at once well.
//!
//! The head of a disk that rotates goes back and forth between files that are read at once, and
//! spends most of the time on its way. So a large file takes one of its device's turns before it
//! is read, and waits where there is none; small files, and what the system has in its cache, need
//! none.

use std::{
    fs::File,
    io,
    num::NonZero,
    sync::{
        PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::system::{Stat, is_cached, rotates, stat_file};

/// A device that gives so many turns at once.
#[derive(Debug)]
pub struct Device {
    free: AtomicUsize,
}

/// A large file's turn, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn(&'static Device);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.free.fetch_add(1, Ordering::Release);
    }
}

/// Whether a file may be read now.
pub(super) enum Admission {
    /// It needs no turn.
    Free,
    Turn(Turn),
    /// Not before its device has a turn for it.
    Busy(&'static Device),
}

/// Asks for `file`, of which `stat` is known, or at least its directory's device. A turn is
/// for those of more than `small` bytes, and `jobs` is how many turns there are, if the user says.
pub(super) fn admit(
    file: &File,
    stat: Option<Stat>,
    directory: Option<u64>,
    small: u64,
    jobs: Option<NonZero<usize>>,
) -> io::Result<Admission> {
    // what is known of most files by their directories is enough
    if stat.is_none() && directory.is_some_and(|id| Device::of(id, jobs).is_none()) {
        return Ok(Admission::Free);
    }
    let Stat { identity: (id, _), size, .. } = stat.map_or_else(|| stat_file(file), Ok)?;
    if size <= small {
        return Ok(Admission::Free);
    }
    let Some(device) = Device::of(id, jobs) else { return Ok(Admission::Free) };
    let is_at_hand = || [size / 2, size - 1].iter().all(|at| is_cached(file, *at) == Some(true));
    if jobs.is_none() && is_at_hand() {
        return Ok(Admission::Free);
    }
    Ok(device.enter().map_or(Admission::Busy(device), Admission::Turn))
}

impl Device {
    /// The device `id`, if only so many large files are to be read from it at once: `jobs`, or one
    /// if it rotates.
    fn of(id: u64, jobs: Option<NonZero<usize>>) -> Option<&'static Self> {
        /// What was found out. A process sees few devices, each for good.
        static KNOWN: RwLock<Vec<(u64, Option<&'static Device>)>> = RwLock::new(Vec::new());
        let find = |known: &[(u64, Option<&'static Self>)]| {
            known.iter().find(|(other, _)| *other == id).map(|(_, device)| *device)
        };
        if let Some(device) = find(&KNOWN.read().unwrap_or_else(PoisonError::into_inner)) {
            return device;
        }
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        find(&known).unwrap_or_else(|| {
            let turns = jobs.map(NonZero::get).or_else(|| rotates(id).then_some(1));
            let new = |free| &*Box::leak(Box::new(Self { free: AtomicUsize::new(free) }));
            let device = turns.map(new);
            known.push((id, device));
            device
        })
    }

    /// Takes a turn, if there is one.
    pub(crate) fn enter(&'static self) -> Option<Turn> {
        let one_less = |free: usize| free.checked_sub(1);
        let taken = self.free.fetch_update(Ordering::Acquire, Ordering::Relaxed, one_less);
        taken.is_ok().then(|| Turn(self))
    }
}
