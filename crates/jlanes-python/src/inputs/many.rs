//! Arguments with many messages, and with one key or many.

use std::{array, borrow::Cow, collections::TryReserveError};

use pyo3::{
    exceptions::{PyBufferError, PyMemoryError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyList, PyMemoryView, PyTuple},
};

use super::{
    buffer_of, check_one,
    format::{self, Items},
    is_column, is_numpy, is_plain, one_buffer, refuse,
};
use crate::buffer::{self, HeldBuffer};

/// Many messages in memory.
#[derive(Clone, Copy)]
pub(crate) enum Many<'a> {
    Slices(&'a [&'a [u8]]),
    /// Records of `width` bytes, at least 1.
    Records {
        bytes: &'a [u8],
        width: usize,
    },
}

/// The shape of results.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    List,
    /// A memoryview with a row for each message.
    View,
    /// A numpy array with a row for each message.
    Numpy,
}

impl<'a> Many<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Slices(slices) => slices.len(),
            Self::Records { bytes, width } => bytes.len() / width,
        }
    }

    /// One slice for each message.
    pub(crate) fn slices(&self) -> PyResult<Cow<'a, [&'a [u8]]>> {
        match self {
            Self::Slices(slices) => Ok(Cow::Borrowed(slices)),
            Self::Records { .. } => gathered(self.len(), |i| self.get(i)).map(Cow::Owned),
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

impl Keys<'_> {
    /// The keys of `count` messages from message `first` on.
    pub(crate) fn part(self, first: usize, count: usize, uneven: &'static str) -> PyResult<Self> {
        let Self::Each(keys) = self else { return Ok(self) };
        let part = keys.get(first..).and_then(|keys| keys.get(..count));
        part.map(Self::Each).ok_or_else(|| PyValueError::new_err(uneven))
    }

    /// Checks that there is one key for all messages, or one for each.
    pub(crate) fn check(self, count: usize, uneven: &'static str) -> PyResult<()> {
        match self {
            Self::Each(keys) if keys.len() != count => Err(PyValueError::new_err(uneven)),
            _ => Ok(()),
        }
    }
}

fn no_memory(_: TryReserveError) -> PyErr {
    PyMemoryError::new_err("no memory for the list of messages")
}

/// `count` slices. Rows may be many in little memory: empty ones, and pages that nobody has written to.
pub(crate) fn gathered<'a>(
    count: usize,
    get: impl Fn(usize) -> &'a [u8],
) -> PyResult<Vec<&'a [u8]>> {
    let mut slices = Vec::new();
    slices.try_reserve_exact(count).map_err(no_memory)?;
    slices.extend((0..count).map(get));
    Ok(slices)
}

/// The maximum length of a list that is read without allocation.
const MAX_SHORT_MESSAGES: usize = 8;

/// The items of a list, if it has at most `MAX_SHORT_MESSAGES` and all are bytes objects.
fn short_list<'py>(
    list: &Bound<'py, PyList>,
) -> Option<[Option<Bound<'py, PyBytes>>; MAX_SHORT_MESSAGES]> {
    let count = list.len();
    if count > MAX_SHORT_MESSAGES {
        return None;
    }
    let mut items = [const { None }; MAX_SHORT_MESSAGES];
    for (i, place) in items.iter_mut().enumerate().take(count) {
        *place = Some(list.get_item(i).ok()?.cast_into_exact().ok()?);
    }
    Some(items)
}

/// Receiver of the messages of a call.
type Taker<'f> = dyn FnMut(Many<'_>, Shape) -> PyResult<()> + 'f;

/// Calls `f` with the bytes of all items of a list, a tuple or another iterable, in blocks of `most`
/// items. A list is read block by block, so another thread may change it, as during a Python loop.
fn with_items(
    items: &Bound<'_, PyAny>,
    most: usize,
    shape: Shape,
    f: &mut Taker<'_>,
) -> PyResult<()> {
    let list = items.cast::<PyList>().ok();
    if let Some(list) = list
        && let Some(items) = short_list(list)
    {
        let count = items.iter().flatten().count();
        let slices: [&[u8]; MAX_SHORT_MESSAGES] =
            array::from_fn(|i| items[i].as_ref().map_or(&[][..], |b| b.as_bytes()));
        return f(Many::Slices(&slices[..count]), shape);
    }
    let tuple = match (items.cast::<PyTuple>(), list) {
        (Ok(tuple), _) => tuple.clone(),
        // one copy; `get_slice` would make a second one
        (_, Some(list)) if list.len() < most => return with_block(&list.to_tuple(), 0, shape, f),
        (_, Some(_)) => PyTuple::empty(items.py()),
        _ => items.py().get_type::<PyTuple>().call1((items,))?.cast_into()?,
    };
    let mut first = 0_usize;
    loop {
        let end = first.saturating_add(most);
        let block = match list {
            // a tuple keeps its items alive while another thread changes the list
            Some(list) => list.get_slice(first, end).to_tuple(),
            None => tuple.get_slice(first, end),
        };
        if first > 0 && block.is_empty() {
            return Ok(());
        }
        with_block(&block, first, shape, f)?;
        if block.len() < most {
            return Ok(());
        }
        first = end;
    }
}

/// Calls `f` with the bytes of a block's items. `first` is the index of the first item.
fn with_block(
    block: &Bound<'_, PyTuple>,
    first: usize,
    shape: Shape,
    f: &mut Taker<'_>,
) -> PyResult<()> {
    let mut slices = Vec::new();
    slices.try_reserve_exact(block.len()).map_err(no_memory)?;
    slices.extend(block.iter_borrowed().map_while(buffer::of_bytes));
    if slices.len() == block.len() {
        return f(Many::Slices(&slices), shape);
    }
    slices.clear();
    let mut buffers = Vec::new();
    for (i, item) in block.iter_borrowed().enumerate() {
        if buffer::of_bytes(item).is_none() {
            let one = one_buffer(&item);
            buffers.push(one.map_err(|error| with_index(block.py(), first + i, error))?);
        }
    }
    let mut buffers = buffers.iter();
    for item in block.iter_borrowed() {
        let next = || buffers.next().map_or(&[][..], HeldBuffer::bytes);
        slices.push(buffer::of_bytes(item).unwrap_or_else(next));
    }
    f(Many::Slices(&slices), shape)
}

/// Adds the index of the message to its error.
fn with_index(py: Python<'_>, i: usize, error: PyErr) -> PyErr {
    let kind = error.get_type(py);
    if kind.is(py.get_type::<PyTypeError>()) || kind.is(py.get_type::<PyBufferError>()) {
        return PyErr::from_type(kind, format!("message {i}: {}", error.value(py)));
    }
    error
}

/// The contents of a buffer, for a function of many messages.
enum Held {
    /// One message.
    One,
    Records(usize, usize),
    Strings(usize, usize),
    Objects,
}

fn held(object: &Bound<'_, PyAny>, buffer: &HeldBuffer) -> PyResult<Held> {
    let size = buffer.item_size();
    let items = format::items(buffer.format(), size);
    if let Items::Other(reason) = items {
        return refuse(reason);
    }
    Ok(match (items, buffer.shape()) {
        (Items::Values, []) => Held::One,
        (Items::Values, [_]) if size == 1 => Held::One,
        (Items::Values, [rows]) => Held::Records(*rows, size),
        (Items::Values, [rows, columns]) => Held::Records(*rows, columns * size),
        (Items::Strings, [rows]) => Held::Strings(*rows, size),
        (Items::Objects, [_]) if !object.is_instance_of::<PyMemoryView>() => Held::Objects,
        (Items::Strings | Items::Objects, _) => {
            return refuse("an array of strings or objects must have one dimension: use x.ravel()");
        }
        _ => return refuse("an array of messages has at most two dimensions: reshape it to rows"),
    })
}

/// Calls `f` with many messages and the shape of the results: a list for a list, a matrix for an array.
pub(crate) fn with_many<R>(
    object: &Bound<'_, PyAny>,
    f: impl FnOnce(Many<'_>, Shape) -> PyResult<R>,
) -> PyResult<R> {
    let (mut f, mut result) = (Some(f), None);
    in_blocks(object, usize::MAX, &mut |many, shape| {
        result = f.take().map(|f| f(many, shape)).transpose()?;
        Ok(())
    })?;
    Ok(result.unwrap_or_else(|| unreachable!("all messages are one block")))
}

/// [`with_many`] with a call of `f` for each block of `most` items of a list. It is compiled only once.
pub(crate) fn in_blocks(object: &Bound<'_, PyAny>, most: usize, f: &mut Taker<'_>) -> PyResult<()> {
    let buffer = match object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        true => None,
        false if object.is_instance_of::<PyBytes>() => return refuse(ONE),
        false => buffer_of(object)?,
    };
    let Some(buffer) = buffer else {
        if is_column(object)? {
            return refuse("a column is used with other columns only: for a list pass its values");
        }
        return with_items(object, most, Shape::List, f);
    };
    let shape = if is_numpy(object)? { Shape::Numpy } else { Shape::View };
    match held(object, &buffer)? {
        Held::One => refuse(ONE),
        Held::Objects => with_items(object, usize::MAX, shape, f),
        // a subclass such as chararray has a rule of its own for the end of a string
        Held::Strings(..) if shape == Shape::Numpy && !is_plain(object)? => {
            with_items(object, usize::MAX, shape, f)
        }
        Held::Strings(count, width) => with_rows(object, &buffer, |bytes| {
            let row = |i: usize| trimmed(&bytes[i * width..][..width]);
            f(Many::Slices(&gathered(count, row)?), shape)
        }),
        Held::Records(count, 0) => f(Many::Slices(&gathered(count, |_| &[])?), shape),
        Held::Records(_, width) => {
            with_rows(object, &buffer, |bytes| f(Many::Records { bytes, width }, shape))
        }
    }
}

const ONE: &str =
    "a list of messages is required, not one message: write [x], or use one dimension more";

/// A numpy string without the zeros that pad it.
fn trimmed(string: &[u8]) -> &[u8] {
    let end = string.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &string[..end]
}

/// Calls `f` with the bytes of all items in order, copied if they are not contiguous.
fn with_rows(
    object: &Bound<'_, PyAny>,
    buffer: &HeldBuffer,
    f: impl FnOnce(&[u8]) -> PyResult<()>,
) -> PyResult<()> {
    if buffer.is_contiguous() {
        return f(buffer.bytes());
    }
    let copy = PyMemoryView::from(object)?.call_method0("tobytes")?;
    f(copy.cast::<PyBytes>()?.as_bytes())
}

/// Calls `f` with one key or with a list of keys. Any bytes-like object is one key.
pub(crate) fn with_keys<R>(
    object: &Bound<'_, PyAny>,
    f: impl FnOnce(Keys<'_>) -> PyResult<R>,
) -> PyResult<R> {
    if let Some(one) = one_key(object)? {
        return f(Keys::One(&one));
    }
    with_many(object, |keys, _| f(Keys::Each(&keys.slices()?)))
}

/// The key, if the object is one key and not a list or a column.
pub(crate) fn one_key(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if let Some(bytes) = buffer::of_bytes(object.as_borrowed()) {
        return buffer::copied(bytes).map(Some);
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        return Ok(None);
    }
    let Some(buffer) = buffer_of(object)? else { return Ok(None) };
    match held(object, &buffer)? {
        Held::One => {}
        Held::Records(..) if buffer.shape().len() == 1 => {
            return refuse("one key or many? bytes(x) is one, a list of bytes is many");
        }
        _ => return Ok(None),
    }
    check_one(&buffer)?;
    buffer::copied(buffer.bytes()).map(Some)
}
