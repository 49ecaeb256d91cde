//! Lanes shared by files.

use jlanes::{algorithm::AnyScheduler, multi::Usage};

use super::{File, Finished, Lanes, Report};
use crate::read::{End, FileSource};

/// Lanes with messages of one hash function.
pub(super) struct Shared {
    pub(super) scheduler: AnyScheduler<'static, FileSource>,
    pub(super) kernels: Vec<(usize, &'static str)>,
}

impl Lanes for Shared {
    fn submit(&mut self, source: FileSource) {
        self.scheduler.submit(source);
    }

    fn len(&self) -> usize {
        self.scheduler.len()
    }

    fn step(&mut self, file: &mut File<'_>) {
        let finished = |(end, digest): (End, Result<_, _>)| Finished {
            end,
            digests: digest.map(|digest| vec![Ok(digest)]),
        };
        file(&mut self.scheduler.step().map(finished));
    }

    fn usage(&self) -> Usage {
        self.scheduler.usage()
    }

    fn report(&self) -> Report {
        Report { kernels: self.kernels.clone(), lanes: self.scheduler.lanes(), usage: self.usage() }
    }
}
