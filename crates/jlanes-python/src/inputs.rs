//! The inputs of all functions: decides whether an object is one message (or key, or salt), many of them,
//! or a column. README.md has the table; a test walks it.
//!
//! The rule: an object is hashed as `bytes(memoryview(x))`, or refused with a message that suggests
//! what to do. Memory is hashed only if it is the value, so never addresses, padding or masked items.

mod columns;
mod format;
mod many;

use std::convert::Infallible;

use pyo3::{
    exceptions::{PyBufferError, PyTypeError},
    intern,
    prelude::*,
    sync::PyOnceLock,
    types::{PyByteArray, PyBytes, PyDict, PyInt, PyList, PyMemoryView, PyString, PyTuple, PyType},
};

use crate::buffer::{self, HeldBuffer};
pub(crate) use columns::{OBJECT_COLUMN, check_type, has_addresses, is_column, is_relation};
use format::Items;
pub(crate) use many::{Keys, Many, Shape, gathered, in_blocks, one_key, with_keys, with_many};

fn refuse<T>(reason: impl Into<String>) -> PyResult<T> {
    Err(PyTypeError::new_err(reason.into()))
}

/// A class of a package. If the package is not imported, no object of the class exists.
struct Class {
    module: &'static str,
    name: &'static str,
    key: PyOnceLock<Py<PyString>>,
    class: PyOnceLock<Py<PyType>>,
}

static ARRAY: Class = Class::new("numpy", "ndarray");
static MASKED: Class = Class::new("numpy.ma", "MaskedArray");
static TIMES: [Class; 2] = [Class::new("numpy", "datetime64"), Class::new("numpy", "timedelta64")];

impl Class {
    const fn new(module: &'static str, name: &'static str) -> Self {
        Self { module, name, key: PyOnceLock::new(), class: PyOnceLock::new() }
    }

    fn get<'py>(&self, py: Python<'py>) -> PyResult<Option<&Bound<'py, PyType>>> {
        if let Some(class) = self.class.get(py) {
            return Ok(Some(class.bind(py)));
        }
        static MODULES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
        let modules = MODULES.get_or_try_init(py, || -> PyResult<_> {
            Ok(py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?.unbind())
        })?;
        let key = self.key.get_or_init(py, || PyString::intern(py, self.module).unbind());
        let Some(module) = modules.bind(py).get_item(key)? else { return Ok(None) };
        // the module may be in the middle of its import
        let Ok(class) = module.getattr(self.name) else { return Ok(None) };
        let class = class.cast_into::<PyType>()?.unbind();
        Ok(Some(self.class.get_or_init(py, || class).bind(py)))
    }

    /// Whether an object is of the class or of a subclass.
    fn is_of(&self, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.get(object.py())?.map_or(Ok(false), |class| object.is_instance(class))
    }
}

/// numpy's class of arrays, if numpy is imported.
pub(crate) fn array_class(py: Python<'_>) -> PyResult<Option<&Bound<'_, PyType>>> {
    ARRAY.get(py)
}

fn is_numpy(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    ARRAY.is_of(object)
}

/// Whether the object is an `ndarray` itself. A subclass may read items differently.
fn is_plain(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(ARRAY.get(object.py())?.is_some_and(|array| object.is_exact_instance(array)))
}

/// Refuses masked arrays, also behind a memoryview, because a buffer does not show the mask.
fn check_mask(object: &Bound<'_, PyAny>) -> PyResult<()> {
    if MASKED.get(object.py())?.is_none() {
        return Ok(());
    }
    let mut owner = object.clone();
    while owner.is_instance_of::<PyMemoryView>() {
        owner = owner.getattr(intern!(owner.py(), "obj"))?;
    }
    if MASKED.is_of(&owner)? {
        return refuse("a masked array has values that are hidden: hash x.filled(...)");
    }
    Ok(())
}

/// Refuses numpy's scalars of dates and times, as arrays of them, because their memory lacks the unit.
fn check_time(object: &Bound<'_, PyAny>) -> PyResult<()> {
    for class in &TIMES {
        if class.is_of(object)? {
            return refuse("a date or time has a unit that its memory lacks: hash str(x).encode()");
        }
    }
    Ok(())
}

/// The buffer of an object, if it has one.
fn buffer_of(object: &Bound<'_, PyAny>) -> PyResult<Option<HeldBuffer>> {
    if object.is_instance_of::<PyString>() {
        return refuse("Strings must be encoded before hashing: x.encode()");
    }
    match HeldBuffer::get(object) {
        Ok(held) => {
            if !object.is_exact_instance_of::<PyByteArray>() {
                check_mask(object)?;
                if !object.is_exact_instance_of::<PyMemoryView>() {
                    check_time(object)?;
                }
            }
            Ok(Some(held))
        }
        Err(error) if is_numpy(object)? => refuse(format!(
            "the array cannot be hashed: {}; for dates and times hash x.view('int64'), for text \
             numpy.strings.encode(x, 'utf-8')",
            error.value(object.py())
        )),
        Err(error) if error.is_instance_of::<PyBufferError>(object.py()) => Err(error),
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The error for an object without a buffer.
fn no_message(object: &Bound<'_, PyAny>) -> PyErr {
    let kind = object.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    let hint = if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        ": digest_many takes a list of messages"
    } else if object.is_instance_of::<PyInt>() {
        ": hash x.to_bytes(length, 'little')"
    } else if is_column(object).unwrap_or(false) {
        ": jlanes.column and digest_many take a column"
    } else {
        ""
    };
    PyTypeError::new_err(format!("object supporting the buffer API required, not {kind}{hint}"))
}

/// The buffer of an object that must be one message.
fn one_buffer(object: &Bound<'_, PyAny>) -> PyResult<HeldBuffer> {
    let held = buffer_of(object)?.ok_or_else(|| no_message(object))?;
    check_one(&held)?;
    Ok(held)
}

fn check_one(held: &HeldBuffer) -> PyResult<()> {
    match format::items(held.format(), held.item_size()) {
        Items::Values => {}
        Items::Strings => {
            return refuse(
                "an array of strings is many messages: use digest_many, or hash x.tobytes()",
            );
        }
        Items::Objects => return refuse("an array of objects holds addresses: hash the objects"),
        Items::Other(reason) => return refuse(reason),
    }
    if !held.is_contiguous() {
        return Err(PyBufferError::new_err(
            "the buffer is not C-contiguous: hash bytes(x) or x.tobytes()",
        ));
    }
    Ok(())
}

/// An optional message of a call. As in hashlib, `None` is not a message.
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

    /// The bytes; none if the object was left out.
    pub(crate) fn to_vec(&self) -> PyResult<Vec<u8>> {
        self.0.as_ref().map_or_else(|| Ok(Vec::new()), to_vec)
    }
}

/// Calls `f` with the bytes of one message, key or salt.
pub(crate) fn with_one<R>(object: &Bound<'_, PyAny>, f: impl FnOnce(&[u8]) -> R) -> PyResult<R> {
    match buffer::of_bytes(object.as_borrowed()) {
        Some(bytes) => Ok(f(bytes)),
        None => Ok(f(one_buffer(object)?.bytes())),
    }
}

/// Bytes of a message between two checks for Ctrl-C: some tens of milliseconds.
const PIECE_BYTES: usize = 32 << 20;

/// [`with_one`] in pieces, with a check for Ctrl-C after each. `f` must hold no lock that a signal
/// handler may need.
pub(crate) fn with_pieces(
    object: &Bound<'_, PyAny>,
    mut f: impl FnMut(&[u8]) -> PyResult<()>,
) -> PyResult<()> {
    with_one(object, |bytes| {
        let mut pieces = bytes.chunks(PIECE_BYTES);
        pieces.try_for_each(|piece| match piece.len() {
            PIECE_BYTES => f(piece).and_then(|()| object.py().check_signals()),
            _ => f(piece),
        })
    })?
}

/// A copy of the bytes of one message.
pub(crate) fn to_vec(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    with_one(object, buffer::copied)?
}

/// The bytes of one message, key or salt, by the rules of this module.
#[pyfunction]
pub(crate) fn to_bytes<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    with_one(object, |bytes| buffer::bytes(object.py(), bytes))?
}
