//! Ranges of a large file, each of which several threads read or map at the same time.

use std::{fs::File, io, ops::Range, time::Duration};

use super::mapped::{check_mapped, truncated};
use crate::system::{Mapping, is_cached, read_at};

/// The maximum number of bytes between two reports of progress, if they are read: enough that threads
/// seldom wait for each other.
const MAX_RANGE_BYTES: u64 = 256 << 20;

/// The length of a range that is timed, or mapped: mapped bytes count as memory of the process.
const TIMED_RANGE_BYTES: u64 = 16 << 20;

/// The number of ranges that are timed, after a first one that wakes the threads.
const TIMED_RANGES: usize = 8;

/// The minimum number of bytes that is worth several threads.
const MIN_SHARED_BYTES: u64 = 1 << 20;

/// The next bytes of a regular file, which threads read in any order.
#[derive(Debug)]
pub(crate) struct ParallelRange<'f> {
    file: &'f File,
    range: Range<u64>,
    may_be_mapped: bool,
}

/// Finds out whether mapping cached files takes less time than reading them. The system does not tell:
/// in large folios of the page cache mapping costs next to nothing, in single pages more than a copy
/// (docs/EXPERIMENTS.md, "Reading files").
#[derive(Debug, Default)]
pub(crate) struct MapTrial {
    ranges: usize,
    /// The shortest times: other programs only ever add to them.
    reading: Option<Duration>,
    mapping: Option<Duration>,
}

impl MapTrial {
    /// Whether the next range is to be mapped.
    pub(crate) fn maps(&self) -> bool {
        if self.is_over() { self.mapping < self.reading } else { self.ranges % 2 == 1 }
    }

    /// Notes the time of a range of `len` bytes.
    pub(crate) fn record(&mut self, len: usize, time: Duration) {
        if self.is_over() || len as u64 != TIMED_RANGE_BYTES {
            return;
        }
        if self.ranges > 0 {
            let shortest = if self.maps() { &mut self.mapping } else { &mut self.reading };
            *shortest = Some(shortest.map_or(time, |it| it.min(time)));
        }
        self.ranges += 1;
    }

    fn is_over(&self) -> bool {
        self.ranges > TIMED_RANGES
    }

    pub(super) fn max_range_bytes(&self) -> u64 {
        if self.is_over() && !self.maps() { MAX_RANGE_BYTES } else { TIMED_RANGE_BYTES }
    }
}

impl<'f> ParallelRange<'f> {
    /// Up to `max` bytes of `file`, of `size` bytes, from `start` on. `None` if they are too few, or
    /// come from a disk, which is fastest in order.
    pub(super) fn new(
        file: &'f File,
        start: u64,
        size: u64,
        max: u64,
        may_be_mapped: bool,
    ) -> Option<Self> {
        let len = size.saturating_sub(start).min(max) / MIN_SHARED_BYTES * MIN_SHARED_BYTES;
        let range = start..start + len;
        let may_be_cached = |at| is_cached(file, at) != Some(false);
        (len > 0 && may_be_cached(range.start) && may_be_cached(range.end - 1)).then_some(Self {
            file,
            range,
            may_be_mapped,
        })
    }

    /// The range of the bytes in the file.
    pub(crate) fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// The number of bytes.
    pub(crate) fn len(&self) -> usize {
        (self.range.end - self.range.start) as usize
    }

    /// Fills `bytes` from offset `at` of the range.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has become shorter.
    pub(crate) fn read(&self, bytes: &mut [u8], at: usize) -> io::Result<()> {
        let read = read_at(self.file, bytes, self.range.start + at as u64);
        read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => truncated(),
            _ => error,
        })
    }

    /// Maps the range, if the file may be mapped and the system can.
    pub(crate) fn map(&self) -> Option<Mapping> {
        Mapping::new(self.file, self.may_be_mapped.then_some(self.range.start)?, self.len()).ok()
    }

    /// Checks that all bytes of `mapping`, the mapped range, came from the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has become shorter.
    pub(crate) fn check(&self, mapping: &Mapping) -> io::Result<()> {
        check_mapped(self.file, mapping, self.range.start, self.range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_with_the_shortest_time_is_kept() {
        for (reading, mapping, maps) in [(3, 2, true), (2, 3, false), (2, 2, false)] {
            let mut trial = MapTrial::default();
            // ranges that wait for something, or are too short, tell nothing
            let waits = [1000, 0, 0, 100, 100, 0, 0, 0, 0];
            for wait in waits {
                assert_eq!(trial.max_range_bytes(), TIMED_RANGE_BYTES);
                trial.record(1, Duration::ZERO);
                let time = if trial.maps() { mapping } else { reading };
                trial.record(TIMED_RANGE_BYTES as usize, Duration::from_millis(time + wait));
            }
            let max = if maps { TIMED_RANGE_BYTES } else { MAX_RANGE_BYTES };
            for _ in 0..3 {
                assert_eq!((trial.maps(), trial.max_range_bytes()), (maps, max));
                trial.record(TIMED_RANGE_BYTES as usize, Duration::ZERO);
            }
        }
    }
}
