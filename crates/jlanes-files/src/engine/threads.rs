//! How many threads to use.

use std::{
    num::NonZero,
    sync::{Arc, OnceLock},
    thread,
};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::system;

/// How many threads to use. The default is as many as there are CPUs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads {
    /// What somebody asked for.
    wanted: Option<NonZero<usize>>,
    /// The number, once somebody asked.
    known: Arc<OnceLock<usize>>,
    /// Those that hash one large file together, once there is one.
    pool: Arc<OnceLock<Option<ThreadPool>>>,
}

impl Threads {
    /// As many as are wanted, or as there are CPUs.
    pub(crate) fn new(wanted: Option<NonZero<usize>>) -> Self {
        Self { wanted, known: Arc::default(), pool: Arc::default() }
    }

    /// Threads to be used. What the system offers is asked only where it matters: the answer
    /// costs as much as a dozen small files.
    pub(crate) fn count(&self) -> usize {
        *self.known.get_or_init(|| {
            let wanted = self.wanted.or_else(|| thread::available_parallelism().ok());
            wanted.map_or(1, NonZero::get).min(allowed())
        })
    }
}

impl Threads {
    /// The threads that hash one large file together; nothing if there is one, or the system has no more.
    pub(crate) fn pool(&self) -> Option<&ThreadPool> {
        let start = |count| ThreadPoolBuilder::new().num_threads(count).build().ok();
        let several = || Some(self.count()).filter(|count| *count > 1);
        let pool = self.pool.get_or_init(|| several().and_then(start));
        pool.as_ref()
    }
}

/// Threads that the allowed descriptors suffice for: every lane may have a file open, walks take
/// a quarter, and some are for everything else.
fn allowed() -> usize {
    const LANES: u64 = 16;
    let for_lanes = (system::descriptors() / 4 * 3).saturating_sub(LANES);
    usize::try_from(for_lanes / LANES).map_or(usize::MAX, |threads| threads.max(1))
}
