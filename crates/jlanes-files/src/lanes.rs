//! The lanes of one thread for some digests of each file, whatever they are.

mod shared;
mod whole;

use std::{io, sync::Arc};

use jlanes::{Backend, multi::Usage};

use self::{shared::Shared, whole::Whole};
use crate::{
    Digester,
    engine::Threads,
    read::{End, FileSource, ReadError},
};

/// A message that is over.
pub(crate) struct Finished {
    pub(crate) end: End,
    pub(crate) digests: Result<Digests, ReadError>,
}

/// The digests of one file, in the order of its digesters. There are files of which a digester makes
/// none, such as those with too many parts.
pub type Digests = Vec<io::Result<Box<[u8]>>>;

/// How the lanes were used.
#[derive(Clone, Debug)]
pub struct Report {
    /// Kernels by live lanes: the first for one lane, the last for all.
    pub kernels: Vec<(usize, &'static str)>,
    /// Messages that run side by side at most.
    pub lanes: usize,
    /// How well the lanes were filled.
    pub usage: Usage,
}

/// What files messages that are over.
pub(crate) type File<'f> = dyn FnMut(&mut dyn Iterator<Item = Finished>) + 'f;

/// Messages that are hashed side by side.
pub(crate) trait Lanes {
    /// Lines a message up.
    fn submit(&mut self, source: FileSource);

    /// Messages that are not over.
    fn len(&self) -> usize;

    /// Goes on with all messages for a while, and calls `file` with those that are over.
    fn step(&mut self, file: &mut File<'_>);

    /// How well the lanes were filled so far.
    fn usage(&self) -> Usage;

    fn report(&self) -> Report;
}

/// The digests of each file, and what computes them.
#[derive(Clone)]
pub(crate) struct Method<D> {
    pub(crate) digesters: Arc<[D]>,
    pub(crate) backend: Backend,
    pub(crate) threads: Threads,
}

impl<D: Digester> Method<D> {
    /// Empty lanes for it.
    pub(crate) fn lanes<'d>(self) -> Box<dyn Lanes + 'd>
    where
        D: 'd,
    {
        let shared = match &*self.digesters {
            [digester] => digester.scheduler(self.backend),
            _ => None,
        };
        match shared {
            Some(scheduler) => Box::new(Shared { scheduler, kernels: self.kernels() }),
            None => Box::new(Whole::new(self)),
        }
    }

    /// The kernels that its first digest runs on, by live lanes.
    fn kernels(&self) -> Vec<(usize, &'static str)> {
        self.digesters[0].kernels(self.backend)
    }
}

/// Whether each file has the lanes to itself under these digesters, even if it is small.
pub(crate) fn is_alone<D: Digester>(digesters: &[D]) -> bool {
    matches!(digesters, [digester] if digester.is_alone())
}

/// Among how many of `threads` threads so many files are best dealt, if they are large and alike.
pub(crate) fn threads<D: Digester>(
    digesters: &[D],
    backend: Backend,
    files: usize,
    threads: usize,
) -> usize {
    match digesters {
        [digester] => digester.threads(backend, files, threads),
        _ => threads,
    }
}
