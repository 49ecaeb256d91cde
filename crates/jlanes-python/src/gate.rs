//! The one place that decides what an object is: one message (or key, or salt), many of them, or a
//! column. README.md has the table, which a test walks.
//!
//! The rule: an object is hashed as `bytes(memoryview(x))`, or refused with what to do instead. Memory
//! is hashed only where it is the value: not addresses, not padding, not what a mask hides.

mod columns;
mod format;
mod many;

use std::convert::Infallible;

use pyo3::{
    exceptions::{PyBufferError, PyTypeError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyByteArray, PyBytes, PyDict, PyInt, PyList, PyMemoryView, PyString, PyTuple, PyType},
};

use crate::{buffer::Lent, output};
pub(crate) use columns::{OBJECT_COLUMN, check_column, is_column, is_relation};
use format::Items;
pub(crate) use many::{Keys, Many, Shape, one_key, with_keys, with_many};

fn refuse<T>(reason: impl Into<String>) -> PyResult<T> {
    Err(PyTypeError::new_err(reason.into()))
}

/// A class of a module, if that has been imported: objects of it exist only then.
fn class<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyType>>,
    (module, name): (&str, &str),
) -> PyResult<Option<Bound<'py, PyType>>> {
    if let Some(class) = cell.get(py) {
        return Ok(Some(class.bind(py).clone()));
    }
    static MODULES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let modules = MODULES.get_or_try_init(py, || -> PyResult<_> {
        Ok(py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?.unbind())
    })?;
    let modules = modules.bind(py);
    let Some(module) = modules.get_item(module)? else { return Ok(None) };
    // a module that is just being imported may lack it
    let Ok(class) = module.getattr(name) else { return Ok(None) };
    let class = class.cast_into::<PyType>()?;
    cell.set(py, class.clone().unbind()).ok();
    Ok(Some(class))
}

fn array_class(py: Python<'_>) -> PyResult<Option<Bound<'_, PyType>>> {
    static ARRAY: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    class(py, &ARRAY, ("numpy", "ndarray"))
}

fn is_numpy(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    array_class(object.py())?.map_or(Ok(false), |array| object.is_instance(&array))
}

/// Whether an array is of numpy's own class, and no subclass that may read its items otherwise.
fn is_plain(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(array_class(object.py())?.is_some_and(|array| object.is_exact_instance(&array)))
}

/// Refuses arrays with a mask, which a buffer does not show, also behind a memoryview.
fn check_mask(object: &Bound<'_, PyAny>) -> PyResult<()> {
    static MASKED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let Some(masked) = class(object.py(), &MASKED, ("numpy.ma", "MaskedArray"))? else {
        return Ok(());
    };
    let mut owner = object.clone();
    while owner.is_instance_of::<PyMemoryView>() {
        owner = owner.getattr("obj")?;
    }
    if owner.is_instance(&masked)? {
        return refuse("a masked array has values that do not count: x.filled(...) has none");
    }
    Ok(())
}

/// Borrows the buffer of an object that may have one.
fn lend(object: &Bound<'_, PyAny>) -> PyResult<Option<Lent>> {
    if object.is_instance_of::<PyString>() {
        return refuse("Strings must be encoded before hashing: x.encode()");
    }
    match Lent::get(object) {
        Ok(lent) => {
            if !object.is_exact_instance_of::<PyByteArray>() {
                check_mask(object)?;
            }
            Ok(Some(lent))
        }
        Err(error) if is_numpy(object)? => refuse(format!(
            "the array cannot be hashed: {}; dates and times can as x.view('int64'), text as \
             numpy.strings.encode(x, 'utf-8')",
            error.value(object.py())
        )),
        Err(error) if error.is_instance_of::<PyBufferError>(object.py()) => Err(error),
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Why an object without a buffer is no message.
fn no_message(object: &Bound<'_, PyAny>) -> PyErr {
    let kind = object.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    let hint = if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        ": digest_many takes a list of messages"
    } else if object.is_instance_of::<PyInt>() {
        ": x.to_bytes(length, 'little') is one"
    } else if is_column(object).unwrap_or(false) {
        ": jlanes.column and digest_many take a column"
    } else {
        ""
    };
    PyTypeError::new_err(format!("object supporting the buffer API required, not {kind}{hint}"))
}

/// The buffer of an object that is one message.
fn lend_one(object: &Bound<'_, PyAny>) -> PyResult<Lent> {
    let lent = lend(object)?.ok_or_else(|| no_message(object))?;
    check_one(&lent)?;
    Ok(lent)
}

fn check_one(lent: &Lent) -> PyResult<()> {
    match format::items(lent.format(), lent.item_size()) {
        Items::Values => {}
        Items::Strings => {
            return refuse(
                "an array of strings is many messages, which digest_many takes: x.tobytes() is one",
            );
        }
        Items::Objects => return refuse("an array of objects holds addresses: hash the objects"),
        Items::Other(reason) => return refuse(reason),
    }
    if !lent.is_contiguous() {
        return Err(PyBufferError::new_err(
            "the buffer is not C-contiguous: bytes(x), or x.tobytes(), is",
        ));
    }
    Ok(())
}

/// The message of a call, which may be left out. `None` is no message, here and in hashlib.
#[derive(Default)]
pub(crate) struct Data<'py>(pub(crate) Option<Bound<'py, PyAny>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Data<'py> {
    type Error = Infallible;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self(Some(object.to_owned())))
    }
}

impl Data<'_> {
    pub(crate) const MISSING: Self = Self(None);

    /// The bytes, of which there are none if the object was left out.
    pub(crate) fn to_vec(&self) -> PyResult<Vec<u8>> {
        self.0.as_ref().map_or_else(|| Ok(Vec::new()), to_vec)
    }
}

/// Calls `f` with the bytes of one message, key or salt.
pub(crate) fn with_one<R>(object: &Bound<'_, PyAny>, f: impl FnOnce(&[u8]) -> R) -> PyResult<R> {
    match object.cast::<PyBytes>() {
        Ok(bytes) => Ok(f(bytes.as_bytes())),
        Err(_) => Ok(f(lend_one(object)?.bytes())),
    }
}

/// The bytes of one message that is kept.
pub(crate) fn to_vec(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    with_one(object, <[u8]>::to_vec)
}

/// The bytes of one message, key or salt, by the rules of all functions.
#[pyfunction]
pub(crate) fn to_bytes<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    with_one(object, |bytes| output::bytes(object.py(), bytes))?
}
