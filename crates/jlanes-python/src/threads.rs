//! Thread pools, and work that Ctrl-C can stop.

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

/// The number of threads of a call. 1 is the calling thread; 0 means one for each processor.
#[derive(Clone, Copy)]
pub(crate) struct Threads(usize);

/// The maximum number of threads that a call accepts.
const MAX_THREADS: usize = 1024;

/// The last pool. Only one is kept, so that calls with different numbers of threads leave no idle
/// threads.
struct Pool {
    /// The process that started the pool. A forked process has none of its threads.
    process: u32,
    pool: Arc<ThreadPool>,
}

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

impl Threads {
    pub(crate) fn new(count: isize) -> PyResult<Self> {
        match usize::try_from(count) {
            Ok(count @ ..=MAX_THREADS) => Ok(Self(count)),
            _ => Err(PyValueError::new_err(format!(
                "threads is 1 to {MAX_THREADS}, or 0 for one for each processor, not {count}"
            ))),
        }
    }

    /// The number of threads.
    pub(crate) fn count(self) -> usize {
        match self.0 {
            0 => thread::available_parallelism().map_or(1, Into::into).min(MAX_THREADS),
            count => count,
        }
    }

    /// The pool; `None` for the calling thread only.
    pub(crate) fn pool(self) -> PyResult<Option<Arc<ThreadPool>>> {
        let count = self.count();
        if count == 1 {
            return Ok(None);
        }
        let mut last = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some(Pool { process, .. }) if *process != process::id() => {
                // dropping it would wait for threads that do not exist in this process
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

/// The interval of checks for Ctrl-C.
pub(crate) const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Lets Ctrl-C stop work that calls `go_on` every few milliseconds.
pub(crate) struct Watch {
    start: Instant,
    /// Whether `go_on` itself checks for Ctrl-C.
    checks_signals: AtomicBool,
    /// The time of the last check, in milliseconds after the start.
    last: AtomicU64,
    stop: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Watch {
    pub(crate) fn new() -> Self {
        Self {
            start: Instant::now(),
            checks_signals: AtomicBool::new(true),
            last: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            error: Mutex::new(None),
        }
    }

    /// Whether to continue. Python handles signals only on its main thread. If that thread is working,
    /// it checks for them here; if it is waiting, in `watched` or `apart`.
    pub(crate) fn go_on(&self) -> bool {
        let now = self.start.elapsed().as_millis() as u64;
        if self.checks_signals.load(Ordering::Relaxed)
            && now >= self.last.load(Ordering::Relaxed) + CHECK_INTERVAL.as_millis() as u64
        {
            self.last.store(now, Ordering::Relaxed);
            self.check_signals();
        }
        !self.stop.load(Ordering::Relaxed)
    }

    fn check_signals(&self) {
        // nothing is checked at the interpreter's end, which daemon threads may outlive
        if let Some(Err(error)) = Python::try_attach(|py| py.check_signals()) {
            *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs `work`, which calls `watch.go_on`, on a new thread without the GIL, and returns its result. If
/// a signal raises an exception first, returns that at once; the thread ends with its next call of
/// `go_on`. If no thread can start, the calling one does the work.
pub(crate) fn apart<R: Send + 'static>(
    py: Python<'_>,
    watch: &Watch,
    work: impl FnOnce() -> R + Send + 'static,
) -> PyResult<R> {
    let (sender, mut receiver) = channel();
    let work = Arc::new(Mutex::new(Some(work)));
    let take = |work: &Mutex<Option<_>>| work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let theirs = Arc::clone(&work);
    // the thread may outlive the interpreter, so it must not check for signals
    watch.checks_signals.store(false, Ordering::Relaxed);
    let started = thread::Builder::new().name("jlanes".into()).spawn(move || {
        if let Some(work) = take(&theirs) {
            // after an exception, nobody receives the result
            let _ = sender.send(work());
        }
    });
    if started.is_err()
        && let Some(work) = take(&work)
    {
        watch.checks_signals.store(true, Ordering::Relaxed);
        return watched(py, None, watch, work);
    }
    loop {
        let (back, done) = py.detach(move || {
            let done = receiver.recv_timeout(CHECK_INTERVAL);
            (receiver, done)
        });
        receiver = back;
        match done {
            Ok(result) => {
                watch.checks_signals.store(true, Ordering::Relaxed);
                return Ok(result);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("a thread of the call panicked"));
            }
        }
        if let Err(error) = py.check_signals() {
            watch.stop.store(true, Ordering::Relaxed);
            return Err(error);
        }
    }
}

/// Runs `work`, which calls `watch.go_on`, on a pool or on the calling thread, without the GIL. If a
/// signal raises an exception, returns that.
pub(crate) fn watched<R: Send>(
    py: Python<'_>,
    pool: Option<&ThreadPool>,
    watch: &Watch,
    work: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    // a pool's threads have no state of Python: making one at the interpreter's end would crash
    watch.checks_signals.store(pool.is_none(), Ordering::Relaxed);
    let result = py.detach(|| match pool {
        None => work(),
        Some(pool) => {
            let (sender, receiver) = channel();
            pool.in_place_scope(|scope| {
                scope.spawn(move |_| {
                    // sending fails only if a panic ends the scope
                    let _ = sender.send(work());
                });
                loop {
                    match receiver.recv_timeout(CHECK_INTERVAL) {
                        Err(RecvTimeoutError::Timeout) => watch.check_signals(),
                        done => break done.ok(),
                    }
                }
            })
            .unwrap_or_else(|| unreachable!("a panic of the work leaves the scope"))
        }
    });
    match watch.error.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(error),
        None => Ok(result),
    }
}
