//! Bytes that Python objects lend: one object's, or those of a whole list.
//!
//! All unsafe code of this package that has to do with buffers is in here.

use std::slice;

use pyo3::{
    buffer::PyUntypedBuffer,
    exceptions::{PyBufferError, PyMemoryError, PyTypeError},
    prelude::*,
    types::{PyByteArray, PyBytes, PyList, PyMemoryView, PyString, PyTuple},
};

/// The buffer of an object that is not `bytes`. The object cannot resize or free it meanwhile.
pub(crate) struct Lent(PyUntypedBuffer);

impl Lent {
    /// Borrows the buffer of `object`, which has to lie in one piece.
    pub(crate) fn get(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("Strings must be encoded before hashing"));
        }
        let buffer = PyUntypedBuffer::get(object)?;
        if !buffer.is_c_contiguous() {
            return Err(PyBufferError::new_err("the buffer is not C-contiguous"));
        }
        Ok(Self(buffer))
    }

    /// Its bytes.
    ///
    /// As with `hashlib`, whoever writes to them on another thread meanwhile gets a digest of
    /// neither state; this is documented.
    pub(crate) fn bytes(&self) -> &[u8] {
        let (start, len) = (self.0.buf_ptr().cast::<u8>(), self.0.len_bytes());
        if start.is_null() || len == 0 {
            return &[];
        }
        // SAFETY: `get` has seen that the buffer is C-contiguous, so that `len` bytes from `start`
        // on are its items. The exporter keeps them in place until the buffer is released, which
        // happens when `self`, which the slice borrows, is dropped. Any byte is a valid u8.
        unsafe { slice::from_raw_parts(start, len) }
    }

    /// Number and width of the records: rows of a matrix, or items of more than a byte.
    pub(crate) fn records(&self) -> Option<(usize, usize)> {
        match *self.0.shape() {
            [rows, columns] => Some((rows, columns * self.0.item_size())),
            [rows] if self.0.item_size() > 1 => Some((rows, self.0.item_size())),
            _ => None,
        }
    }
}

/// Calls `f` with the bytes of one bytes-like object.
pub(crate) fn with_bytes<R>(object: &Bound<'_, PyAny>, f: impl FnOnce(&[u8]) -> R) -> PyResult<R> {
    match object.cast::<PyBytes>() {
        Ok(bytes) => Ok(f(bytes.as_bytes())),
        Err(_) => Ok(f(Lent::get(object)?.bytes())),
    }
}

/// Calls `f` with the bytes of every item of a list, a tuple or anything else that can be iterated.
pub(crate) fn with_list<R>(
    list: &Bound<'_, PyAny>,
    f: impl FnOnce(&[&[u8]]) -> PyResult<R>,
) -> PyResult<R> {
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
            lent.push(Lent::get(&item)?);
        }
    }
    let mut lent = lent.iter();
    let mut slices = Vec::with_capacity(items.len());
    for i in 0..items.len() {
        slices.push(match items.get_borrowed_item(i)?.extract() {
            Ok(bytes) => bytes,
            Err(_) => lent.next().map_or(&[][..], Lent::bytes),
        });
    }
    f(&slices)
}

/// Whether an object is one message, and not a list or an array of them.
pub(crate) fn is_one(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyByteArray>()
        || object
            .cast::<PyMemoryView>()
            .is_ok_and(|view| Lent::get(view).is_ok_and(|lent| lent.records().is_none()))
}

/// Room for results: there may be no memory for what a caller asks for, which is an exception then
/// and not the end of the process.
pub(crate) fn zeros(len: usize) -> PyResult<Vec<u8>> {
    let mut probe = Vec::<u8>::new();
    let room = probe.try_reserve_exact(len);
    std::hint::black_box(&mut probe); // or it is optimised away
    drop(probe);
    room.map_err(|_| PyMemoryError::new_err(format!("no memory for {len} bytes of results")))?;
    Ok(vec![0; len]) // pages that are zero already, which `resize` would write to
}
