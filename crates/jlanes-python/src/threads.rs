//! Threads of Rust that work for a call.

use std::{
    collections::HashMap,
    mem, process,
    sync::{Arc, LazyLock, Mutex},
    thread,
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

struct Pools {
    /// The process that started them: one that was forked off has none of their threads.
    process: u32,
    by_size: HashMap<usize, Arc<ThreadPool>>,
}

static POOLS: LazyLock<Mutex<Pools>> =
    LazyLock::new(|| Mutex::new(Pools { process: process::id(), by_size: HashMap::new() }));

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
        let mut pools = POOLS.lock().map_err(|_| PyRuntimeError::new_err("a pool panicked"))?;
        if pools.process != process::id() {
            // to drop them would be to wait for threads that do not exist
            mem::forget(mem::take(&mut pools.by_size));
            pools.process = process::id();
        }
        if let Some(pool) = pools.by_size.get(&count) {
            return Ok(Some(Arc::clone(pool)));
        }
        let name = |i| format!("jlanes-{i}");
        let pool = ThreadPoolBuilder::new().num_threads(count).thread_name(name).build();
        let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let pool = Arc::new(pool);
        pools.by_size.insert(count, Arc::clone(&pool));
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
