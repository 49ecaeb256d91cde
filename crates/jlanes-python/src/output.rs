//! Results as Python objects. If there is no memory for one, the error is a MemoryError and not a
//! panic.

use pyo3::{
    IntoPyObjectExt, intern,
    prelude::*,
    types::{PyByteArray, PyList, PyMemoryView, PyString},
};

use crate::{
    buffer,
    inputs::{self, Shape},
};

/// The form of a digest.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Bytes,
    Hex,
}

/// The maximum length of a digest that is converted to a string without allocation.
const MAX_SHORT_BYTES: usize = 64;

/// The hexadecimal digits of the `len` bytes that `fill` writes.
pub(crate) fn hex_of<'py>(
    py: Python<'py>,
    len: usize,
    fill: impl FnOnce(&mut [u8]) -> PyResult<()>,
) -> PyResult<Bound<'py, PyString>> {
    let finish = |out: &mut [u8]| {
        fill(out)?;
        hex(py, out)
    };
    match [0; MAX_SHORT_BYTES].get_mut(..len) {
        Some(out) => finish(out),
        None => finish(&mut buffer::zeros(len)?),
    }
}

/// The bytes as a string of lower-case hexadecimal digits.
pub(crate) fn hex<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    // by arithmetic, because vectors cannot look digits up in a table
    let digit = |half: u8| half + b'0' + u8::from(half > 9) * (b'a' - b'9' - 1);
    let write = |digits: &mut [u8]| {
        for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(bytes) {
            *pair = [digit(byte >> 4), digit(byte & 15)];
        }
        PyString::from_bytes(py, digits)
    };
    match [0; 2 * MAX_SHORT_BYTES].get_mut(..2 * bytes.len()) {
        Some(digits) => write(digits),
        None => write(&mut buffer::zeros(2 * bytes.len())?),
    }
}

/// A digest before its conversion to an object.
struct Digest<'a>(&'a [u8], Form);

impl<'py> IntoPyObject<'py> for Digest<'_> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.1 {
            Form::Bytes => buffer::bytes(py, self.0)?.into_bound_py_any(py),
            Form::Hex => hex(py, self.0)?.into_bound_py_any(py),
        }
    }
}

/// Digests as a new list, or appended to `list`.
pub(crate) fn list<'py>(
    py: Python<'py>,
    list: Option<Bound<'py, PyList>>,
    out: &[u8],
    (count, width): (usize, usize),
    form: Form,
) -> PyResult<Bound<'py, PyList>> {
    let digests = (0..count).map(|i| Digest(&out[i * width..][..width], form));
    let Some(list) = list else { return PyList::new(py, digests) };
    for digest in digests {
        list.append(digest)?;
    }
    Ok(list)
}

/// Digests as a matrix of bytes.
pub(crate) fn matrix<'py>(
    shape: Shape,
    out: Bound<'py, PyByteArray>,
    (count, width): (usize, usize),
) -> PyResult<Bound<'py, PyAny>> {
    let py = out.py();
    if shape == Shape::Numpy
        && let Some(array) = inputs::array_class(py)?
    {
        return array.call1(((count, width), intern!(py, "uint8"), out));
    }
    let view = PyMemoryView::from(out.as_any())?;
    if count == 0 || width == 0 {
        return Ok(view.into_any()); // a memoryview cannot have empty rows
    }
    view.call_method1(intern!(py, "cast"), (intern!(py, "B"), (count, width)))
}
