//! Lanes that files share.

use jlanes::{algorithm::AnyScheduler, multi::Usage};

use super::{Finished, Lanes, Report};
use crate::read::FileSource;

/// Lanes filled with messages of one hash function.
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

    fn step(&mut self, finished: &mut Vec<Finished>) {
        finished.extend(
            self.scheduler.step().map(|(end, digest)| Finished {
                end,
                digests: digest.map(|digest| vec![Ok(digest)]),
            }),
        );
    }

    fn usage(&self) -> Usage {
        self.scheduler.usage()
    }

    fn report(&self) -> Report {
        Report { kernels: self.kernels.clone(), lanes: self.scheduler.lanes(), usage: self.usage() }
    }
}
