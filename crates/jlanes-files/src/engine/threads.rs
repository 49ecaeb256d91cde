//! How many threads to use.

use std::{
    num::NonZero,
    sync::{Arc, OnceLock},
    thread,
};

use crate::system;

/// How many threads to use. The default is as many as there are CPUs.
#[derive(Clone, Debug, Default)]
pub struct Threads {
    /// What somebody asked for.
    wanted: Option<NonZero<usize>>,
    /// The number, once somebody asked.
    known: Arc<OnceLock<usize>>,
}

impl Threads {
    /// As many as are wanted, or as there are CPUs.
    #[must_use]
    pub fn new(wanted: Option<NonZero<usize>>) -> Self {
        Self { wanted, known: Arc::default() }
    }

    /// Threads to be used. What the system offers is asked only where it matters: the answer
    /// costs as much as a dozen small files.
    #[must_use]
    pub fn count(&self) -> usize {
        *self.known.get_or_init(|| {
            let wanted = self.wanted.or_else(|| thread::available_parallelism().ok());
            wanted.map_or(1, NonZero::get).min(allowed())
        })
    }
}

/// Threads that the allowed descriptors suffice for: every lane may have a file open, walks take
/// a quarter, and some are for everything else.
fn allowed() -> usize {
    const LANES: u64 = 16;
    let for_lanes = (system::descriptors() / 4 * 3).saturating_sub(LANES);
    usize::try_from(for_lanes / LANES).map_or(usize::MAX, |threads| threads.max(1))
}
