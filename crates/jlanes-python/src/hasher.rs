//! Hash objects of one message, and their constructors.

use std::sync::{LazyLock, Mutex, MutexGuard};

use jlanes::{
    Algorithm,
    algorithm::{BaseHash, Fixed, Kind, Sha1Results},
};
use pyo3::{
    exceptions::{PyAttributeError, PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
    sync::{MutexExt, PyOnceLock},
    types::{PyBytes, PyDict, PyString},
};

use crate::{
    blake2,
    collisions::{CollisionError, Collisions},
    extendable::PyXof,
    inputs::{self, Data},
    message::{Buffered, Function, MAX_ATTACHED_BYTES, MAX_SHORT_BYTES, Short, State, message},
    methods::{MAX_DIGEST_BYTES, ShortCalls},
    names, output,
};

/// A hash object with the methods and attributes of hashlib's.
///
/// Threads may share an object: it has a lock.
#[pyclass(frozen, name = "Hash", module = "jlanes")]
pub(crate) struct PyHash {
    function: Function,
    inner: Mutex<Inner>,
}

/// The state of a hash object, which its methods change.
struct Inner {
    state: State,
    /// The digest of the message so far, once computed, because callers ask for it again.
    digest: Option<[u8; MAX_DIGEST_BYTES]>,
}

impl PyHash {
    /// A hash object of a message that begins with `data`.
    pub(crate) fn new(algorithm: Algorithm, data: &Data<'_>) -> PyResult<Self> {
        Self::of(Function { algorithm, raises: false }, data)
    }

    fn of(function: Function, data: &Data<'_>) -> PyResult<Self> {
        let is_fixed = matches!(function.algorithm.kind(), Kind::Hash(BaseHash::Fixed(_)));
        let mut state = State::Short(Short::EMPTY);
        if !is_fixed {
            state = State::Hasher(Buffered::new(function.hasher()?)); // not every algorithm has one
        }
        if let Some(data) = &data.0 {
            match data.cast_exact::<PyBytes>() {
                Ok(bytes)
                    if is_fixed
                        && (MAX_SHORT_BYTES + 1..=MAX_ATTACHED_BYTES)
                            .contains(&bytes.as_bytes().len()) =>
                {
                    state = State::Object(bytes.clone().unbind());
                }
                _ => {
                    inputs::with_pieces(data, |piece| state.update(data.py(), function, piece))?;
                }
            }
        }
        Ok(Self { function, inner: Mutex::new(Inner { state, digest: None }) })
    }

    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        let broken = |_| PyRuntimeError::new_err("the hash object is unusable after a panic");
        self.inner.lock_py_attached(py).map_err(broken)
    }

    /// Writes the digest.
    fn finish(&self, py: Python<'_>, out: &mut [u8]) -> PyResult<()> {
        self.finish_in(py, &mut *self.lock(py)?, out)
    }

    fn finish_in(&self, py: Python<'_>, inner: &mut Inner, out: &mut [u8]) -> PyResult<()> {
        if let Some(digest) = &inner.digest
            && let Some(digest) = digest.get(..out.len())
        {
            out.copy_from_slice(digest);
            return Ok(());
        }
        self.compute(py, &inner.state, out)?;
        let mut digest = [0; MAX_DIGEST_BYTES];
        if let Some(place) = digest.get_mut(..out.len()) {
            place.copy_from_slice(out);
            inner.digest = Some(digest);
        }
        Ok(())
    }

    fn compute(&self, py: Python<'_>, state: &State, out: &mut [u8]) -> PyResult<()> {
        if let (Some(message), false) = (state.message(py), self.function.raises) {
            let done = self.function.algorithm.digest_into(message, out);
            return done.map_err(|error| PyValueError::new_err(error.to_string()));
        }
        let mut copy = state.hasher(py, self.function)?;
        if self.function.raises {
            let digest = Sha1Results::result(&copy.finalize());
            let digest = digest.map_err(|error| CollisionError::new_err(error.to_string()))?;
            out.copy_from_slice(&digest);
            return Ok(());
        }
        let done = copy.finalize_into_reset(out);
        done.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }
}

impl ShortCalls for PyHash {
    fn pyo3_methods() -> &'static [PyOnceLock<Py<PyAny>>; 2] {
        static GENERAL: [PyOnceLock<Py<PyAny>>; 2] = [const { PyOnceLock::new() }; 2];
        &GENERAL
    }

    fn add(&self, data: &[u8]) -> bool {
        self.inner.try_lock().is_ok_and(|mut inner| {
            inner.digest = None;
            inner.state.add(data)
        })
    }

    fn digest(&self, py: Python<'_>, out: &mut [u8; MAX_DIGEST_BYTES]) -> Option<usize> {
        let out = out.get_mut(..self.digest_size())?;
        self.finish_in(py, &mut *self.inner.try_lock().ok()?, out).ok()?;
        Some(out.len())
    }
}

impl PyHash {
    /// An AttributeError, unless the function is SHA-3.
    fn sponge(&self, name: &str) -> PyResult<()> {
        if self.name().starts_with("sha3_") {
            return Ok(());
        }
        let message = format!("'jlanes.Hash' object has no attribute '{name}'");
        Err(PyAttributeError::new_err(message))
    }
}

#[pymethods]
impl PyHash {
    /// Adds the bytes of a bytes-like object to the message.
    #[pyo3(signature = (data, /))]
    fn update(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = data.py();
        // the buffer before the lock: `__buffer__` may use this object
        inputs::with_one(data, |bytes| {
            let inner = &mut *self.lock(py)?;
            inner.digest = None;
            inner.state.update(py, self.function, bytes)
        })?
    }

    /// The digest of the message so far.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, self.digest_size(), |out| self.finish(py, out))
    }

    /// The digest of the message so far, in hexadecimal.
    fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        output::hex_of(py, self.digest_size(), |out| self.finish(py, out))
    }

    /// A copy, for messages with the same beginning.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let inner = self.lock(py)?;
        let (state, digest) = (inner.state.copied(py), inner.digest);
        Ok(Self { function: self.function, inner: Mutex::new(Inner { state, digest }) })
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    /// hashlib's name of the algorithm, or that of jlanes.
    #[getter]
    fn name(&self) -> String {
        names::name(self.function.algorithm)
    }

    /// The size of a digest in bytes.
    #[getter]
    fn digest_size(&self) -> usize {
        self.function.algorithm.output_size()
    }

    /// The size of a block in bytes, for HMAC.
    #[getter]
    fn block_size(&self) -> usize {
        self.function.algorithm.block_size()
    }

    // CPython's SHA-3 objects have these three. A `__getattr__` would slow down every method call.

    #[getter]
    fn _rate_bits(&self) -> PyResult<usize> {
        self.sponge("_rate_bits").map(|()| 8 * self.block_size())
    }

    #[getter]
    fn _capacity_bits(&self) -> PyResult<usize> {
        self.sponge("_capacity_bits").map(|()| 1600 - 8 * self.block_size())
    }

    #[getter]
    fn _suffix(&self) -> PyResult<&'static [u8]> {
        self.sponge("_suffix").map(|()| &b"\x06"[..])
    }

    fn __repr__(&self) -> String {
        format!("<{} jlanes.Hash object @ {self:p}>", self.name())
    }
}

/// A hash object of the algorithm with this name; the message begins with `data`.
#[pyfunction]
#[pyo3(
    signature = (name, data=Data::MISSING, *, string=Data::MISSING, usedforsecurity=true, **parameters),
    text_signature = "(name, data=b'', *, usedforsecurity=True, string=b'', **parameters)"
)]
pub(crate) fn new(
    py: Python<'_>,
    name: &str,
    data: Data<'_>,
    string: Data<'_>,
    usedforsecurity: bool,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let _ = usedforsecurity; // accepted for hashlib's sake
    if let Some(class) = blake2::class(py, name) {
        let made = match message(data, string)?.0 {
            Some(data) => class.call((data,), parameters),
            None => class.call((), parameters),
        };
        return Ok(made?.unbind());
    }
    if let Some(parameters) = parameters {
        if let (Some(collisions), 1) = (parameters.get_item("collisions")?, parameters.len())
            && names::parse(name)?.kind() == Kind::Hash(BaseHash::Fixed(Fixed::Sha1))
        {
            let collisions = collisions.extract()?;
            let hash = sha1(data, string, usedforsecurity, collisions)?;
            return Ok(Py::new(py, hash)?.into_any());
        }
        let message = format!("{name} has no parameters {:?}", parameters.keys());
        return Err(PyTypeError::new_err(message));
    }
    let data = message(data, string)?;
    if let Some(hash) = PyXof::named(name, &data)? {
        return Ok(Py::new(py, hash)?.into_any());
    }
    let hash = PyHash::new(names::parse(name)?, &data)?;
    Ok(Py::new(py, hash)?.into_any())
}

/// A hash object of sha1; the message begins with `data`. `collisions` detects collision attacks: with
/// 'raise', a message of an attack raises CollisionError instead of having a digest; with 'safe', its
/// digest is the safe hash of sha1dc.
#[pyfunction]
#[pyo3(
    signature = (data=Data::MISSING, *, string=Data::MISSING, usedforsecurity=true, collisions=None),
    text_signature = "(data=b'', *, usedforsecurity=True, string=b'', collisions=None)"
)]
fn sha1(
    data: Data<'_>,
    string: Data<'_>,
    usedforsecurity: bool,
    collisions: Option<Collisions>,
) -> PyResult<PyHash> {
    let _ = usedforsecurity;
    let algorithm = names::parse(if collisions.is_some() { "sha1dc" } else { "sha1" })?;
    let raises = collisions == Some(Collisions::Raise);
    PyHash::of(Function { algorithm, raises }, &message(data, string)?)
}

/// Defines a constructor for each algorithm.
macro_rules! constructors {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("A hash object of ", stringify!($name), "; the message begins with `data`.")]
            #[pyfunction]
            #[pyo3(
                signature = (data=Data::MISSING, *, string=Data::MISSING, usedforsecurity=true),
                text_signature = "(data=b'', *, usedforsecurity=True, string=b'')"
            )]
            fn $name(
                data: Data<'_>,
                string: Data<'_>,
                usedforsecurity: bool,
            ) -> PyResult<PyHash> {
                static ALGORITHM: LazyLock<Result<Algorithm, String>> =
                    LazyLock::new(|| names::find(stringify!($name)));
                let _ = usedforsecurity;
                match &*ALGORITHM {
                    Ok(algorithm) => PyHash::new(*algorithm, &message(data, string)?),
                    Err(error) => Err(PyValueError::new_err(error.clone())),
                }
            }
        )*

        /// Adds the constructors of the algorithms in this build.
        pub(crate) fn add_constructors(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                if names::parse(stringify!($name)).is_ok() {
                    module.add_function(wrap_pyfunction!($name, module)?)?;
                }
            )*
            module.add_function(wrap_pyfunction!(sha1, module)?)
        }
    };
}
constructors! { blake3 md5 sha224 sha256 sha384 sha512 sha3_224 sha3_256 sha3_384 sha3_512 }
