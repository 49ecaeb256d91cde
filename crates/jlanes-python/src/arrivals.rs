//! [`Arrivals`]: an iterator over results that other threads compute while Python takes them.
//!
//! Several are taken at a time, because taking the GIL again is slow.

use std::{
    collections::VecDeque,
    iter, process,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::RecvTimeoutError,
    },
    thread,
    time::{Duration, Instant},
};

use jlanes_files::{Engine, MapPolicy};
use pyo3::{PyTraverseError, PyVisit, exceptions::PyRuntimeError, prelude::*};

use crate::threads::{CHECK_INTERVAL, Threads};

/// An engine for Python, and the counter of bytes that it reads.
pub(crate) fn engine(threads: isize) -> PyResult<(Engine, Arc<AtomicU64>)> {
    let bytes = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&bytes);
    let engine = Engine::new()
        .threads(std::num::NonZero::new(Threads::new(threads)?.count()))
        .mmap(MapPolicy::Never) // mapping needs a signal handler, and signals are Python's
        .progress(move |read| {
            count.fetch_add(read, Ordering::Relaxed);
        });
    Ok((engine, bytes))
}

/// A source of results, which waits for one at most this long.
type Receive<T> = Box<dyn FnMut(Duration) -> Result<T, RecvTimeoutError> + Send>;

/// An iterator over results, in order.
pub(crate) struct Arrivals<T> {
    /// Locked by the thread that waits for results.
    source: Mutex<Receive<T>>,
    state: Mutex<Arrived<T>>,
    /// The number of bytes read so far.
    bytes: Arc<AtomicU64>,
    /// Called with the numbers of files and bytes so far.
    progress: Option<Py<PyAny>>,
    /// The process with the threads. A forked process has none of them.
    process: u32,
}

struct Arrived<T> {
    /// The results that wait for `next`.
    waiting: VecDeque<T>,
    /// The number of results taken.
    taken: usize,
    /// The time of the last report and check for Ctrl-C.
    beat: Option<Instant>,
}

/// If this many results were waiting, it is worth it to let some more arrive before taking them.
const MIN_WAITING_RESULTS: usize = 16;

/// The time to let more arrive. Small files arrive every few microseconds, and waking a thread takes as
/// long.
const ARRIVAL_TIME: Duration = Duration::from_micros(100);

impl<T: Send> Arrivals<T> {
    pub(crate) fn new(
        source: impl FnMut(Duration) -> Result<T, RecvTimeoutError> + Send + 'static,
        bytes: Arc<AtomicU64>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> Self {
        Self {
            source: Mutex::new(Box::new(source)),
            state: Mutex::new(Arrived { waiting: VecDeque::new(), taken: 0, beat: None }),
            bytes,
            progress: progress.map(|progress| progress.clone().unbind()),
            process: process::id(),
        }
    }

    fn state(&self) -> MutexGuard<'_, Arrived<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of results taken so far.
    pub(crate) fn taken(&self) -> usize {
        self.state().taken
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The next result and its index; `None` after the last one. Waits without the GIL, and calls
    /// `beat` at intervals.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<(usize, T)>> {
        self.beat(py)?;
        let mut is_over = false;
        loop {
            let mut state = self.state();
            if let Some(result) = state.waiting.pop_front() {
                state.taken += 1;
                return Ok(Some((state.taken - 1, result)));
            }
            let are_many = state.taken >= MIN_WAITING_RESULTS;
            drop(state);
            if is_over {
                return Ok(None);
            }
            if self.process != process::id() {
                return Err(PyRuntimeError::new_err(
                    "the threads that hash the files did not survive the fork of this process",
                ));
            }
            is_over = py.detach(|| {
                let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
                let first = source(CHECK_INTERVAL);
                let is_over = matches!(first, Err(RecvTimeoutError::Disconnected));
                if are_many && !is_over {
                    thread::sleep(ARRIVAL_TIME);
                }
                // take all that are ready, because taking the GIL again is slow
                let more = iter::from_fn(|| source(Duration::ZERO).ok());
                let ready: Vec<_> = first.into_iter().chain(more).collect();
                self.state().waiting.extend(ready);
                is_over
            });
            self.beat(py)?;
        }
    }

    /// At intervals, reports progress and checks for Ctrl-C, because `list(files)` runs no Python code
    /// that would notice it.
    fn beat(&self, py: Python<'_>) -> PyResult<()> {
        let now = Instant::now();
        let mut state = self.state();
        if now.duration_since(*state.beat.get_or_insert(now)) < CHECK_INTERVAL {
            return Ok(());
        }
        state.beat = Some(now);
        drop(state); // both run Python code
        py.check_signals()?;
        self.report(py)
    }

    pub(crate) fn report(&self, py: Python<'_>) -> PyResult<()> {
        match &self.progress {
            Some(progress) => progress.call1(py, (self.taken(), self.bytes())).map(drop),
            None => Ok(()),
        }
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.progress)
    }
}
