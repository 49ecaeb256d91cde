//! The lanes of one thread for one method, whatever the method is.

use std::{collections::VecDeque, io};

use jlanes::{Backend, multi::Usage};
use jlanes_core::{
    batch::{Batch, Start},
    engine::Engine,
    hash::{HashFunction, Output},
};

use crate::files::read::{End, FileSource, Head, ReadError};

/// A message that is over.
pub(crate) struct Finished {
    pub(crate) end: End,
    pub(crate) digests: Result<Digests, ReadError>,
}

/// The digests of one message, in the algorithms' order.
pub(crate) type Digests = Vec<io::Result<Box<[u8]>>>;

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

/// Lanes filled with messages of one hash function, by S-HASH.
pub(crate) struct Scheduled<F: HashFunction> {
    engine: Backend,
    batch: Batch<F, Backend, FileSource>,
    waiting: VecDeque<FileSource>,
    head: Head,
    output: Box<dyn Fn(Output<F>) -> Box<[u8]>>,
}

impl<F: HashFunction> Scheduled<F>
where
    Backend: Engine<F::Compression>,
{
    /// Lanes whose messages begin at `start` with `head`; `output` makes their digests of what
    /// comes out.
    pub(crate) fn new(
        engine: Backend,
        start: Start<F>,
        head: Head,
        output: impl Fn(Output<F>) -> Box<[u8]> + 'static,
    ) -> Self {
        let (batch, waiting) = (Batch::new(engine, start), VecDeque::new());
        Self { engine, batch, waiting, head, output: Box::new(output) }
    }
}

impl<F: HashFunction> Lanes for Scheduled<F>
where
    Backend: Engine<F::Compression>,
{
    fn submit(&mut self, source: FileSource) {
        self.waiting.push_back(source.after(&self.head));
    }

    fn len(&self) -> usize {
        self.waiting.len() + self.batch.live()
    }

    fn step(&mut self, finished: &mut Vec<Finished>) {
        let Self { batch, waiting, output, .. } = self;
        batch.step(
            || waiting.pop_front(),
            |source, result| {
                let end = jlanes::multi::Source::into_key(source);
                let digests = result.map(|digest| vec![Ok(output(digest))]);
                finished.push(Finished { end, digests });
            },
        );
    }

    fn usage(&self) -> Usage {
        self.batch.usage()
    }

    fn report(&self) -> Report {
        let lanes = Engine::<F::Compression>::lanes(&self.engine);
        Report { kernels: kernels::<F>(self.engine), lanes, usage: self.usage() }
    }
}

/// The kernels of `F`, each with the least number of live lanes for which it runs.
pub(crate) fn kernels<F: HashFunction>(backend: Backend) -> Vec<(usize, &'static str)>
where
    Backend: Engine<F::Compression>,
{
    let lanes = Engine::<F::Compression>::lanes(&backend);
    let kernel = |live| Engine::<F::Compression>::kernel_name(&backend, live);
    let mut kernels: Vec<_> = (1..=lanes).map(|live| (live, kernel(live))).collect();
    kernels.dedup_by_key(|(_, kernel)| *kernel);
    kernels
}
