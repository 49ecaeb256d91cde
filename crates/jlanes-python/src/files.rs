//! Digests of files, computed by the engine of jlanes-files while Python takes them.

use std::{io, path::PathBuf};

use jlanes::Algorithm;
use jlanes_files::FileResult;
use pyo3::{
    PyTraverseError, PyVisit,
    exceptions::{PyKeyError, PyOSError, PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PyList, PyString, PyTuple},
};

use crate::{
    arrivals::{self, Arrivals},
    buffer,
    names::{self, Name},
    output,
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
    /// The OSError, if the file could not be read; a ValueError for a path with a null byte.
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

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.path)?;
        visit.call(&self.error)?;
        visit.call(&self.names)
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
            return Err(fresh(error.bind(py))?);
        }
        let Some(name) = name else {
            return match &*self.digests {
                [one] => Ok(one),
                _ => {
                    let names = self.names.bind(py).repr()?;
                    Err(PyTypeError::new_err(format!(
                        "there are several digests: pass one of {names}"
                    )))
                }
            };
        };
        for (known, digest) in self.names.bind(py).iter().zip(&self.digests) {
            if known.cast::<PyString>()?.to_str()? == name {
                return Ok(digest);
            }
        }
        let names = self.names.bind(py).repr()?;
        Err(PyKeyError::new_err(format!("'{name}' is none of the digests' names, {names}")))
    }
}

/// A copy of an exception. Raising the same one again would add to its traceback, which keeps the
/// variables of every caller alive.
fn fresh(error: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let copy = error.get_type().call1(error.getattr("args")?.cast::<PyTuple>()?.clone())?;
    // the arguments of an OSError do not include the path
    if let (Some(path), true) =
        (error.getattr_opt("filename")?, error.is_instance_of::<PyOSError>())
    {
        copy.setattr("filename", path)?;
    }
    Ok(PyErr::from_value(copy))
}

/// An iterator over the results, in the order of the paths.
#[pyclass(frozen, module = "jlanes")]
pub(crate) struct Files {
    paths: Py<PyList>,
    names: Py<PyTuple>,
    arrivals: Arrivals<FileResult>,
    count: usize,
}

impl Files {
    fn start(
        paths: &Bound<'_, PyAny>,
        algorithms: &Bound<'_, PyAny>,
        threads: isize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = paths.py();
        if paths.is_instance_of::<PyString>() || paths.is_instance_of::<PyBytes>() {
            return Err(PyTypeError::new_err("a list of paths is required: write [path]"));
        }
        let given: Vec<Bound<'_, PyAny>> = match algorithms.is_instance_of::<PyString>() {
            false if !algorithms.is_callable() => {
                algorithms.try_iter()?.collect::<PyResult<_>>()?
            }
            _ => vec![algorithms.clone()],
        };
        let given = given.iter().map(|name| name.extract::<Name<'_>>());
        let given: Vec<Name<'_>> = given.collect::<PyResult<_>>()?;
        let algorithm = |name: &Name<'_>| -> PyResult<Algorithm> {
            let algorithm = names::parse(name)?;
            let hasher = algorithm.hasher().map(|_| algorithm);
            hasher.map_err(|error| PyValueError::new_err(error.to_string()))
        };
        let algorithms: Vec<_> = given.iter().map(algorithm).collect::<PyResult<_>>()?;
        if algorithms.is_empty() {
            return Err(PyValueError::new_err("no algorithms: name one as 'sha256'"));
        }
        let names = PyTuple::new(py, given.iter().map(|name| &**name))?;
        let listed = PyList::empty(py);
        let mut own = Vec::new();
        let fspath = py.import("os")?.getattr("fsdecode")?;
        for path in paths.try_iter()? {
            let path = path?;
            let decoded: PathBuf = match path.is_exact_instance_of::<PyString>() {
                true => path.extract()?,
                false => fspath.call1((&path,))?.extract()?,
            };
            own.push(decoded);
            listed.append(path)?;
        }
        let (engine, bytes) = arrivals::engine(threads)?;
        let mut results = engine.spawn(algorithms, own)?;
        Ok(Self {
            count: listed.len(),
            paths: listed.unbind(),
            names: names.unbind(),
            arrivals: Arrivals::new(move |most| results.wait(most), bytes, progress),
        })
    }

    fn result(&self, py: Python<'_>, i: usize, hashed: FileResult) -> PyResult<FileDigests> {
        let path = self.paths.bind(py).get_item(i)?;
        let (size, digests, error) = match hashed.digests {
            Ok(digests) => (hashed.len, digests, None),
            Err(error) => (0, Vec::new(), Some(named(error, &path)?)),
        };
        let names = self.names.clone_ref(py);
        let error = error.map(|error| error.into_value(py).into_any());
        Ok(FileDigests { path: path.unbind(), size, error, names, digests })
    }

    fn next(&self, py: Python<'_>) -> PyResult<Option<FileDigests>> {
        match self.arrivals.next(py)? {
            Some((i, hashed)) => self.result(py, i, hashed).map(Some),
            None if self.done() < self.count => {
                Err(PyRuntimeError::new_err("a thread that hashed files panicked"))
            }
            None => Ok(None),
        }
    }
}

/// The exception that Python itself would raise: an OSError of its subclass, with the path, or a ValueError
/// for a path with a null byte.
pub(crate) fn named(error: io::Error, path: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let py = path.py();
    let Some(code) = error.raw_os_error() else {
        let is_null = error.kind() == io::ErrorKind::InvalidInput;
        return Ok(if is_null { PyValueError::new_err(error.to_string()) } else { error.into() });
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
        let next = self.next(py)?;
        if next.is_none() {
            self.arrivals.report(py)?;
        }
        Ok(next)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.paths)?;
        self.arrivals.traverse(&visit)?;
        visit.call(&self.names)
    }

    /// The number of results returned so far.
    #[getter]
    fn done(&self) -> usize {
        self.arrivals.taken()
    }

    /// The number of bytes read so far.
    #[getter]
    fn bytes(&self) -> u64 {
        self.arrivals.bytes()
    }

    fn __len__(&self) -> usize {
        self.count
    }
}

/// The function `sum`, of files.
#[pyfunction]
#[pyo3(signature = (paths, algorithms, *, threads, progress))]
pub(crate) fn files(
    paths: &Bound<'_, PyAny>,
    algorithms: &Bound<'_, PyAny>,
    threads: isize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Files> {
    Files::start(paths, algorithms, threads, progress)
}

/// The function `file_digests`, of files.
#[pyfunction]
#[pyo3(signature = (paths, algorithms, *, threads, progress, errors))]
pub(crate) fn file_digests<'py>(
    paths: &Bound<'py, PyAny>,
    algorithms: &Bound<'py, PyAny>,
    threads: isize,
    progress: Option<&Bound<'py, PyAny>>,
    errors: &str,
) -> PyResult<Bound<'py, PyList>> {
    let py = paths.py();
    let raise = match errors {
        "raise" => true,
        "return" => false,
        _ => return Err(PyValueError::new_err("errors must be 'raise' or 'return'")),
    };
    let files = Files::start(paths, algorithms, threads, progress)?;
    let results = PyList::empty(py);
    while let Some(result) = files.next(py)? {
        if raise && let Some(error) = &result.error {
            return Err(fresh(error.bind(py))?);
        }
        results.append(result)?;
    }
    files.arrivals.report(py)?;
    Ok(results)
}
