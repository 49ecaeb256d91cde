//! Lanes shared by files.

use jlanes::{algorithm::AnyScheduler, multi::Usage};

use super::{File, FileLanes, Finished, Report};
use crate::{
    digester::Digester,
    read::{End, FileSource},
};

/// Lanes with messages of one hash function.
pub(super) struct Shared<D> {
    pub(super) scheduler: AnyScheduler<'static, FileSource>,
    pub(super) kernels: Vec<(usize, &'static str)>,
    pub(super) digester: D,
}

impl<D: Digester> FileLanes for Shared<D> {
    fn submit(&mut self, source: FileSource) {
        self.scheduler.submit(source);
    }

    fn len(&self) -> usize {
        self.scheduler.len()
    }

    fn step(&mut self, file: &mut File<'_>) {
        let Self { scheduler, digester, .. } = self;
        let finished = |(end, output): (End, Result<_, _>)| Finished {
            end,
            digests: output.map(|output| vec![digester.result(output)]),
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
