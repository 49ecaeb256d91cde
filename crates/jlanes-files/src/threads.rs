//! The number of threads, and the pool that shares one large file.

use std::{
    num::NonZero,
    sync::{Arc, OnceLock},
    thread,
};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::system;

/// The number of threads, by default one per CPU.
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads {
    /// The requested number.
    wanted: Option<NonZero<usize>>,
    /// The number, once computed.
    known: Arc<OnceLock<usize>>,
    /// The pool that hashes one large file, once created.
    pool: Arc<OnceLock<Option<ThreadPool>>>,
}

impl Threads {
    /// The requested number, or one per CPU.
    pub(crate) fn new(wanted: Option<NonZero<usize>>) -> Self {
        Self { wanted, known: Arc::default(), pool: Arc::default() }
    }

    /// The number of threads to use. The system is asked only when needed: the call costs as much
    /// as hashing a dozen small files.
    pub(crate) fn count(&self) -> usize {
        *self.known.get_or_init(|| {
            let wanted = self.wanted.or_else(|| thread::available_parallelism().ok());
            wanted.map_or(1, NonZero::get).min(max_threads_by_files())
        })
    }

    /// The pool that hashes one large file; `None` with a single thread, or if the system has no
    /// more.
    pub(crate) fn pool(&self) -> Option<&ThreadPool> {
        let start = |count| ThreadPoolBuilder::new().num_threads(count).build().ok();
        let several = || Some(self.count()).filter(|count| *count > 1);
        let pool = self.pool.get_or_init(|| several().and_then(start));
        pool.as_ref()
    }
}

/// The number of threads that the limit of open files allows: each lane has a file open, a quarter of
/// the limit is for walks, and some is for everything else.
fn max_threads_by_files() -> usize {
    /// The files that one thread's lanes have open; as many are left for everything else.
    const FILES_PER_THREAD: u64 = 16;
    let for_lanes = (system::max_open_files() / 4 * 3).saturating_sub(FILES_PER_THREAD);
    usize::try_from(for_lanes / FILES_PER_THREAD).map_or(usize::MAX, |threads| threads.max(1))
}
