//! The lanes of one thread, for any set of digests.

mod parts;
mod whole;

use std::{io, sync::Arc};

use jlanes::{Backend, algorithm::AnyScheduler, multi::Usage};

use self::{parts::PartLanes, whole::WholeFiles};
use crate::{
    Computation,
    computation::{ToResult, TreeCallback},
    read::{FileSource, ReadError, ReadSummary},
    threads::Threads,
};

/// A finished message.
pub(crate) struct FinishedFile {
    pub(crate) summary: ReadSummary,
    pub(crate) digests: Result<Digests, ReadError>,
}

/// The digests of one file, in the order of its computations. One may fail for a file, for example
/// if it has too many parts.
pub type Digests = Vec<io::Result<Box<[u8]>>>;

/// How the lanes were used.
///
/// It counts messages of one hash, and parts of S3's composites. Other trees, and several digests from one
/// read, take large files one after the other, and small ones (up to 256 KiB) together in batches, which
/// share the lanes too: their `lanes` is 1, and their `usage` is empty.
#[derive(Clone, Debug)]
pub struct LaneReport {
    /// Kernels by the number of live lanes: the first for one lane, the last for all.
    pub kernels: Vec<(usize, &'static str)>,
    /// The maximum number of messages hashed at once.
    pub lanes: usize,
    /// How well the lanes were filled.
    pub usage: Usage,
}

/// Receiver of finished messages.
pub(crate) type Receiver<'f> = dyn FnMut(&mut dyn Iterator<Item = FinishedFile>) + 'f;

/// Messages that are hashed together on one thread.
pub(crate) trait FileLanes {
    /// Appends a message.
    fn submit(&mut self, source: FileSource);

    /// The number of unfinished messages.
    fn len(&self) -> usize;

    /// Advances all messages for a while, and passes finished ones to `receiver`.
    fn step(&mut self, receiver: &mut Receiver<'_>);

    /// How well the lanes were filled so far.
    fn usage(&self) -> Usage;

    fn report(&self) -> LaneReport;
}

/// All that [`FileLanes`] are made from: a set of computations, with the backend and the threads for it.
#[derive(Clone)]
pub(crate) struct LanesConfig {
    pub(crate) computations: Arc<[Computation]>,
    pub(crate) backend: Backend,
    pub(crate) threads: Threads,
    pub(crate) on_tree: Option<TreeCallback>,
}

impl LanesConfig {
    /// Creates empty lanes.
    pub(crate) fn build(self) -> Box<dyn FileLanes> {
        let shared = match &*self.computations {
            [one] => match one.shared_parts() {
                Some(multipart) => return Box::new(PartLanes::new(multipart, self)),
                None => one.scheduler(self.backend),
            },
            _ => None,
        };
        match shared {
            Some((scheduler, result)) => {
                Box::new(SchedulerLanes { scheduler, result, kernels: self.kernels() })
            }
            None => Box::new(WholeFiles::new(self)),
        }
    }

    /// The kernels of the first digest, by live lanes.
    fn kernels(&self) -> Vec<(usize, &'static str)> {
        self.computations[0].kernels(self.backend)
    }
}

/// Lanes with messages of one hash function.
struct SchedulerLanes {
    scheduler: AnyScheduler<FileSource>,
    result: ToResult,
    kernels: Vec<(usize, &'static str)>,
}

impl FileLanes for SchedulerLanes {
    fn submit(&mut self, source: FileSource) {
        self.scheduler.submit(source);
    }

    fn len(&self) -> usize {
        self.scheduler.len()
    }

    fn step(&mut self, receiver: &mut Receiver<'_>) {
        let Self { scheduler, result, .. } = self;
        let finished = |(summary, output): (ReadSummary, Result<_, _>)| FinishedFile {
            summary,
            digests: output.map(|output| vec![result(output)]),
        };
        receiver(&mut scheduler.step().map(finished));
    }

    fn usage(&self) -> Usage {
        self.scheduler.usage()
    }

    fn report(&self) -> LaneReport {
        let (kernels, lanes) = (self.kernels.clone(), self.scheduler.lanes());
        LaneReport { kernels, lanes, usage: self.usage() }
    }
}

/// Whether each file, even a small one, uses all lanes with these computations.
pub(crate) fn fills_lanes(computations: &[Computation]) -> bool {
    matches!(computations, [one] if one.fills_lanes())
}

/// The best number of threads, up to `threads`, for this number of large files of similar size.
pub(crate) fn threads(
    computations: &[Computation],
    backend: Backend,
    files: usize,
    threads: usize,
) -> usize {
    match computations {
        [one] => one.threads(backend, files, threads),
        _ => threads,
    }
}
