//! Hints to the system about files that come soon.
//!
//! Where files are not in the system's cache, a thread that opens them one by one waits for the
//! disk each time. Files get their lanes some time after they have been taken from the supply, so
//! the disk can be told of them then, and has many to read at once. To say so of files that are in
//! the cache would cost as much as hashing them; hence samples, which tell whether it is worth it.

use super::{Target, open};
use crate::system::{Kind, here, is_cached, read_ahead, stat_at};

/// One file of so many is looked at; and so many are hinted at after one that was not in the cache.
const SAMPLE: u32 = 32;

/// Bytes of a file that are hinted at. The system reads on by itself where a file is longer.
const BYTES: u64 = 128 << 10;

/// What is done about the files that a worker takes.
#[derive(Debug)]
pub(crate) struct Ahead {
    /// Files until one is looked at again.
    until: u32,
    /// Files that are still hinted at.
    hints: u32,
}

impl Ahead {
    pub(crate) fn new() -> Self {
        Self { until: SAMPLE, hints: 0 }
    }

    /// Notes that `target` comes soon.
    pub(crate) fn note(&mut self, target: &Target) {
        if self.hints > 0 {
            self.hints -= 1;
        } else {
            self.until -= 1;
            if self.until > 0 {
                return;
            }
            self.until = SAMPLE;
        }
        if target.hint() {
            self.hints = SAMPLE;
        }
    }
}

impl Target {
    /// Has the start of a file read into the system's cache. Returns whether it was not there.
    fn hint(&self) -> bool {
        // to open what is no file may have consequences
        let Some(place) = self.place().filter(|_| self.is_file()) else { return false };
        // whoever reads the file tells what is wrong with it
        let Ok(file) = open(place) else { return false };
        let cold = is_cached(&file, 0) == Some(false);
        if cold {
            read_ahead(&file, BYTES);
        }
        cold
    }

    /// Whether it is a regular file, and nothing else by another name.
    fn is_file(&self) -> bool {
        match self {
            Self::Stdin | Self::Reader(_) => false,
            Self::Walked { .. } => true,
            Self::Named(path) => {
                stat_at(here(), path, true).is_ok_and(|stat| stat.kind == Kind::File)
            }
        }
    }
}
