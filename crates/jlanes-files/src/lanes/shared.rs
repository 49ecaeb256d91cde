//! Lanes shared by files.

use jlanes::{algorithm::AnyScheduler, multi::Usage};

use super::{File, FileLanes, Finished, Report};
use crate::{
    digester::ToResult,
    read::{End, FileSource},
};

/// Lanes with messages of one hash function.
pub(super) struct Shared {
    pub(super) scheduler: AnyScheduler<FileSource>,
    pub(super) result: ToResult,
    pub(super) kernels: Vec<(usize, &'static str)>,
}

impl FileLanes for Shared {
    fn submit(&mut self, source: FileSource) {
        self.scheduler.submit(source);
    }

    fn len(&self) -> usize {
        self.scheduler.len()
    }

    fn step(&mut self, file: &mut File<'_>) {
        let Self { scheduler, result, .. } = self;
        let finished = |(end, output): (End, Result<_, _>)| Finished {
            end,
            digests: output.map(|output| vec![result(output)]),
        };
        file(&mut scheduler.step().map(finished));
    }

    fn usage(&self) -> Usage {
        self.scheduler.usage()
    }

    fn report(&self) -> Report {
        Report { kernels: self.kernels.clone(), lanes: self.scheduler.lanes(), usage: self.usage() }
    }
}
