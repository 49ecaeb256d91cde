//! hashlib's classes `blake2b` and `blake2s`, with keys, salts and personalization.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jlanes::{Backend, Blake2bVar, Blake2sVar, digest::Update};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    sync::MutexExt,
    types::{PyBytes, PyDict, PyString, PyType},
};

use crate::{
    buffer,
    gate::{self, Data},
    hasher::DETACH,
    output,
};

/// A hasher. Moving the box is cheaper than moving the hasher.
enum State<H> {
    Own(Box<H>),
    /// CPython's own, for the parameters of trees.
    Tree(Py<PyAny>),
}

/// The class of CPython with the name of `class`.
fn cpython<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
    class.py().import("_blake2")?.getattr(class.name()?)
}

macro_rules! blake2 {
    ($class:ident, $var:ident, $name:literal, $digest:literal, $block:literal, $salt:literal, $text:literal) => {
        #[doc = concat!(
            $name, ": a hash object with hashlib's parameters.\n\nWith parameters of trees (fanout, ",
            "depth, leaf_size, node_offset, node_depth, inner_size, last_node) CPython's own class hashes."
        )]
        #[pyclass(frozen, subclass, name = $name, module = "jlanes")]
        pub(crate) struct $class {
            state: Mutex<State<$var>>,
            size: usize,
        }

        impl $class {
            fn lock(&self, py: Python<'_>) -> MutexGuard<'_, State<$var>> {
                self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
            }

            fn copied(&self, py: Python<'_>) -> PyResult<State<$var>> {
                Ok(match &*self.lock(py) {
                    State::Own(hasher) => State::Own(hasher.clone()),
                    State::Tree(hasher) => {
                        State::Tree(hasher.call_method0(py, "copy")?)
                    }
                })
            }

            /// Writes the digest, of `self.size` bytes.
            fn finish(&self, py: Python<'_>, out: &mut [u8]) -> PyResult<()> {
                match &*self.lock(py) {
                    State::Own(hasher) => {
                        let done = $var::clone(hasher).finalize_variable(out);
                        done.map_err(|error| PyValueError::new_err(error.to_string()))
                    }
                    State::Tree(hasher) => {
                        let digest = hasher.call_method0(py, "digest")?;
                        out.copy_from_slice(digest.extract(py)?);
                        Ok(())
                    }
                }
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
                let wrong = if !(1..=$digest).contains(&size) {
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
                if let Some(wrong) = wrong {
                    return Err(PyValueError::new_err(wrong));
                }
                let state = match tree {
                    Some(tree) => {
                        let py = class.py();
                        for (name, bytes) in [("key", &key), ("salt", &salt), ("person", &person)] {
                            tree.set_item(name, PyBytes::new(py, bytes))?;
                        }
                        tree.set_item("digest_size", size)?;
                        let own = PyType::new::<Self>(py);
                        let hasher = cpython(&own)?.call((), Some(tree))?;
                        State::Tree(hasher.unbind())
                    }
                    None => {
                        let key = Some(&*key).filter(|key| !key.is_empty());
                        let hasher =
                            $var::with_params(Backend::detect(), size, key, &salt, &person);
                        let hasher =
                            hasher.map_err(|error| PyValueError::new_err(error.to_string()))?;
                        State::Own(Box::new(hasher))
                    }
                };
                let hasher = Self { state: Mutex::new(state), size };
                if let Some(data) = &data.0 {
                    hasher.update(data)?;
                }
                Ok(hasher)
            }

            /// Adds the bytes of a bytes-like object to the message.
            #[pyo3(signature = (data, /))]
            fn update(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
                let py = data.py();
                // the buffer before the lock: `__buffer__` may use this object
                gate::with_one(data, |bytes| match &mut *self.lock(py) {
                    State::Own(hasher) if bytes.len() > DETACH => {
                        py.detach(|| hasher.update(bytes));
                        Ok(())
                    }
                    State::Own(hasher) => {
                        hasher.update(bytes);
                        Ok(())
                    }
                    State::Tree(hasher) => hasher.call_method1(py, "update", (bytes,)).map(drop),
                })?
            }

            /// The digest of the message so far.
            fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
                PyBytes::new_with(py, self.size, |out| self.finish(py, out))
            }

            /// The digest of the message so far, in hexadecimal.
            fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
                let mut digest = buffer::zeros(self.size)?;
                self.finish(py, &mut digest)?;
                output::hex(py, &digest)
            }

            /// A copy, for messages with the same beginning.
            fn copy(&self, py: Python<'_>) -> PyResult<Self> {
                Ok(Self { state: Mutex::new(self.copied(py)?), size: self.size })
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
    "blake2b",
    64,
    128,
    16,
    "(data=b'', /, *, digest_size=64, key=b'', salt=b'', person=b'', usedforsecurity=True, **tree)"
);
blake2!(
    PyBlake2s,
    Blake2sVar,
    "blake2s",
    32,
    64,
    8,
    "(data=b'', /, *, digest_size=32, key=b'', salt=b'', person=b'', usedforsecurity=True, **tree)"
);

/// The class with this name, if it is one of these.
pub(crate) fn class<'py>(py: Python<'py>, name: &str) -> Option<Bound<'py, PyType>> {
    let is = |class: &str| name.eq_ignore_ascii_case(class);
    if is("blake2b") {
        return Some(PyType::new::<PyBlake2b>(py));
    }
    is("blake2s").then(|| PyType::new::<PyBlake2s>(py))
}
