//! Digests of files.

use std::{
    io,
    path::PathBuf,
    process,
    sync::{Mutex, PoisonError, mpsc::RecvTimeoutError},
    time::Instant,
};

use jlanes::algorithm::AnyLanes;
use pyo3::{
    exceptions::{PyKeyError, PyOSError, PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PyList, PyString, PyTuple},
};

use crate::{
    engine::{Digests, Running},
    names, output,
    threads::{BEAT, Threads},
};

/// What became of a file.
#[pyclass(frozen, module = "jlanes")]
pub(crate) struct FileDigests {
    /// The path, as it was given.
    #[pyo3(get)]
    path: Py<PyAny>,
    /// Bytes of the file.
    #[pyo3(get)]
    size: u64,
    /// The OSError that kept it from being hashed, or None.
    #[pyo3(get)]
    error: Option<Py<PyAny>>,
    names: Py<PyTuple>,
    digests: Box<[Box<[u8]>]>,
}

#[pymethods]
impl FileDigests {
    /// The digest under an algorithm; the name may be left out if there is one.
    #[pyo3(signature = (name=None, /))]
    fn digest<'py>(&self, py: Python<'py>, name: Option<&str>) -> PyResult<Bound<'py, PyBytes>> {
        output::bytes(py, self.find(py, name)?)
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

    /// All digests by the names under which they were asked for.
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
                _ => Err(PyTypeError::new_err("there are several digests: which one?")),
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

/// Results of files in the order of their paths, as they come.
#[pyclass(frozen, module = "jlanes")]
pub(crate) struct Files {
    paths: Py<PyList>,
    names: Py<PyTuple>,
    running: Running,
    state: Mutex<State>,
    count: usize,
    /// The process that has the threads: one that was forked off has none of them.
    process: u32,
}

/// What has come and waits for files before it.
#[derive(Default)]
struct State {
    early: std::collections::HashMap<usize, Digests>,
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
        let lanes = |name: Bound<'_, PyAny>| -> PyResult<AnyLanes> {
            let lanes = names::parse(name.cast::<PyString>()?.to_str()?)?.lanes();
            lanes.map_err(|error| PyValueError::new_err(error.to_string()))
        };
        let lanes: Vec<_> = names.iter().map(lanes).collect::<PyResult<_>>()?;
        if lanes.is_empty() {
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
        let running = Running::start(own, lanes, Threads::new(threads)?.count())?;
        Ok(Self {
            count: listed.len(),
            paths: listed.unbind(),
            names: names.unbind(),
            running,
            state: Mutex::default(),
            process: process::id(),
        })
    }

    fn result(&self, py: Python<'_>, i: usize, digests: Digests) -> PyResult<FileDigests> {
        let path = self.paths.bind(py).get_item(i)?;
        let (size, digests, error) = match digests {
            Ok((size, digests)) => (size, digests, None),
            Err(error) => (0, Box::default(), Some(named(error, &path)?)),
        };
        let names = self.names.clone_ref(py);
        let error = error.map(|error| error.into_value(py).into_any());
        Ok(FileDigests { path: path.unbind(), size, error, names, digests })
    }

    /// The next result in order. Waits for it with Python's lock free; `beat` is called now and
    /// then meanwhile.
    fn next(
        &self,
        py: Python<'_>,
        beat: impl Fn(Python<'_>) -> PyResult<()>,
    ) -> PyResult<Option<FileDigests>> {
        if self.process != process::id() {
            return Err(PyRuntimeError::new_err(
                "the files are hashed by threads of the process that this one was forked off from",
            ));
        }
        let mut last = Instant::now();
        loop {
            {
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                let i = state.next;
                if i >= self.count {
                    return Ok(None);
                }
                if let Some(digests) = state.early.remove(&i) {
                    state.next += 1;
                    drop(state);
                    return self.result(py, i, digests).map(Some);
                }
            }
            let alive = py.detach(|| {
                let receiver = self.running.finished.lock().unwrap_or_else(PoisonError::into_inner);
                let first = receiver.recv_timeout(BEAT);
                let ended = matches!(first, Err(RecvTimeoutError::Disconnected));
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                // what has come meanwhile is taken at once: to get Python's lock back takes time
                state.early.extend(first.into_iter().chain(receiver.try_iter()));
                // another thread may have taken the last ones while this one waited for them
                let next = state.next;
                !ended || next >= self.count || state.early.contains_key(&next)
            });
            if !alive {
                return Err(PyRuntimeError::new_err("a thread that hashed files panicked"));
            }
            if last.elapsed() >= BEAT {
                last = Instant::now();
                py.check_signals()?;
                beat(py)?;
            }
        }
    }
}

/// Rust's error as the OSError that Python would raise, with its subclass and the path.
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

    /// How many files have been handed out.
    #[getter]
    fn done(&self) -> usize {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).next
    }

    /// Bytes that have been read so far.
    #[getter]
    fn bytes(&self) -> u64 {
        self.running.bytes()
    }

    fn __len__(&self) -> usize {
        self.count
    }
}

/// files(paths, algorithms, *, threads=0)
///
/// An iterator over the digests of files, in their order, which are hashed meanwhile.
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
/// The digests of many files under one or more algorithms, from one read of each. `progress` is
/// called with the number of files done and of bytes read. A file that cannot be read raises an
/// OSError, or with errors='return' has it as its result's `error`.
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
        _ => return Err(PyValueError::new_err("errors is neither 'raise' nor 'return'")),
    };
    let files = Files::start(paths, algorithms, threads)?;
    let tell = |_: Python<'_>| match progress {
        Some(progress) => progress.call1((files.done(), files.bytes())).map(drop),
        None => Ok(()),
    };
    let results = PyList::empty(py);
    let mut last = Instant::now();
    while let Some(result) = files.next(py, tell)? {
        if raise && let Some(error) = &result.error {
            return Err(PyErr::from_value(error.bind(py).clone()));
        }
        results.append(result)?;
        if last.elapsed() >= BEAT {
            last = Instant::now();
            py.check_signals()?;
            tell(py)?;
        }
    }
    tell(py)?;
    Ok(results)
}
