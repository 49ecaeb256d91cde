//! The lanes of one thread for one algorithm, whatever the algorithm is.

use jlanes::{
    Backend,
    multi::{Engine, MultiDigest, Scheduler, Usage},
};

use crate::read::{FileSource, ReadError};

/// A message that is over.
pub(crate) struct Finished {
    pub(crate) number: u64,
    /// Bytes that were read.
    pub(crate) len: u64,
    pub(crate) digest: Result<Box<[u8]>, ReadError>,
}

/// How the lanes were used, for `--debug`.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// Kernels by live lanes: the first for one lane, the last for all.
    pub(crate) kernels: Vec<(usize, &'static str)>,
    pub(crate) lanes: usize,
    pub(crate) usage: Usage,
}

/// Messages that are hashed side by side.
pub(crate) trait Lanes {
    /// Lines a message up.
    fn submit(&mut self, source: FileSource);

    /// Messages that are not over.
    fn len(&self) -> usize;

    /// Goes on with all messages for a while; those that are over go to `finished`.
    fn step(&mut self, finished: &mut Vec<Finished>);

    /// How well the lanes were filled so far.
    fn usage(&self) -> Usage;

    fn report(&self) -> Report;
}

/// Lanes filled with messages of the hash `H`, by S-HASH.
struct Scheduled<H: MultiDigest> {
    engine: H::Engine,
    scheduler: Scheduler<H, FileSource>,
}

/// Lanes for `H` on `backend`.
pub(crate) fn scheduled<H>(backend: Backend) -> Box<dyn Lanes>
where
    H: MultiDigest + 'static,
    Backend: Into<H::Engine>,
{
    let engine = backend.into();
    Box::new(Scheduled::<H> { engine, scheduler: Scheduler::with_engine(engine) })
}

impl<H: MultiDigest> Lanes for Scheduled<H> {
    fn submit(&mut self, source: FileSource) {
        self.scheduler.submit(source);
    }

    fn len(&self) -> usize {
        self.scheduler.len()
    }

    fn step(&mut self, finished: &mut Vec<Finished>) {
        finished.extend(self.scheduler.step().map(|((number, len), digest)| Finished {
            number,
            len,
            digest: digest.map(|digest| digest.as_slice().into()),
        }));
    }

    fn usage(&self) -> Usage {
        self.scheduler.usage()
    }

    fn report(&self) -> Report {
        let lanes = self.engine.lanes();
        let mut kernels: Vec<(usize, &'static str)> =
            (1..=lanes).map(|live| (live, self.engine.kernel(live))).collect();
        kernels.dedup_by_key(|(_, kernel)| *kernel);
        Report { kernels, lanes, usage: self.usage() }
    }
}
