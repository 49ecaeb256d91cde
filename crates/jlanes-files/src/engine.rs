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
mod threads;
mod window;
mod worker;

use std::{io, sync::Arc, thread};

pub use self::threads::Threads;
use self::{
    supply::Supply,
    window::Window,
    worker::{Shared, Worker},
};
use crate::{
    Digester, Digests, Report,
    read::{Reading, Target},
};
use jlanes::Backend;

/// One thing to be done in order. `P` is what the sink needs to know about it.
pub struct Job<P, D> {
    /// What the sink gets back.
    pub payload: P,
    /// What is to be hashed; nothing for messages that only keep their place.
    pub work: Option<Work<D>>,
}

/// What waits for its turn, in order.
pub trait Payload: Send {
    /// Bytes of memory that it takes besides itself, about.
    fn weight(&self) -> usize;
}

/// A file, and the digests that are wanted of it, from one read.
#[derive(Debug)]
pub struct Work<D> {
    /// What is wanted; not empty.
    pub digesters: Arc<[D]>,
    /// Where the file is.
    pub target: Target,
}

/// What became of a file.
#[derive(Debug)]
pub struct Outcome {
    /// Bytes that were read.
    pub len: u64,
    /// Whether the file was seen to change meanwhile.
    pub changed: bool,
    /// The digests, or what kept the file from being read.
    pub digests: io::Result<Digests>,
}

impl Outcome {
    /// The digest, where one was asked for.
    ///
    /// # Errors
    /// What kept the file from being read, or from having a digest.
    ///
    /// # Panics
    /// If no digest was asked for.
    pub fn only_digest(self) -> io::Result<Box<[u8]>> {
        self.digests?.pop().expect("one digester, one digest")
    }
}

/// Takes the results, in order.
pub trait Sink<P> {
    /// Takes one result. The outcome is missing where there was no work.
    ///
    /// # Errors
    /// What keeps the results from being written. Nothing is hashed any more then.
    fn accept(&mut self, payload: P, outcome: Option<Outcome>) -> io::Result<()>;

    /// Shows what has been accepted so far: nothing more may come for a while.
    ///
    /// # Errors
    /// As [`accept`](Self::accept).
    fn pause(&mut self) -> io::Result<()>;
}

/// The most methods that are told of.
const REPORTS: usize = 64;

/// What a run did.
#[derive(Debug)]
pub struct Stats<D> {
    /// Threads that hashed.
    pub threads: usize,
    /// Bytes that were read.
    pub bytes: u64,
    /// Files that were hashed, or could not be.
    pub files: u64,
    /// How the lanes of each set of digesters were used.
    pub reports: Vec<(Arc<[D]>, Report)>,
}

impl<D> Default for Stats<D> {
    fn default() -> Self {
        Self { threads: 0, bytes: 0, files: 0, reports: Vec::new() }
    }
}

impl<D: PartialEq> Stats<D> {
    /// Adds what another run did, after this one.
    pub fn then(&mut self, other: Self) {
        let threads = self.threads.max(other.threads);
        self.add(other);
        self.threads = threads;
    }

    fn add(&mut self, other: Self) {
        self.threads += other.threads;
        self.bytes += other.bytes;
        self.files += other.files;
        for (digesters, report) in other.reports {
            if let Some((_, known)) = self.reports.iter_mut().find(|(known, _)| *known == digesters)
            {
                known.usage.add(report.usage);
            } else if self.reports.len() < REPORTS {
                self.reports.push((digesters, report));
            }
        }
    }
}

/// How files are read and hashed.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    /// The instructions to use.
    pub backend: Backend,
    /// How many threads.
    pub threads: Threads,
    /// How files are read.
    pub reading: Reading,
}

impl Engine {
    /// Hashes the files of `jobs`, hands the results to `sink` in the jobs' order, and gives the
    /// sink back.
    ///
    /// # Errors
    /// The sink's.
    pub fn run<P: Payload, D: Digester, S: Sink<P> + Send>(
        &self,
        jobs: impl Iterator<Item = Job<P, D>> + Send,
        sink: S,
    ) -> io::Result<(Stats<D>, S)> {
        let engine = self.clone();
        run(Shared { engine, supply: Supply::new(jobs), window: Window::new(sink) })
    }
}

fn run<P, D, I, S>(shared: Shared<P, D, I, S>) -> io::Result<(Stats<D>, S)>
where
    P: Payload,
    D: Digester,
    I: Iterator<Item = Job<P, D>> + Send,
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
