//! Hints to the system about files that will be read soon.
//!
//! If files are not in the page cache, a thread that opens them one by one waits for the disk each
//! time. Files get their lanes some time after they leave the queue, so hints at that point let the
//! disk read many at once. A hint for a cached file would cost as much as hashing it, so samples decide
//! whether hints are worth it.

use super::{Target, open};
use crate::system::{FileKind, is_cached, read_ahead, stat_at, working_dir};

/// One of this many files is sampled. A sample that was not cached is followed by as many hints.
const FILES_PER_SAMPLE: u32 = 32;

/// Bytes of a file to read early. In longer files the system reads ahead alone.
const EARLY_BYTES: u64 = 128 << 10;

/// The hints of one worker.
#[derive(Debug)]
pub(crate) struct ReadAhead {
    /// Files until the next sample.
    until_sample: u32,
    /// Hints left to give.
    hints: u32,
}

impl ReadAhead {
    pub(crate) fn new() -> Self {
        Self { until_sample: FILES_PER_SAMPLE, hints: 0 }
    }

    /// Registers `target`, which will be read soon, and gives a hint if samples say so.
    pub(crate) fn announce(&mut self, target: &Target) {
        if self.hints > 0 {
            self.hints -= 1;
        } else {
            self.until_sample -= 1;
            if self.until_sample > 0 {
                return;
            }
            self.until_sample = FILES_PER_SAMPLE;
        }
        if target.hint() {
            self.hints = FILES_PER_SAMPLE;
        }
    }
}

impl Target {
    /// Starts reading the first bytes of a file into the page cache. Returns whether they were missing
    /// there.
    fn hint(&self) -> bool {
        // opening anything but a file may have side effects
        let Some(place) = self.place().filter(|_| self.is_file()) else { return false };
        // an error is reported when the file is read
        let Ok(file) = open(place) else { return false };
        let cold = is_cached(&file, 0) == Some(false);
        if cold {
            read_ahead(&file, EARLY_BYTES);
        }
        cold
    }

    /// Whether the target is a regular file, and not a link.
    fn is_file(&self) -> bool {
        match self {
            Self::Stdin | Self::Reader(_) | Self::Beneath { .. } => false,
            Self::Walked { .. } => true,
            Self::Named(path) => {
                stat_at(working_dir(), path, true).is_ok_and(|stat| stat.kind == FileKind::File)
            }
        }
    }
}
