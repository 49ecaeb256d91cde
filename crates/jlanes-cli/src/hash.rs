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

pub(crate) mod lanes;
pub(crate) mod method;
pub(crate) mod pointers;
mod supply;
pub(crate) mod whole;
mod window;
mod worker;

use std::{
    io,
    num::NonZero,
    sync::{Arc, OnceLock},
    thread,
};

use jlanes::{Algorithm, Backend};
use rustix::process::{Resource, getrlimit};

use self::{
    lanes::{Digests, Report},
    supply::Supply,
    window::Window,
    worker::{Shared, Worker},
};
use crate::{
    files::read::{Reading, Target},
    hash::method::Options,
};

/// One thing to be done in order. `P` is what the sink needs to know about it.
pub(crate) struct Job<P> {
    pub(crate) payload: P,
    /// What is to be hashed; nothing for messages that only keep their place.
    pub(crate) work: Option<Work>,
}

/// A file, and the digests that are wanted of it, from one read.
pub(crate) struct Work {
    pub(crate) algorithms: Arc<[Algorithm]>,
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
    /// The digest, where one algorithm was asked for.
    ///
    /// # Errors
    /// What kept the file from being read, or from having a digest.
    pub(crate) fn only_digest(self) -> io::Result<Box<[u8]>> {
        self.digests?.pop().expect("one algorithm, one digest")
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

/// How to hash.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) options: Arc<Options>,
    pub(crate) backend: Backend,
    pub(crate) threads: Option<NonZero<usize>>,
    /// Threads to be used, once somebody asked.
    pub(crate) parallelism: Arc<OnceLock<usize>>,
    pub(crate) reading: Reading,
}

impl Settings {
    /// Threads to be used. What the system offers is asked only where it matters: the answer
    /// costs as much as a dozen small files.
    pub(crate) fn threads(&self) -> usize {
        *self.parallelism.get_or_init(|| {
            let wanted = self.threads.or_else(|| thread::available_parallelism().ok());
            wanted.map_or(1, NonZero::get).min(allowed_threads())
        })
    }
}

/// Threads that the allowed descriptors suffice for: every lane may have a file open, walks take
/// a quarter, and some are for everything else.
fn allowed_threads() -> usize {
    const LANES: u64 = 16;
    let descriptors = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let for_lanes = (descriptors / 4 * 3).saturating_sub(LANES);
    usize::try_from(for_lanes / LANES).map_or(usize::MAX, |threads| threads.max(1))
}

/// What `--debug` shows.
#[derive(Debug, Default)]
pub(crate) struct Stats {
    pub(crate) threads: usize,
    pub(crate) bytes: u64,
    pub(crate) files: u64,
    pub(crate) reports: Vec<(Arc<[Algorithm]>, Report)>,
}

impl Stats {
    fn add(&mut self, other: Self) {
        self.threads += other.threads;
        self.bytes += other.bytes;
        self.files += other.files;
        for (algorithm, report) in other.reports {
            match self.reports.iter_mut().find(|(known, _)| *known == algorithm) {
                Some((_, known)) => known.usage.add(report.usage),
                None => self.reports.push((algorithm, report)),
            }
        }
    }
}

/// Hashes `jobs`, hands the results to `sink` in the jobs' order, and gives the sink back.
///
/// # Errors
/// The sink's.
pub(crate) fn run<P: Send, S: Sink<P> + Send>(
    settings: Settings,
    jobs: impl Iterator<Item = Job<P>> + Send,
    sink: S,
) -> io::Result<(Stats, S)> {
    let shared = Shared { settings, supply: Supply::new(jobs), window: Window::new(sink) };
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
