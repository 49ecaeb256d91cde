//! The one place that decides what an object is: one message (or key, or salt), many of them, or a
//! column. README.md has the table, which a test walks.
//!
//! The rule: an object is hashed as `bytes(memoryview(x))`, or refused with what to do instead. Memory
//! is hashed only where it is the value: not addresses, not padding, not what a mask hides.

mod format;

use std::{borrow::Cow, collections::TryReserveError, convert::Infallible};

use pyo3::{
    exceptions::{PyBufferError, PyMemoryError, PyTypeError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyByteArray, PyBytes, PyDict, PyInt, PyList, PyMemoryView, PyString, PyTuple, PyType},
};

use crate::buffer::Lent;
use format::Items;

/// Many messages, and how their results are given back.
#[derive(Clone, Copy)]
pub(crate) enum Many<'a> {
    Slices(&'a [&'a [u8]]),
    /// `count` records of `width` bytes, which are not 0.
    Records {
        bytes: &'a [u8],
        width: usize,
    },
}

/// What results look like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    List,
    /// A matrix with a row for each message, as a memoryview.
    View,
    /// The same as an array of numpy.
    Numpy,
}

impl<'a> Many<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Slices(slices) => slices.len(),
            Self::Records { bytes, width } => bytes.len() / width,
        }
    }

    /// A slice for each message.
    pub(crate) fn slices(&self) -> Cow<'a, [&'a [u8]]> {
        match self {
            Self::Slices(slices) => Cow::Borrowed(slices),
            Self::Records { .. } => (0..self.len()).map(|i| self.get(i)).collect(),
        }
    }

    pub(crate) fn get(&self, i: usize) -> &'a [u8] {
        match self {
            Self::Slices(slices) => slices[i],
            Self::Records { bytes, width } => &bytes[i * width..][..*width],
        }
    }
}

/// One key (or salt) for all messages, or one for each.
#[derive(Clone, Copy)]
pub(crate) enum Keys<'a> {
    One(&'a [u8]),
    Each(&'a [&'a [u8]]),
}

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
    let modules = py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
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

/// Whether the object hands itself over by Arrow's PyCapsule protocol.
pub(crate) fn is_column(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.is_exact_instance_of::<PyList>() || object.is_exact_instance_of::<PyBytes>() {
        return Ok(false);
    }
    Ok(object.hasattr("__arrow_c_array__")? || object.hasattr("__arrow_c_stream__")?)
}

/// Refuses columns of Python objects, which polars hands over as their addresses.
pub(crate) fn check_column(object: &Bound<'_, PyAny>) -> PyResult<()> {
    static OBJECT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let Some(python_object) = class(object.py(), &OBJECT, ("polars", "Object"))? else {
        return Ok(());
    };
    let types = match object.getattr_opt("dtypes")? {
        Some(types) => types,
        None => match object.getattr_opt("dtype")? {
            Some(one) => PyList::new(object.py(), [one])?.into_any(),
            None => return Ok(()),
        },
    };
    // other packages have attributes of these names, of other kinds
    let Ok(types) = types.cast::<PyList>() else { return Ok(()) };
    for data_type in types {
        if data_type.eq(&python_object)? {
            return refuse(OBJECT_COLUMN);
        }
    }
    Ok(())
}

/// What polars' columns of Python objects are refused with.
pub(crate) const OBJECT_COLUMN: &str = "a polars column of type Object holds addresses: a list of its values, or a Binary column, is hashed";

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

fn no_memory(_: TryReserveError) -> PyErr {
    PyMemoryError::new_err("no memory for the list of messages")
}

/// Calls `f` with the bytes of every item of a list, a tuple or anything else that can be iterated.
fn with_items<R>(list: &Bound<'_, PyAny>, f: impl FnOnce(&[&[u8]]) -> PyResult<R>) -> PyResult<R> {
    // A tuple never changes and keeps its items alive, whatever becomes of the list meanwhile.
    let items = match (list.cast::<PyTuple>(), list.cast::<PyList>()) {
        (Ok(tuple), _) => tuple.clone(),
        (_, Ok(list)) => list.to_tuple(),
        _ => list.py().get_type::<PyTuple>().call1((list,))?.cast_into()?,
    };
    let mut lent = Vec::new();
    for i in 0..items.len() {
        let item = items.get_borrowed_item(i)?;
        if !item.is_instance_of::<PyBytes>() {
            let one = lend_one(&item);
            lent.push(one.map_err(|error| at(list.py(), i, error))?);
        }
    }
    let mut lent = lent.iter();
    let mut slices = Vec::new();
    slices.try_reserve_exact(items.len()).map_err(no_memory)?;
    for i in 0..items.len() {
        slices.push(match items.get_borrowed_item(i)?.extract() {
            Ok(bytes) => bytes,
            Err(_) => lent.next().map_or(&[][..], Lent::bytes),
        });
    }
    f(&slices)
}

/// An error of item `i`, which says so.
fn at(py: Python<'_>, i: usize, error: PyErr) -> PyErr {
    let kind = error.get_type(py);
    if kind.is(py.get_type::<PyTypeError>()) || kind.is(py.get_type::<PyBufferError>()) {
        return PyErr::from_type(kind, format!("message {i}: {}", error.value(py)));
    }
    error
}

/// What the buffer of an object holds, as far as many messages are asked for.
enum Held {
    /// One message.
    One,
    Records(usize, usize),
    Strings(usize, usize),
    Objects,
}

fn held(object: &Bound<'_, PyAny>, lent: &Lent) -> PyResult<Held> {
    let size = lent.item_size();
    let items = format::items(lent.format(), size);
    if let Items::Other(reason) = items {
        return refuse(reason);
    }
    Ok(match (items, lent.shape()) {
        (Items::Values, []) => Held::One,
        (Items::Values, [_]) if size == 1 => Held::One,
        (Items::Values, [rows]) => Held::Records(*rows, size),
        (Items::Values, [rows, columns]) => Held::Records(*rows, columns * size),
        (Items::Strings, [rows]) => Held::Strings(*rows, size),
        (Items::Objects, [_]) if !object.is_instance_of::<PyMemoryView>() => Held::Objects,
        (Items::Strings | Items::Objects, _) => {
            return refuse("an array of strings or objects has one dimension: x.ravel() has");
        }
        _ => return refuse("an array of messages has at most two dimensions: reshape it to rows"),
    })
}

/// Calls `f` with many messages, and with what their results look like: a list for a list, a matrix for
/// an array.
pub(crate) fn with_many<R>(
    object: &Bound<'_, PyAny>,
    f: impl FnOnce(Many<'_>, Shape) -> PyResult<R>,
) -> PyResult<R> {
    let lent = match object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        true => None,
        false if object.is_instance_of::<PyBytes>() => return refuse(ONE),
        false => lend(object)?,
    };
    let Some(lent) = lent else {
        if is_column(object)? {
            return refuse("a column goes with columns only: a list of its values goes with lists");
        }
        return with_items(object, |slices| f(Many::Slices(slices), Shape::List));
    };
    let shape = if is_numpy(object)? { Shape::Numpy } else { Shape::View };
    match held(object, &lent)? {
        Held::One => refuse(ONE),
        Held::Objects => with_items(object, |slices| f(Many::Slices(slices), shape)),
        // such as numpy's chararray, which has an idea of its own of where strings end
        Held::Strings(..) if shape == Shape::Numpy && !is_plain(object)? => {
            with_items(object, |slices| f(Many::Slices(slices), shape))
        }
        Held::Strings(count, width) => with_rows(object, &lent, |bytes| {
            let row = |i: usize| trimmed(&bytes[i * width..][..width]);
            let slices: Vec<&[u8]> = (0..count).map(row).collect();
            f(Many::Slices(&slices), shape)
        }),
        Held::Records(count, 0) => f(Many::Slices(&vec![&[][..]; count]), shape),
        Held::Records(_, width) => {
            with_rows(object, &lent, |bytes| f(Many::Records { bytes, width }, shape))
        }
    }
}

const ONE: &str = "a list of messages is required, not one message";

/// A string of numpy without the zeros that fill it up.
fn trimmed(string: &[u8]) -> &[u8] {
    let end = string.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &string[..end]
}

/// Calls `f` with the bytes of all items in order, which are copied if they do not lie so.
fn with_rows<R>(
    object: &Bound<'_, PyAny>,
    lent: &Lent,
    f: impl FnOnce(&[u8]) -> PyResult<R>,
) -> PyResult<R> {
    if lent.is_contiguous() {
        return f(lent.bytes());
    }
    let copy = PyMemoryView::from(object)?.call_method0("tobytes")?;
    f(copy.cast::<PyBytes>()?.as_bytes())
}

/// Calls `f` with one key, or with a list of them: anything bytes-like is one.
pub(crate) fn with_keys<R>(
    object: &Bound<'_, PyAny>,
    f: impl FnOnce(Keys<'_>) -> PyResult<R>,
) -> PyResult<R> {
    if let Some(one) = one_key(object)? {
        return f(Keys::One(&one));
    }
    with_many(object, |keys, _| f(Keys::Each(&keys.slices())))
}

/// The key, if the object is one and neither a list of them nor a column.
pub(crate) fn one_key(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Some(bytes.as_bytes().to_vec()));
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        return Ok(None);
    }
    let Some(lent) = lend(object)? else { return Ok(None) };
    match held(object, &lent)? {
        Held::One => {}
        Held::Records(..) if lent.shape().len() == 1 => {
            return refuse("one key or many? bytes(x) is one, a list of bytes is many");
        }
        _ => return Ok(None),
    }
    check_one(&lent)?;
    Ok(Some(lent.bytes().to_vec()))
}
