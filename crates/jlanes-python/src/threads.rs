//! Threads of Rust that work for a call.

use std::{
    mem, process,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::{Duration, Instant},
};

use pyo3::{
    exceptions::{PyRuntimeError, PyValueError},
    prelude::*,
};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How many threads a call may use: 1 is the calling one, 0 are as many as there are processors.
#[derive(Clone, Copy)]
pub(crate) struct Threads(usize);

/// The most threads that can be asked for.
const MOST: usize = 1024;

/// The pool that was used last. There is one, so that calls with other numbers of threads do not leave
/// theirs behind.
struct Pool {
    /// The process that started it: one that was forked off has none of its threads.
    process: u32,
    pool: Arc<ThreadPool>,
}

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

impl Threads {
    pub(crate) fn new(count: usize) -> PyResult<Self> {
        if count > MOST {
            return Err(PyValueError::new_err(format!("more than {MOST} threads")));
        }
        Ok(Self(count))
    }

    /// How many there are.
    pub(crate) fn count(self) -> usize {
        match self.0 {
            0 => thread::available_parallelism().map_or(1, Into::into).min(MOST),
            count => count,
        }
    }

    /// The pool of so many threads; nothing if it is the calling thread alone.
    pub(crate) fn pool(self) -> PyResult<Option<Arc<ThreadPool>>> {
        let count = self.count();
        if count == 1 {
            return Ok(None);
        }
        let mut last = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some(Pool { process, .. }) if *process != process::id() => {
                // to drop it would be to wait for threads that do not exist
                mem::forget(last.take());
            }
            Some(Pool { pool, .. }) if pool.current_num_threads() == count => {
                return Ok(Some(Arc::clone(pool)));
            }
            _ => {}
        }
        let name = |i| format!("jlanes-{i}");
        let pool = ThreadPoolBuilder::new().num_threads(count).thread_name(name).build();
        let pool = Arc::new(pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?);
        *last = Some(Pool { process: process::id(), pool: Arc::clone(&pool) });
        Ok(Some(pool))
    }
}

/// Runs `work` on a pool, or on the calling thread.
pub(crate) fn run<R: Send>(pool: Option<&ThreadPool>, work: impl FnOnce() -> R + Send) -> R {
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// How often Ctrl-C is looked for.
pub(crate) const BEAT: Duration = Duration::from_millis(50);

/// What work asks every few milliseconds, so that Ctrl-C ends it.
pub(crate) struct Watch {
    start: Instant,
    /// Milliseconds after the start at which Ctrl-C was looked for last.
    last: AtomicU64,
    stop: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Watch {
    pub(crate) fn new() -> Self {
        Self {
            start: Instant::now(),
            last: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            error: Mutex::new(None),
        }
    }

    /// Whether work is to go on. Python handles signals on its main thread only: if that works itself,
    /// it looks for them here, and else while it waits.
    pub(crate) fn go_on(&self) -> bool {
        let now = self.start.elapsed().as_millis() as u64;
        if now >= self.last.load(Ordering::Relaxed) + BEAT.as_millis() as u64 {
            self.last.store(now, Ordering::Relaxed);
            self.look();
        }
        !self.stop.load(Ordering::Relaxed)
    }

    fn look(&self) {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs `work`, which asks `watch` now and then, on a pool or on the calling thread, with Python's lock
/// free. Gives the exception of a signal.
pub(crate) fn watched<R: Send>(
    py: Python<'_>,
    pool: Option<&ThreadPool>,
    watch: &Watch,
    work: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    let result = py.detach(|| match pool {
        None => work(),
        Some(pool) => {
            let (sender, receiver) = channel();
            pool.in_place_scope(|scope| {
                scope.spawn(move |_| {
                    // if nobody listens, the scope is being left by a panic
                    let _ = sender.send(work());
                });
                loop {
                    match receiver.recv_timeout(BEAT) {
                        Err(RecvTimeoutError::Timeout) => watch.look(),
                        done => break done.ok(),
                    }
                }
            })
            .unwrap_or_else(|| unreachable!("the scope has passed a panic of the work on"))
        }
    });
    match watch.error.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(error),
        None => Ok(result),
    }
}
