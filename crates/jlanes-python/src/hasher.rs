//! The object that hashes one message, and its constructors.

use std::sync::{Mutex, MutexGuard};

use jlanes::{Algorithm, Backend, algorithm::AnyHasher};
use pyo3::{
    exceptions::{PyAttributeError, PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
    sync::MutexExt,
    types::{PyBytes, PyDict, PyString},
};

use crate::{blake2, buffer, hex, names, xof::PyXof};

/// Messages longer than this are hashed without Python's lock, as in hashlib.
pub(crate) const DETACH: usize = 2047;

/// A hash object, with the methods and attributes of hashlib's.
///
/// Objects may be shared by threads: each has a lock of its own.
#[pyclass(frozen, name = "Hash", module = "jlanes")]
pub(crate) struct PyHash {
    algorithm: Algorithm,
    state: Mutex<Box<dyn AnyHasher>>,
}

impl PyHash {
    /// A hash object that has taken `data`.
    pub(crate) fn new(algorithm: Algorithm, data: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let state = algorithm.hasher_on(Backend::detect());
        let mut state = state.map_err(|error| PyValueError::new_err(error.to_string()))?;
        if let Some(data) = data {
            take(data, &mut state)?;
        }
        Ok(Self { algorithm, state: Mutex::new(state) })
    }

    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Box<dyn AnyHasher>>> {
        let broken = |_| PyRuntimeError::new_err("the hash object was left behind by a panic");
        self.state.lock_py_attached(py).map_err(broken)
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Box<[u8]>> {
        let copy = self.lock(py)?.clone_box();
        Ok(copy.finalize())
    }
}

/// Hashes the bytes of `data`; for long ones, Python's lock is free meanwhile.
fn take(data: &Bound<'_, PyAny>, state: &mut Box<dyn AnyHasher>) -> PyResult<()> {
    buffer::with_bytes(data, |bytes| {
        if bytes.len() > DETACH {
            data.py().detach(|| state.update(bytes));
        } else {
            state.update(bytes);
        }
    })
}

#[pymethods]
impl PyHash {
    /// Adds the bytes of a bytes-like object to the message.
    #[pyo3(signature = (data, /))]
    fn update(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.lock(data.py())?;
        take(data, &mut state)
    }

    /// The digest of the message so far, as bytes.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.finish(py)?))
    }

    /// The digest of the message so far, in hexadecimal.
    fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        Ok(hex::string(py, &self.finish(py)?))
    }

    /// A hash object that has taken the same message.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let state = Mutex::new(self.lock(py)?.clone_box());
        Ok(Self { algorithm: self.algorithm, state })
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    /// hashlib's name of the algorithm, or that of this package.
    #[getter]
    fn name(&self) -> String {
        names::name(self.algorithm)
    }

    /// Bytes of a digest.
    #[getter]
    fn digest_size(&self) -> usize {
        self.algorithm.output_size()
    }

    /// Bytes of a block, as HMAC needs them.
    #[getter]
    fn block_size(&self) -> usize {
        self.algorithm.block_size()
    }

    /// What CPython's own SHA-3 tells of its sponge.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let sha3 = self.name().starts_with("sha3_");
        let rate = 8 * self.block_size();
        Ok(match name {
            "_rate_bits" if sha3 => rate.into_pyobject(py)?.into_any(),
            "_capacity_bits" if sha3 => (1600 - rate).into_pyobject(py)?.into_any(),
            "_suffix" if sha3 => PyBytes::new(py, b"\x06").into_any(),
            _ => {
                let message = format!("'jlanes.Hash' object has no attribute '{name}'");
                return Err(PyAttributeError::new_err(message));
            }
        })
    }

    fn __repr__(&self) -> String {
        format!("<{} jlanes.Hash object @ {self:p}>", self.name())
    }
}

/// The message of a constructor, which newer versions of hashlib also take by name.
pub(crate) fn message<'a, 'py>(
    data: Option<&'a Bound<'py, PyAny>>,
    string: Option<&'a Bound<'py, PyAny>>,
) -> PyResult<Option<&'a Bound<'py, PyAny>>> {
    match (data, string) {
        (Some(_), Some(_)) => {
            Err(PyTypeError::new_err("'data' and 'string' are mutually exclusive"))
        }
        (data, string) => Ok(data.or(string)),
    }
}

/// new(name, data=b'', *, usedforsecurity=True)
///
/// A hash object of the algorithm with this name, which has taken `data`.
#[pyfunction]
#[pyo3(signature = (name, data=None, *, string=None, usedforsecurity=true, **parameters))]
pub(crate) fn new(
    py: Python<'_>,
    name: &str,
    data: Option<&Bound<'_, PyAny>>,
    string: Option<&Bound<'_, PyAny>>,
    usedforsecurity: bool,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let _ = usedforsecurity; // nothing is refused here
    if let Some(class) = blake2::class(py, name) {
        let made = match message(data, string)? {
            Some(data) => class.call((data,), parameters),
            None => class.call((), parameters),
        };
        return Ok(made?.unbind());
    }
    if let Some(parameters) = parameters {
        let message = format!("{name} has no parameters {:?}", parameters.keys());
        return Err(PyTypeError::new_err(message));
    }
    if let Some(hash) = PyXof::named(name, message(data, string)?)? {
        return Ok(Py::new(py, hash)?.into_any());
    }
    let hash = PyHash::new(names::parse(name)?, message(data, string)?)?;
    Ok(Py::new(py, hash)?.into_any())
}

/// Constructors with the name of their algorithm.
macro_rules! constructors {
    ($($name:ident)*) => {
        $(
            #[doc = concat!(
                stringify!($name),
                "(data=b'', *, usedforsecurity=True)\n\nA hash object of ",
                stringify!($name),
                ", which has taken `data`."
            )]
            #[pyfunction]
            #[pyo3(signature = (data=None, *, string=None, usedforsecurity=true))]
            fn $name(
                data: Option<&Bound<'_, PyAny>>,
                string: Option<&Bound<'_, PyAny>>,
                usedforsecurity: bool,
            ) -> PyResult<PyHash> {
                let _ = usedforsecurity;
                PyHash::new(names::parse(stringify!($name))?, message(data, string)?)
            }
        )*

        /// Adds the constructors of the algorithms that there are.
        pub(crate) fn add_constructors(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                if names::parse(stringify!($name)).is_ok() {
                    module.add_function(wrap_pyfunction!($name, module)?)?;
                }
            )*
            Ok(())
        }
    };
}
constructors! { md5 sha1 sha224 sha256 sha384 sha512 sha3_224 sha3_256 sha3_384 sha3_512 }
