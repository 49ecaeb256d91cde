//! The engine: hashes any number of files on all lanes of all threads.
//!
//! ```text
//! jobs (walk, paths, list) -> Line -> lanes of each worker -> Line -> Sink
//! ```
//!
//! There is no thread for reading or writing: whichever worker needs jobs draws them, and
//! whichever has results hands on all that are due. The calling thread is the first worker; the
//! others start when it has had some work and more is waiting, so a few small files never pay for
//! a thread.

mod cancel;
mod line;
mod threads;
mod worker;

use std::{fmt, io, num::NonZero, panic, sync::Arc, thread};

use jlanes::Backend;

pub use self::cancel::Cancel;
pub(crate) use self::threads::Threads;
use self::{
    line::Line,
    worker::{Shared, Worker},
};
use crate::{
    Digester, Digests, Report,
    read::{Large, Map, Meter, Reading, Target},
};

/// A file to hash, or something that only keeps its place among files. `P` is what the sink needs
/// to know about it.
#[derive(Debug)]
pub struct Job<P, D> {
    /// The engine hands it to the sink together with the outcome.
    pub payload: P,
    /// What to hash. Without it, the sink gets the payload in its turn, without an outcome.
    pub work: Option<Work<D>>,
}

/// What waits for its turn in memory.
pub trait Payload: Send {
    /// Bytes on the heap, about. The engine draws no more jobs while these are 64 MiB.
    fn weight(&self) -> usize;
}

/// A file, and the digests that are wanted of it, from one read.
#[derive(Debug)]
pub struct Work<D> {
    /// What to compute. A file needs at least one digester.
    pub digesters: Arc<[D]>,
    /// Where the file is.
    pub target: Target,
}

/// What became of a file.
#[derive(Debug)]
pub struct Outcome {
    /// Bytes that were read.
    pub len: u64,
    /// Whether the file was seen to change meanwhile; see [`Engine::watch`].
    pub changed: bool,
    /// The digests, or the error that kept the file from being read.
    pub digests: io::Result<Digests>,
}

impl Outcome {
    /// The digest of a file that has one digester.
    ///
    /// # Errors
    /// What kept the file from being read, or from having a digest.
    ///
    /// # Panics
    /// If the file has no digester.
    pub fn only_digest(self) -> io::Result<Box<[u8]>> {
        self.digests?.pop().expect("one digester, one digest")
    }
}

/// Takes the results.
pub trait Sink<P> {
    /// Takes one result. There is no outcome where there was no work. Workers call this under a lock,
    /// one at a time and from any thread.
    ///
    /// # Errors
    /// Any error ends the run, which returns it.
    fn accept(&mut self, payload: P, outcome: Option<Outcome>) -> io::Result<()>;

    /// Shows what has been accepted so far: nothing more may come for a while.
    ///
    /// # Errors
    /// As [`accept`](Self::accept).
    fn pause(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The order in which results are handed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// That of the jobs. Results wait for those of earlier jobs.
    #[default]
    Given,
    /// Each result as soon as its file ends.
    Ended,
}

/// The most sets of digesters that are reported.
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
    /// Adds what another run did after this one.
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
            let known = self.reports.iter_mut().find(|(known, _)| *known == digesters);
            if let Some((_, known)) = known {
                known.usage.add(report.usage);
            } else if self.reports.len() < REPORTS {
                self.reports.push((digesters, report));
            }
        }
    }
}

/// Reads and hashes files.
///
/// An engine is a set of options, and cheap to clone. [`digests`](Self::digests) and
/// [`spawn`](Self::spawn) hash paths and readers; [`run`](Self::run) is under them, and takes whatever
/// belongs to a file through to the results.
///
/// Memory does not grow with the number of files: at most 16 Ki results wait for their turn, lanes have a
/// buffer of 32 KiB each, and mapped windows take 64 MiB. Nor do descriptors: a worker has at most 32
/// files open, and there are no more workers than the limit of open files allows.
#[derive(Clone, Default)]
pub struct Engine {
    backend: Backend,
    threads: Threads,
    reading: Reading,
    order: Order,
    cancel: Cancel,
}

impl Engine {
    /// An engine with the backend that is detected, a thread for each CPU, and results in order.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same on a given backend.
    #[must_use]
    pub fn on(self, backend: Backend) -> Self {
        Self { backend, ..self }
    }

    /// The same with at most so many threads; `None` is one for each CPU.
    #[must_use]
    pub fn threads(self, most: Option<NonZero<usize>>) -> Self {
        Self { threads: Threads::new(most), ..self }
    }

    /// The same with results in another order.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The same with other files mapped into memory.
    #[must_use]
    pub fn map(mut self, map: Map) -> Self {
        self.reading.map = map;
        self
    }

    /// The same with another rule for large files on one disk.
    #[must_use]
    pub fn large(mut self, large: Large) -> Self {
        self.reading.large = large;
        self
    }

    /// The same, where the message of a symbolic link is its text if `links`, and it is not followed.
    #[must_use]
    pub fn links(mut self, links: bool) -> Self {
        self.reading.links = links;
        self
    }

    /// The same, which compares size and time of each file before and after it is read if `watch`;
    /// see [`Outcome::changed`].
    #[must_use]
    pub fn watch(mut self, watch: bool) -> Self {
        self.reading.watch = watch;
        self
    }

    /// The same, which reads only the first buffer of each file if `heads`. Files with other first
    /// buffers differ, so that a search for equal ones reads little.
    #[must_use]
    pub fn heads(mut self, heads: bool) -> Self {
        self.reading.heads = heads;
        self
    }

    /// The same, which calls `progress` from any thread with the number of bytes of each read.
    #[must_use]
    pub fn progress(mut self, progress: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.reading.meter = Some(Meter(Arc::new(progress)));
        self
    }

    /// The same, whose runs end when somebody cancels `cancel`.
    #[must_use]
    pub fn cancel(self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self }
    }

    /// The same with a further handle that cancels its runs, and no other's.
    pub(crate) fn with_own_cancel(&self) -> (Self, Cancel) {
        let own = self.cancel.child();
        (Self { cancel: own.clone(), ..self.clone() }, own)
    }

    /// The backend.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Hashes the files of `jobs`, hands the results to `sink`, and returns the sink.
    ///
    /// Workers draw up to 64 jobs ahead. The iterator runs under a lock, on any thread; while it
    /// blocks, results may wait too.
    ///
    /// # Errors
    /// Those of the sink, and [`Interrupted`](io::ErrorKind::Interrupted) after a [`Cancel`]. What
    /// keeps a file from being hashed is its outcome and no error here.
    ///
    /// # Panics
    /// If the iterator, the sink or a digester does; all workers stop first.
    pub fn run<P: Payload, D: Digester, S: Sink<P> + Send>(
        &self,
        jobs: impl Iterator<Item = Job<P, D>> + Send,
        sink: S,
    ) -> io::Result<(Stats<D>, S)> {
        let line = Line::new(jobs, sink, self.order, self.cancel.clone());
        let shared = Shared { engine: self.clone(), line };
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
                stats.add(helper.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
            }
            stats
        });
        Ok((stats, shared.line.into_sink()?))
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { backend, threads, order, .. } = self;
        write!(f, "Engine({backend}, {threads:?}, {order:?}, ..)")
    }
}
