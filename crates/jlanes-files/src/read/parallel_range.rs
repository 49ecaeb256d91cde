//! Ranges of a large file, each of which several threads read at the same time.

use std::{fs::File, io, ops::Range};

use super::mapped::truncated;
use crate::system::{is_cached, read_at};

/// The maximum number of bytes between two reports of progress: enough that threads seldom wait for
/// each other.
const MAX_RANGE_BYTES: u64 = 256 << 20;

/// The minimum number of bytes that is worth several threads.
const MIN_SHARED_BYTES: u64 = 1 << 20;

/// The next bytes of a regular file, which threads read in any order.
#[derive(Debug)]
pub(crate) struct ParallelRange<'f> {
    file: &'f File,
    range: Range<u64>,
}

impl<'f> ParallelRange<'f> {
    /// The bytes of `file`, of `size` bytes, from `start` on. `None` if they are too few, or come from
    /// a disk, which is fastest in order.
    pub(super) fn new(file: &'f File, start: u64, size: u64) -> Option<Self> {
        let len =
            size.saturating_sub(start).min(MAX_RANGE_BYTES) / MIN_SHARED_BYTES * MIN_SHARED_BYTES;
        let range = start..start + len;
        let may_be_cached = |at| is_cached(file, at) != Some(false);
        (len > 0 && may_be_cached(range.start) && may_be_cached(range.end - 1))
            .then_some(Self { file, range })
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
}
