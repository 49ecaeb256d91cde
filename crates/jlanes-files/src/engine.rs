//! The engine: hashes any number of files on all lanes of all threads.
//!
//! ```text
//! jobs (walk, paths, list) -> Queue -> lanes of each worker -> Queue -> Sink
//! ```
//!
//! There is no separate thread for reading or writing: a worker that needs jobs takes them from the
//! iterator, and a worker that has results passes on all that are due. The calling thread is the
//! first worker; the others start once it has done some work and more is waiting, so a few small
//! files never cost a thread.

mod cancel;
mod queue;
mod worker;

use std::{fmt, io, num::NonZero, panic, path::PathBuf, sync::Arc, thread};

use jlanes::Backend;

pub use self::cancel::Cancel;
use self::{
    queue::Queue,
    worker::{Shared, Worker},
};
use crate::{
    Computation, Digests, LaneReport,
    computation::TreeCallback,
    read::{LargeFileOrder, MapPolicy, ProgressCallback, ReadOptions, Target},
    system::Stat,
    threads::Threads,
};

/// A file to hash, or a placeholder that keeps its position in the order. `P` is the sink's own data
/// about it.
#[derive(Debug)]
pub struct Job<P> {
    /// Passed to the sink together with the outcome.
    pub payload: P,
    /// The file and its computations. If `None`, the sink gets the payload in its turn, without an outcome.
    pub work: Option<Work>,
}

/// Data that waits in memory for its turn.
pub trait Payload: Send {
    /// The approximate size on the heap in bytes. The engine takes no more jobs while the total is
    /// 64 MiB.
    fn weight(&self) -> usize;
}

impl Payload for Vec<u8> {
    fn weight(&self) -> usize {
        self.capacity()
    }
}

impl Payload for PathBuf {
    fn weight(&self) -> usize {
        self.capacity()
    }
}

/// A file, and the digests to compute in one read of it.
#[derive(Debug)]
pub struct Work {
    /// The digests to compute; at least one.
    pub computations: Arc<[Computation]>,
    /// Where the file is.
    pub target: Target,
}

/// A file's digests, with the facts that the engine learned while it read the file.
#[derive(Debug)]
pub struct Outcome {
    /// Bytes read.
    pub len: u64,
    /// The status of the file that was opened, from the time before it was read; see
    /// [`Engine::record_stat`]. `None` for anything but a regular file.
    pub stat: Option<Stat>,
    /// Whether the file was seen to change while it was read; see [`Engine::detect_changes`].
    pub changed: bool,
    /// The digests, or the error that stopped the file from being read.
    pub digests: io::Result<Digests>,
}

impl Outcome {
    /// The digest of a file that has one computation.
    ///
    /// # Errors
    ///
    /// The error of the file or of the digest.
    ///
    /// # Panics
    ///
    /// If there is no computation.
    pub fn only_digest(self) -> io::Result<Box<[u8]>> {
        self.digests?.pop().expect("one computation, one digest")
    }
}

/// Receives the results. A closure that takes the payload and the outcome is a sink.
pub trait Sink<P> {
    /// Receives one result. `outcome` is `None` if the job had no work. Workers call this under a
    /// lock, one at a time, from any thread.
    ///
    /// # Errors
    ///
    /// Any error ends the run and is returned by it.
    fn accept(&mut self, payload: P, outcome: Option<Outcome>) -> io::Result<()>;

    /// Called when no result may come for a while: flush what has been accepted.
    ///
    /// # Errors
    ///
    /// As for [`accept`](Self::accept).
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<P, F: FnMut(P, Option<Outcome>) -> io::Result<()>> Sink<P> for F {
    fn accept(&mut self, payload: P, outcome: Option<Outcome>) -> io::Result<()> {
        self(payload, outcome)
    }
}

/// The order of the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The order of the jobs. Results wait for those of earlier jobs.
    #[default]
    AsGiven,
    /// The order in which files finish, which differs from run to run.
    AsFinished,
}

/// The maximum number of sets of computations in the statistics; a list may name many algorithms.
const MAX_REPORTS: usize = 64;

/// Statistics of a run.
#[derive(Debug, Default)]
pub struct Stats {
    /// Threads that hashed.
    pub threads: usize,
    /// Bytes read.
    pub bytes: u64,
    /// Files that were hashed or failed.
    pub files: u64,
    /// How the lanes were used, for each set of computations.
    pub reports: Vec<(Arc<[Computation]>, LaneReport)>,
}

impl Stats {
    /// Adds the statistics of a later run.
    pub fn add_later(&mut self, other: Self) {
        let threads = self.threads.max(other.threads);
        self.add(other);
        self.threads = threads;
    }

    fn add(&mut self, other: Self) {
        self.threads += other.threads;
        self.bytes += other.bytes;
        self.files += other.files;
        for (computations, report) in other.reports {
            let known = self.reports.iter_mut().find(|(known, _)| *known == computations);
            if let Some((_, known)) = known {
                known.usage.add(report.usage);
            } else if self.reports.len() < MAX_REPORTS {
                self.reports.push((computations, report));
            }
        }
    }
}

/// Reads and hashes files.
///
/// An engine is a set of options, and cheap to clone. [`digests`](Self::digests) and
/// [`spawn`](Self::spawn) hash paths and readers; [`run`](Self::run) is the lower level, with a
/// payload for each file.
///
/// Memory does not grow with the number of files: at most 16 Ki results wait for their turn, each
/// lane has a buffer of 32 KiB, and mapped windows take 64 MiB. The number of open files does not
/// grow either: a worker opens at most 32, and the number of workers respects the limit of open
/// files.
#[derive(Clone, Default)]
pub struct Engine {
    backend: Backend,
    pub(crate) threads: Threads,
    pub(crate) reading: ReadOptions,
    order: Order,
    cancel: Cancel,
    on_tree: Option<TreeCallback>,
}

impl Engine {
    /// An engine with the detected backend, one thread per CPU, and results in order.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the backend.
    #[must_use]
    pub fn on(self, backend: Backend) -> Self {
        Self { backend, ..self }
    }

    /// Sets the maximum number of threads; `None` means one per CPU.
    #[must_use]
    pub fn threads(self, most: Option<NonZero<usize>>) -> Self {
        Self { threads: Threads::new(most), ..self }
    }

    /// Sets the order of results.
    ///
    /// ```
    /// use jlanes::Algorithm;
    /// use jlanes_files::{Engine, Order};
    ///
    /// // a large file does not hold up the small ones after it
    /// let engine = Engine::new().order(Order::AsFinished);
    /// let mut ended = Vec::new();
    /// engine.digests([Algorithm::SHA256], ["Cargo.toml", "README.md"], |file| {
    ///     ended.push(file.path);
    ///     Ok(())
    /// })?;
    /// ended.sort();
    /// assert_eq!(ended.len(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Sets which files are mapped into memory.
    #[must_use]
    pub fn mmap(mut self, mmap: MapPolicy) -> Self {
        self.reading.map = mmap;
        self
    }

    /// Sets how large files on one disk are read.
    #[must_use]
    pub fn large_files(mut self, large: LargeFileOrder) -> Self {
        self.reading.large = large;
        self
    }

    /// If `hash_links`, hashes the target path of a symbolic link and does not follow it.
    #[must_use]
    pub fn hash_links(mut self, hash_links: bool) -> Self {
        self.reading.hash_links = hash_links;
        self
    }

    /// If `record_stat`, passes on the status of each opened file with its digests: another file may
    /// have had its path before and after. See [`Outcome::stat`].
    #[must_use]
    pub fn record_stat(mut self, record_stat: bool) -> Self {
        self.reading.record_stat = record_stat;
        self
    }

    /// If `detect_changes`, compares the size and time of each file before and after reading; see
    /// [`Outcome::changed`]. It records the status, too.
    #[must_use]
    pub fn detect_changes(mut self, detect_changes: bool) -> Self {
        self.reading.detect_changes = detect_changes;
        self
    }

    /// If `first_buffer_only`, reads only the first buffer of each file. Files with different first buffers
    /// differ, so a search for duplicates reads little.
    #[must_use]
    pub fn first_buffer_only(mut self, first_buffer_only: bool) -> Self {
        self.reading.first_buffer_only = first_buffer_only;
        self
    }

    /// Calls `progress`, from any thread, with the number of bytes of each read.
    ///
    /// ```
    /// use std::sync::{
    ///     Arc,
    ///     atomic::{AtomicU64, Ordering},
    /// };
    ///
    /// use jlanes::Algorithm;
    /// use jlanes_files::Engine;
    ///
    /// let done = Arc::new(AtomicU64::new(0)); // another thread may show it
    /// let counter = Arc::clone(&done);
    /// let engine = Engine::new().progress(move |bytes| {
    ///     counter.fetch_add(bytes, Ordering::Relaxed);
    /// });
    /// let stats = engine.digests([Algorithm::SHA256], ["src/lib.rs"], |_| Ok(()))?;
    /// assert_eq!(done.load(Ordering::Relaxed), stats.bytes);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn progress(mut self, progress: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.reading.progress = Some(ProgressCallback(Arc::new(progress)));
        self
    }

    /// Passes the hash tree of each file under dm-verity, without its superblock, to `on_tree`, on any
    /// thread. An error of `on_tree` is that of the digest.
    #[must_use]
    pub fn on_dmverity_tree(
        self,
        on_tree: impl Fn(&[u8]) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        Self { on_tree: Some(Arc::new(on_tree)), ..self }
    }

    /// Lets `cancel` end the runs of this engine.
    #[must_use]
    pub fn cancel(self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self }
    }

    /// A copy with its own handle, which cancels only the runs of the copy.
    pub(crate) fn with_own_cancel(&self) -> (Self, Cancel) {
        let own = self.cancel.child();
        (Self { cancel: own.clone(), ..self.clone() }, own)
    }

    /// The backend.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The maximum number of threads.
    #[must_use]
    pub fn max_threads(&self) -> NonZero<usize> {
        NonZero::new(self.threads.count()).unwrap_or(NonZero::<usize>::MIN)
    }

    /// Hashes the files of `jobs`, passes the results to `sink`, and returns the sink.
    ///
    /// Workers take up to 64 jobs ahead. The iterator runs under a lock, on any thread; while it
    /// blocks, results may be delayed. [The crate's page](crate#a-backup) has an example.
    ///
    /// # Errors
    /// The errors of the sink, and [`Interrupted`](io::ErrorKind::Interrupted) after a [`Cancel`].
    /// A file that cannot be hashed is an outcome, not an error here.
    ///
    /// # Panics
    /// If the iterator or the sink panics; all workers stop first.
    pub fn run<P: Payload, S: Sink<P> + Send>(
        &self,
        jobs: impl Iterator<Item = Job<P>> + Send,
        sink: S,
    ) -> io::Result<(Stats, S)> {
        let queue = Queue::new(jobs, sink, self.order, self.cancel.clone());
        let shared = Shared { engine: self.clone(), queue };
        let stats = thread::scope(|scope| {
            let mut first = Worker::new(&shared);
            let mut helpers = Vec::new();
            let mut may_spawn = true;
            while first.work_once() {
                if helpers.is_empty() && may_spawn && first.has_done_enough() {
                    let spawn = |_| {
                        let help = || Worker::new(&shared).work();
                        thread::Builder::new().spawn_scoped(scope, help).ok()
                    };
                    let wanted = shared.helpers_wanted();
                    helpers.extend((0..wanted).map_while(spawn));
                    // if the system refuses another thread, the existing ones do the work
                    may_spawn = helpers.len() == wanted;
                }
            }
            let mut stats = first.stats();
            for helper in helpers {
                stats.add(helper.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
            }
            stats
        });
        Ok((stats, shared.queue.into_sink()?))
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { backend, threads, order, .. } = self;
        write!(f, "Engine({backend}, {threads:?}, {order:?}, ..)")
    }
}
