//! hashlib's classes `blake2b` and `blake2s`, with keys, salts and personalization.
//!
//! A [`BlakeState`] is the bytes of a short message, which need no hasher yet, or jlanes's hasher. The parameters of
//! trees have CPython's own. The classes differ in sizes alone, so a macro writes both.

use std::{
    fmt::Display,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jlanes::{
    Backend, Blake2b512, Blake2bVar, Blake2s256, Blake2sVar,
    digest::{Digest, Update},
};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    sync::{MutexExt, PyOnceLock},
    types::{PyBytes, PyDict, PyString, PyType},
};

use crate::{
    inputs::{self, Data},
    message::{Absorb, Buffered, MAX_ATTACHED_BYTES, Short},
    methods::{MAX_DIGEST_BYTES, ShortCalls},
    output,
};

/// The message so far.
enum BlakeState<H> {
    /// The first bytes, if the length of the digest is the only parameter.
    Short(Short),
    /// jlanes's hasher.
    Own(Box<Buffered<H>>),
}

impl<H: Absorb + Send> BlakeState<H> {
    /// Adds `data`, unless that takes long or needs a hasher. Returns whether it did.
    fn add(&mut self, data: &[u8]) -> bool {
        match self {
            Self::Short(short) => short.add(data),
            Self::Own(hasher) if data.len() <= MAX_ATTACHED_BYTES => {
                hasher.update(data);
                true
            }
            Self::Own(_) => false,
        }
    }

    /// Adds `data`, without the GIL if it is long. `plain` makes a hasher without parameters.
    fn update(
        &mut self,
        py: Python<'_>,
        plain: impl FnOnce(&[u8]) -> PyResult<H>,
        data: &[u8],
    ) -> PyResult<()> {
        if self.add(data) {
            return Ok(());
        }
        if let Self::Short(short) = self {
            *self = Self::Own(Buffered::new(plain(short.bytes())?));
        }
        match self {
            Self::Own(hasher) if data.len() > MAX_ATTACHED_BYTES => {
                py.detach(|| hasher.update(data));
            }
            Self::Own(hasher) => hasher.update(data),
            Self::Short(_) => unreachable!("a message becomes a hasher"),
        }
        Ok(())
    }
}

fn to_py_err(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// CPython's class with the same name.
fn cpython<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
    class.py().import("_blake2")?.getattr(class.name()?)
}

macro_rules! blake2 {
    ($class:ident, $var:ident, $usual:ident, $name:literal, $digest:literal, $block:literal, $salt:literal, $text:literal) => {
        #[doc = concat!(
            $name, ": a hash object with hashlib's parameters.\n\nWith parameters of trees (fanout, ",
            "depth, leaf_size, node_offset, node_depth, inner_size, last_node) CPython's own class hashes."
        )]
        #[pyclass(frozen, subclass, name = $name, module = "jlanes")]
        pub(crate) struct $class {
            state: Mutex<BlakeState<$var>>,
            /// CPython's own hasher, for the parameters of trees. It has no lock of ours: a call of Python may run
            /// a finalizer, which may use this object.
            tree: Option<Py<PyAny>>,
            size: usize,
        }

        impl $class {
            fn lock(&self, py: Python<'_>) -> MutexGuard<'_, BlakeState<$var>> {
                self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
            }

            /// A hasher without parameters, of a message that begins with `data`.
            fn plain(size: usize, data: &[u8]) -> PyResult<$var> {
                let hasher = $var::with_params(Backend::detect(), size, None, &[], &[]);
                Ok(hasher.map_err(to_py_err)?.chain(data))
            }

            fn append(&self, py: Python<'_>, data: &[u8]) -> PyResult<()> {
                let plain = |data: &[u8]| Self::plain(self.size, data);
                match &self.tree {
                    Some(tree) => tree.call_method1(py, "update", (data,)).map(drop),
                    None => self.lock(py).update(py, plain, data),
                }
            }

            /// Writes the digest, of `self.size` bytes.
            fn finish(&self, py: Python<'_>, out: &mut [u8]) -> PyResult<()> {
                let Some(tree) = &self.tree else { return self.finish_of(&self.lock(py), out) };
                out.copy_from_slice(tree.call_method0(py, "digest")?.extract(py)?);
                Ok(())
            }

            fn finish_of(&self, state: &BlakeState<$var>, out: &mut [u8]) -> PyResult<()> {
                match state {
                    BlakeState::Short(short) if self.size == $digest => {
                        out.copy_from_slice(&$usual::digest(short.bytes()));
                        Ok(())
                    }
                    BlakeState::Short(short) => {
                        let hasher = Self::plain(self.size, short.bytes())?;
                        hasher.finalize_variable(out).map_err(to_py_err)
                    }
                    BlakeState::Own(hasher) => {
                        hasher.hasher().finalize_variable(out).map_err(to_py_err)
                    }
                }
            }
        }

        impl ShortCalls for $class {
            fn pyo3_methods() -> &'static [PyOnceLock<Py<PyAny>>; 2] {
                static GENERAL: [PyOnceLock<Py<PyAny>>; 2] = [const { PyOnceLock::new() }; 2];
                &GENERAL
            }

            fn add(&self, data: &[u8]) -> bool {
                self.tree.is_none() && self.state.try_lock().is_ok_and(|mut state| state.add(data))
            }

            fn digest(&self, _: Python<'_>, out: &mut [u8; MAX_DIGEST_BYTES]) -> Option<usize> {
                let state = self.state.try_lock().ok().filter(|_| self.tree.is_none())?;
                self.finish_of(&state, &mut out[..self.size]).ok().map(|()| self.size)
            }
        }

        #[pymethods]
        impl $class {
            #[classattr]
            const MAX_DIGEST_SIZE: usize = $digest;
            #[classattr]
            const MAX_KEY_SIZE: usize = $digest;
            #[classattr]
            const SALT_SIZE: usize = $salt;
            #[classattr]
            const PERSON_SIZE: usize = $salt;

            #[new]
            #[classmethod]
            #[pyo3(
                signature = (
                    data=Data::MISSING, /, *, digest_size=$digest, key=Data::MISSING, salt=Data::MISSING,
                    person=Data::MISSING, usedforsecurity=true, **tree
                ),
                text_signature = $text
            )]
            #[allow(clippy::too_many_arguments, reason = "they are hashlib's")]
            fn new(
                class: &Bound<'_, PyType>,
                data: Data<'_>,
                digest_size: isize,
                key: Data<'_>,
                salt: Data<'_>,
                person: Data<'_>,
                usedforsecurity: bool,
                tree: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<Self> {
                let _ = usedforsecurity; // accepted for hashlib's sake
                let size = usize::try_from(digest_size).unwrap_or(0);
                let (key, salt, person) = (key.to_vec()?, salt.to_vec()?, person.to_vec()?);
                let refusal = if !(1..=$digest).contains(&size) {
                    Some(concat!("digest_size must be between 1 and ", $digest, " bytes"))
                } else if key.len() > $digest {
                    Some(concat!("maximum key length is ", $digest, " bytes"))
                } else if salt.len() > $salt {
                    Some(concat!("maximum salt length is ", $salt, " bytes"))
                } else if person.len() > $salt {
                    Some(concat!("maximum person length is ", $salt, " bytes"))
                } else {
                    None
                };
                if let Some(refusal) = refusal {
                    return Err(to_py_err(refusal));
                }
                let py = class.py();
                let tree = match tree {
                    Some(tree) => {
                        for (name, bytes) in [("key", &key), ("salt", &salt), ("person", &person)] {
                            tree.set_item(name, PyBytes::new(py, bytes))?;
                        }
                        tree.set_item("digest_size", size)?;
                        let own = PyType::new::<Self>(py);
                        Some(cpython(&own)?.call((), Some(tree))?.unbind())
                    }
                    None => None,
                };
                let state = if key.is_empty() && salt.is_empty() && person.is_empty() {
                    BlakeState::Short(Short::EMPTY)
                } else {
                    let key = Some(&*key).filter(|key| !key.is_empty());
                    let hasher = $var::with_params(Backend::detect(), size, key, &salt, &person);
                    BlakeState::Own(Buffered::new(hasher.map_err(to_py_err)?))
                };
                let made = Self { state: Mutex::new(state), tree, size };
                if let Some(data) = &data.0 {
                    inputs::with_pieces(data, |piece| made.append(py, piece))?;
                }
                Ok(made)
            }

            /// Adds the bytes of a bytes-like object to the message.
            #[pyo3(signature = (data, /))]
            fn update(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
                // the buffer before the lock: `__buffer__` may use this object
                inputs::with_one(data, |bytes| self.append(data.py(), bytes))?
            }

            /// The digest of the message so far.
            fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
                PyBytes::new_with(py, self.size, |out| self.finish(py, out))
            }

            /// The digest of the message so far, in hexadecimal.
            fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
                output::hex_of(py, self.size, |out| self.finish(py, out))
            }

            /// A copy, for messages with the same beginning.
            fn copy(&self, py: Python<'_>) -> PyResult<Self> {
                let copy = |tree: &Py<PyAny>| tree.call_method0(py, "copy");
                let tree = self.tree.as_ref().map(copy).transpose()?;
                let state = match &*self.lock(py) {
                    BlakeState::Short(short) => BlakeState::Short(*short),
                    BlakeState::Own(hasher) => BlakeState::Own(hasher.clone()),
                };
                Ok(Self { state: Mutex::new(state), tree, size: self.size })
            }

            fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
                self.copy(py)
            }

            /// The name of the algorithm.
            #[getter]
            fn name(&self) -> &'static str {
                $name
            }

            /// The size of a digest in bytes.
            #[getter]
            fn digest_size(&self) -> usize {
                self.size
            }

            /// The size of a block in bytes, for HMAC.
            #[getter]
            fn block_size(&self) -> usize {
                $block
            }
        }
    };
}
blake2!(
    PyBlake2b,
    Blake2bVar,
    Blake2b512,
    "blake2b",
    64,
    128,
    16,
    "(data=b'', /, *, digest_size=64, key=b'', salt=b'', person=b'', usedforsecurity=True, **tree)"
);
blake2!(
    PyBlake2s,
    Blake2sVar,
    Blake2s256,
    "blake2s",
    32,
    64,
    8,
    "(data=b'', /, *, digest_size=32, key=b'', salt=b'', person=b'', usedforsecurity=True, **tree)"
);

/// The class with this name, if it is one of the two.
pub(crate) fn class<'py>(py: Python<'py>, name: &str) -> Option<Bound<'py, PyType>> {
    let is = |class: &str| name.eq_ignore_ascii_case(class);
    if is("blake2b") {
        return Some(PyType::new::<PyBlake2b>(py));
    }
    is("blake2s").then(|| PyType::new::<PyBlake2s>(py))
}
