//! The engine: hashes any number of files on all lanes of all threads, and hands the results on
//! in the order in which the files came.
//!
//! ```text
//! jobs (walk, operands, list) -> Supply -> Worker (lanes) x threads -> Window -> Sink
//! ```
//!
//! There is no thread for reading or writing: whichever worker needs jobs draws them, and
//! whichever has results hands on all that are due. The calling thread is the first worker; the
//! others start when it has had some work and more is waiting, so a few small files never pay for
//! a thread.

mod supply;
mod window;
mod worker;

use std::{io, sync::Arc, thread};

use self::{
    supply::Supply,
    window::Window,
    worker::{Shared, Worker},
};
use super::{
    lanes::{Digests, Report},
    method::{Scheme, Settings},
};
use crate::files::read::{Reading, Target};

/// One thing to be done in order. `P` is what the sink needs to know about it.
pub(crate) struct Job<P> {
    pub(crate) payload: P,
    /// What is to be hashed; nothing for messages that only keep their place.
    pub(crate) work: Option<Work>,
}

/// What waits for its turn, in order.
pub(crate) trait Payload: Send {
    /// Bytes of memory that it takes besides itself, about.
    fn weight(&self) -> usize;
}

/// A file, and the digests that are wanted of it, from one read.
pub(crate) struct Work {
    pub(crate) schemes: Arc<[Scheme]>,
    pub(crate) target: Target,
}

/// What became of a file.
pub(crate) struct Outcome {
    /// Bytes that were read.
    pub(crate) len: u64,
    /// Whether the file was seen to change meanwhile.
    pub(crate) changed: bool,
    pub(crate) digests: io::Result<Digests>,
}

impl Outcome {
    /// The digest, where one scheme was asked for.
    ///
    /// # Errors
    /// What kept the file from being read, or from having a digest.
    pub(crate) fn only_digest(self) -> io::Result<Box<[u8]>> {
        self.digests?.pop().expect("one scheme, one digest")
    }
}

/// Takes the results, in order.
pub(crate) trait Sink<P> {
    /// Takes one result. The outcome is missing where there was no work.
    ///
    /// # Errors
    /// What keeps the results from being written. Nothing is hashed any more then.
    fn accept(&mut self, payload: P, outcome: Option<Outcome>) -> io::Result<()>;

    /// Shows what has been accepted so far: nothing more may come for a while.
    fn pause(&mut self) -> io::Result<()>;
}

/// The most methods that are told of.
const REPORTS: usize = 64;

/// What `--debug` shows.
#[derive(Debug, Default)]
pub(crate) struct Stats {
    pub(crate) threads: usize,
    pub(crate) bytes: u64,
    pub(crate) files: u64,
    pub(crate) reports: Vec<(Arc<[Scheme]>, Report)>,
}

impl Stats {
    /// Adds what another run did, after this one.
    pub(crate) fn then(&mut self, other: Self) {
        let threads = self.threads.max(other.threads);
        self.add(other);
        self.threads = threads;
    }

    fn add(&mut self, other: Self) {
        self.threads += other.threads;
        self.bytes += other.bytes;
        self.files += other.files;
        for (schemes, report) in other.reports {
            if let Some((_, known)) = self.reports.iter_mut().find(|(known, _)| *known == schemes) {
                known.usage.add(report.usage);
            } else if self.reports.len() < REPORTS {
                self.reports.push((schemes, report));
            }
        }
    }
}

/// How files are read and hashed.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub(crate) settings: Settings,
    pub(crate) reading: Reading,
}

impl Engine {
    /// Hashes the files of `jobs`, hands the results to `sink` in the jobs' order, and gives the
    /// sink back.
    ///
    /// # Errors
    /// The sink's.
    pub(crate) fn run<P: Payload, S: Sink<P> + Send>(
        &self,
        jobs: impl Iterator<Item = Job<P>> + Send,
        sink: S,
    ) -> io::Result<(Stats, S)> {
        let engine = self.clone();
        run(Shared { engine, supply: Supply::new(jobs), window: Window::new(sink) })
    }
}

fn run<P, I, S>(shared: Shared<P, I, S>) -> io::Result<(Stats, S)>
where
    P: Payload,
    I: Iterator<Item = Job<P>> + Send,
    S: Sink<P> + Send,
{
    let stats = thread::scope(|scope| {
        let mut first = Worker::new(&shared);
        let mut helpers = Vec::new();
        let mut may_spawn = true;
        while first.turn() {
            if helpers.is_empty() && may_spawn && first.is_busy() {
                let spawn = |_| {
                    let help = || Worker::new(&shared).work();
                    thread::Builder::new().spawn_scoped(scope, help).ok()
                };
                let wanted = shared.helpers_wanted();
                helpers.extend((0..wanted).map_while(spawn));
                // where the system has no more threads, the work is done with those there are
                may_spawn = helpers.len() == wanted;
            }
        }
        let mut stats = first.stats();
        for helper in helpers {
            stats.add(helper.join().expect("workers do not panic"));
        }
        stats
    });
    Ok((stats, shared.window.into_sink()?))
}
