//! Many messages, and one key or many.

use std::{array, borrow::Cow, collections::TryReserveError};

use pyo3::{
    exceptions::{PyBufferError, PyMemoryError, PyTypeError},
    prelude::*,
    types::{PyBytes, PyList, PyMemoryView, PyTuple},
};

use super::{
    check_one,
    format::{self, Items},
    is_column, is_numpy, is_plain, lend, lend_one, refuse,
};
use crate::buffer::Lent;

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

fn no_memory(_: TryReserveError) -> PyErr {
    PyMemoryError::new_err("no memory for the list of messages")
}

/// Messages whose list needs no memory of its own.
const FEW: usize = 8;

/// The items of a short list of bytes.
fn few<'py>(list: &Bound<'py, PyList>) -> Option<[Option<Bound<'py, PyBytes>>; FEW]> {
    let count = list.len();
    if count > FEW {
        return None;
    }
    let mut items = [const { None }; FEW];
    for (i, place) in items.iter_mut().enumerate().take(count) {
        *place = Some(list.get_item(i).ok()?.cast_into().ok()?);
    }
    Some(items)
}

/// Calls `f` with the bytes of every item of a list, a tuple or anything else that can be iterated.
fn with_items<R>(list: &Bound<'_, PyAny>, f: impl FnOnce(&[&[u8]]) -> PyResult<R>) -> PyResult<R> {
    if let Ok(list) = list.cast::<PyList>()
        && let Some(few) = few(list)
    {
        let count = few.iter().flatten().count();
        let slices: [&[u8]; FEW] =
            array::from_fn(|i| few[i].as_ref().map_or(&[][..], |b| b.as_bytes()));
        return f(&slices[..count]);
    }
    // A tuple never changes and keeps its items alive, whatever becomes of the list meanwhile.
    let items = match (list.cast::<PyTuple>(), list.cast::<PyList>()) {
        (Ok(tuple), _) => tuple.clone(),
        (_, Ok(list)) => list.to_tuple(),
        _ => list.py().get_type::<PyTuple>().call1((list,))?.cast_into()?,
    };
    let mut slices = Vec::new();
    slices.try_reserve_exact(items.len()).map_err(no_memory)?;
    let all = items.iter_borrowed().map_while(|item| item.extract::<&[u8]>().ok());
    slices.extend(all);
    if slices.len() == items.len() {
        return f(&slices);
    }
    slices.clear();
    let mut lent = Vec::new();
    for (i, item) in items.iter_borrowed().enumerate() {
        if !item.is_instance_of::<PyBytes>() {
            let one = lend_one(&item);
            lent.push(one.map_err(|error| at(list.py(), i, error))?);
        }
    }
    let mut lent = lent.iter();
    for item in items.iter_borrowed() {
        slices.push(match item.extract() {
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
