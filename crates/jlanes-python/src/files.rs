//! Digests of files.

use std::{
    collections::VecDeque,
    io, iter,
    num::NonZero,
    path::PathBuf,
    process,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::RecvTimeoutError,
    },
    time::{Duration, Instant},
};

use jlanes::Algorithm;
use jlanes_files::{Engine, Hashed, Map, Results};
use pyo3::{
    exceptions::{PyKeyError, PyOSError, PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PyList, PyString, PyTuple},
};

use crate::{
    buffer, names, output,
    threads::{CHECK_INTERVAL, Threads},
};

/// The digests of a file, or the error that it had.
#[pyclass(frozen, module = "jlanes")]
pub(crate) struct FileDigests {
    /// The path as it was passed.
    #[pyo3(get)]
    path: Py<PyAny>,
    /// The size of the file in bytes.
    #[pyo3(get)]
    size: u64,
    /// The OSError, if the file could not be read.
    #[pyo3(get)]
    error: Option<Py<PyAny>>,
    names: Py<PyTuple>,
    digests: Vec<Box<[u8]>>,
}

#[pymethods]
impl FileDigests {
    /// The digest of one algorithm. The name can be left out if there is only one.
    #[pyo3(signature = (name=None, /))]
    fn digest<'py>(&self, py: Python<'py>, name: Option<&str>) -> PyResult<Bound<'py, PyBytes>> {
        buffer::bytes(py, self.find(py, name)?)
    }

    /// The digest in hexadecimal.
    #[pyo3(signature = (name=None, /))]
    fn hexdigest<'py>(
        &self,
        py: Python<'py>,
        name: Option<&str>,
    ) -> PyResult<Bound<'py, PyString>> {
        output::hex(py, self.find(py, name)?)
    }

    /// All digests, by the names that the caller used.
    #[getter]
    fn digests<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, digest) in self.names.bind(py).iter().zip(&self.digests) {
            dict.set_item(name, PyBytes::new(py, digest))?;
        }
        Ok(dict)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let path = self.path.bind(py).repr()?;
        Ok(match &self.error {
            Some(error) => format!("<jlanes.FileDigests {path}: {}>", error.bind(py).str()?),
            None => format!("<jlanes.FileDigests {path}: {} bytes>", self.size),
        })
    }
}

impl FileDigests {
    fn find(&self, py: Python<'_>, name: Option<&str>) -> PyResult<&[u8]> {
        if let Some(error) = &self.error {
            return Err(PyErr::from_value(error.bind(py).clone()));
        }
        let Some(name) = name else {
            return match &*self.digests {
                [one] => Ok(one),
                _ => Err(PyTypeError::new_err("there are several digests: pass a name")),
            };
        };
        for (known, digest) in self.names.bind(py).iter().zip(&self.digests) {
            if known.cast::<PyString>()?.to_str()? == name {
                return Ok(digest);
            }
        }
        Err(PyKeyError::new_err(name.to_owned()))
    }
}

/// An iterator over the results, in the order of the paths.
#[pyclass(frozen, module = "jlanes")]
pub(crate) struct Files {
    paths: Py<PyList>,
    names: Py<PyTuple>,
    /// The number of bytes read so far.
    bytes: Arc<AtomicU64>,
    /// Locked by the thread that waits for results.
    results: Mutex<Results<Algorithm>>,
    state: Mutex<State>,
    count: usize,
    /// The process that started the threads: a forked process has none of them.
    process: u32,
}

/// The results that wait for `next`.
#[derive(Default)]
struct State {
    waiting: VecDeque<Hashed>,
    /// The index of the next one.
    next: usize,
}

impl Files {
    fn start(
        paths: &Bound<'_, PyAny>,
        algorithms: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Self> {
        let py = paths.py();
        if paths.is_instance_of::<PyString>() || paths.is_instance_of::<PyBytes>() {
            return Err(PyTypeError::new_err("a list of paths is required, not one path"));
        }
        let names = match algorithms.cast::<PyString>() {
            Ok(one) => PyTuple::new(py, [one])?,
            Err(_) => py.get_type::<PyTuple>().call1((algorithms,))?.cast_into()?,
        };
        let algorithm = |name: Bound<'_, PyAny>| -> PyResult<Algorithm> {
            let algorithm = names::parse(name.cast::<PyString>()?.to_str()?)?;
            let hasher = algorithm.hasher().map(|_| algorithm);
            hasher.map_err(|error| PyValueError::new_err(error.to_string()))
        };
        let algorithms: Vec<_> = names.iter().map(algorithm).collect::<PyResult<_>>()?;
        if algorithms.is_empty() {
            return Err(PyValueError::new_err("no algorithms"));
        }
        let listed = PyList::empty(py);
        let mut own = Vec::new();
        let fspath = py.import("os")?.getattr("fsdecode")?;
        for path in paths.try_iter()? {
            let path = path?;
            let decoded: PathBuf = fspath.call1((&path,))?.extract()?;
            if decoded.as_os_str().as_encoded_bytes().contains(&0) {
                return Err(PyValueError::new_err("embedded null byte"));
            }
            own.push(decoded);
            listed.append(path)?;
        }
        let bytes = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&bytes);
        let engine = Engine::new()
            .threads(NonZero::new(Threads::new(threads)?.count()))
            .map(Map::Never) // mapping needs a signal handler, and signals are Python's
            .progress(move |read| {
                count.fetch_add(read, Ordering::Relaxed);
            });
        let results = engine.spawn(algorithms, own)?;
        Ok(Self {
            count: listed.len(),
            paths: listed.unbind(),
            names: names.unbind(),
            bytes,
            results: Mutex::new(results),
            state: Mutex::default(),
            process: process::id(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn result(&self, py: Python<'_>, i: usize, hashed: Hashed) -> PyResult<FileDigests> {
        let path = self.paths.bind(py).get_item(i)?;
        let (size, digests, error) = match hashed.digests {
            Ok(digests) => (hashed.len, digests, None),
            Err(error) => (0, Vec::new(), Some(named(error, &path)?)),
        };
        let names = self.names.clone_ref(py);
        let error = error.map(|error| error.into_value(py).into_any());
        Ok(FileDigests { path: path.unbind(), size, error, names, digests })
    }

    /// The next result. Waits for it without the GIL, and calls `beat` at intervals.
    fn next(
        &self,
        py: Python<'_>,
        beat: impl Fn(Python<'_>) -> PyResult<()>,
    ) -> PyResult<Option<FileDigests>> {
        if self.process != process::id() {
            return Err(PyRuntimeError::new_err(
                "the threads that hash the files did not survive the fork of this process",
            ));
        }
        let mut last = Instant::now();
        loop {
            {
                let mut state = self.state();
                let i = state.next;
                if i >= self.count {
                    return Ok(None);
                }
                if let Some(hashed) = state.waiting.pop_front() {
                    state.next += 1;
                    drop(state);
                    return self.result(py, i, hashed).map(Some);
                }
            }
            let alive = py.detach(|| {
                let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
                let first = results.wait(CHECK_INTERVAL);
                let ended = matches!(first, Err(RecvTimeoutError::Disconnected));
                // take all that are ready, because taking the GIL again is slow
                let more = iter::from_fn(|| results.wait(Duration::ZERO).ok());
                let ready: Vec<_> = first.into_iter().chain(more).collect();
                let mut state = self.state();
                state.waiting.extend(ready);
                // another thread may have taken the last ones while this one waited
                !ended || state.next >= self.count || !state.waiting.is_empty()
            });
            if !alive {
                return Err(PyRuntimeError::new_err("a thread that hashed files panicked"));
            }
            if last.elapsed() >= CHECK_INTERVAL {
                last = Instant::now();
                py.check_signals()?;
                beat(py)?;
            }
        }
    }
}

/// The OSError that Python would raise: with its subclass and the path.
fn named(error: io::Error, path: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let py = path.py();
    let Some(code) = error.raw_os_error() else {
        return Ok(PyErr::from(error));
    };
    let text = py.import("os")?.call_method1("strerror", (code,))?;
    let value = py.get_type::<PyOSError>().call1((code, text, path))?;
    Ok(PyErr::from_value(value))
}

#[pymethods]
impl Files {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<FileDigests>> {
        self.next(py, |_| Ok(()))
    }

    /// The number of results returned so far.
    #[getter]
    fn done(&self) -> usize {
        self.state().next
    }

    /// The number of bytes read so far.
    #[getter]
    fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn __len__(&self) -> usize {
        self.count
    }
}

/// files(paths, algorithms, *, threads=0)
///
/// An iterator over the digests of files, in order. The files are hashed while it is used.
#[pyfunction]
#[pyo3(signature = (paths, algorithms, *, threads=0))]
pub(crate) fn files(
    paths: &Bound<'_, PyAny>,
    algorithms: &Bound<'_, PyAny>,
    threads: usize,
) -> PyResult<Files> {
    Files::start(paths, algorithms, threads)
}

/// file_digests(paths, algorithms, *, threads=0, progress=None, errors='raise')
///
/// The digests of many files with one or more algorithms. Each file is read once. `progress` is called with
/// the number of finished files and of bytes read. A file that cannot be read raises an OSError; with
/// errors='return' the OSError is the `error` of its result.
#[pyfunction]
#[pyo3(signature = (paths, algorithms, *, threads=0, progress=None, errors="raise"))]
pub(crate) fn file_digests<'py>(
    paths: &Bound<'py, PyAny>,
    algorithms: &Bound<'py, PyAny>,
    threads: usize,
    progress: Option<&Bound<'py, PyAny>>,
    errors: &str,
) -> PyResult<Bound<'py, PyList>> {
    let py = paths.py();
    let raise = match errors {
        "raise" => true,
        "return" => false,
        _ => return Err(PyValueError::new_err("errors must be 'raise' or 'return'")),
    };
    let files = Files::start(paths, algorithms, threads)?;
    let report = |_: Python<'_>| match progress {
        Some(progress) => progress.call1((files.done(), files.bytes())).map(drop),
        None => Ok(()),
    };
    let results = PyList::empty(py);
    let mut last = Instant::now();
    while let Some(result) = files.next(py, report)? {
        if raise && let Some(error) = &result.error {
            return Err(PyErr::from_value(error.bind(py).clone()));
        }
        results.append(result)?;
        if last.elapsed() >= CHECK_INTERVAL {
            last = Instant::now();
            py.check_signals()?;
            report(py)?;
        }
    }
    report(py)?;
    Ok(results)
}
