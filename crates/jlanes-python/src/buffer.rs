//! The memory of Python's objects as slices: [`HeldBuffer`] by the buffer protocol, [`bytes`] and [`of_bytes`] of
//! bytes objects, and room for results, which may be more than there is.
//!
//! Messages are hashed where they are, which takes pointers, so all unsafe code for buffers is here. A slice lives
//! no longer than the object that holds the buffer. `inputs` decides which buffers are messages.

use std::{ptr, slice};

use pyo3::{
    buffer::PyUntypedBuffer,
    exceptions::{PyBufferError, PyMemoryError},
    ffi,
    prelude::*,
    types::{PyBytes, PyMemoryView},
};

/// The buffer of an object. Until it is dropped, the object cannot resize or free it.
pub(crate) enum HeldBuffer {
    Buffer(PyUntypedBuffer),
    /// A copy of the value of an object without dimensions.
    Scalar {
        bytes: Vec<u8>,
        format: String,
    },
}

impl HeldBuffer {
    pub(crate) fn get(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        match PyUntypedBuffer::get(object) {
            Ok(buffer) => Ok(Self::Buffer(buffer)),
            Err(error) if error.is_instance_of::<PyBufferError>(object.py()) => {
                // ctypes leaves out the shape and the strides, which PyO3 requires: a memoryview adds them
                let view = PyMemoryView::from(object)?;
                if view.getattr("ndim")?.extract::<usize>()? > 0 {
                    return PyUntypedBuffer::get(&view).map(Self::Buffer);
                }
                let bytes = view.call_method0("tobytes")?.extract()?;
                Ok(Self::Scalar { bytes, format: view.getattr("format")?.extract()? })
            }
            Err(error) => Err(error),
        }
    }

    /// The bytes of the buffer; empty if they are not contiguous.
    ///
    /// If another thread writes to them during a call, the digest is undefined, as with hashlib. The README
    /// says so.
    pub(crate) fn bytes(&self) -> &[u8] {
        let buffer = match self {
            Self::Buffer(buffer) => buffer,
            Self::Scalar { bytes, .. } => return bytes,
        };
        let (start, len) = (buffer.buf_ptr().cast::<u8>(), buffer.len_bytes());
        if start.is_null() || len == 0 || !buffer.is_c_contiguous() {
            return &[];
        }
        // SAFETY: the buffer is C-contiguous, so its items are the `len` bytes at `start`. The exporter
        // keeps them in place until the buffer is released. That is when `self` is dropped, and the slice
        // borrows `self`. Any byte is a valid u8.
        unsafe { slice::from_raw_parts(start, len) }
    }

    pub(crate) fn is_contiguous(&self) -> bool {
        match self {
            Self::Buffer(buffer) => buffer.is_c_contiguous(),
            Self::Scalar { .. } => true,
        }
    }

    /// The format of an item, by PEP 3118.
    pub(crate) fn format(&self) -> &[u8] {
        match self {
            Self::Buffer(buffer) => buffer.format().to_bytes(),
            Self::Scalar { format, .. } => format.as_bytes(),
        }
    }

    pub(crate) fn item_size(&self) -> usize {
        match self {
            Self::Buffer(buffer) => buffer.item_size(),
            Self::Scalar { bytes, .. } => bytes.len(),
        }
    }

    pub(crate) fn shape(&self) -> &[usize] {
        match self {
            Self::Buffer(buffer) => buffer.shape(),
            Self::Scalar { .. } => &[],
        }
    }
}

/// A bytes object. `PyBytes::new` panics if there is no memory, and `PyBytes::new_with` writes twice.
pub(crate) fn bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    // a slice has at most `isize::MAX` bytes
    let (start, len) = (bytes.as_ptr().cast(), bytes.len() as ffi::Py_ssize_t);
    // SAFETY: `start` points to `len` bytes, which are copied.
    let object = unsafe { ffi::PyBytes_FromStringAndSize(start, len) };
    // SAFETY: the result is a new reference, or null with an exception set.
    let object = unsafe { Bound::from_owned_ptr_or_err(py, object) }?;
    // SAFETY: the function makes bytes objects only.
    Ok(unsafe { object.cast_into_unchecked() })
}

/// The contents of a bytes object, unless it is of a subclass. `extract` would need three calls of
/// Python.
pub(crate) fn of_bytes<'a>(object: Borrowed<'a, '_, PyAny>) -> Option<&'a [u8]> {
    if !object.is_exact_instance_of::<PyBytes>() {
        return None;
    }
    let (mut start, mut len) = (ptr::null_mut(), 0);
    // SAFETY: the object is alive, and both places can be written to.
    let failed =
        unsafe { ffi::PyBytes_AsStringAndSize(object.as_ptr(), &raw mut start, &raw mut len) };
    if failed != 0 {
        return None;
    }
    // SAFETY: these are the bytes of the object. It never changes, and lives for `'a`.
    Some(unsafe { slice::from_raw_parts(start.cast(), len as usize) })
}

/// `len` zero bytes for results. If there is no memory, this is a MemoryError and does not end the
/// process.
pub(crate) fn zeros(len: usize) -> PyResult<Vec<u8>> {
    check_memory(len)?;
    Ok(vec![0; len]) // the system's zero pages; `resize` would write to each
}

/// A copy of bytes.
pub(crate) fn copied(bytes: &[u8]) -> PyResult<Vec<u8>> {
    check_memory(bytes.len())?;
    Ok(bytes.to_vec())
}

/// A MemoryError if there is no memory for `len` bytes.
pub(crate) fn check_memory(len: usize) -> PyResult<()> {
    if len < 1 << 16 {
        return Ok(());
    }
    let mut probe = Vec::<u8>::new();
    let room = probe.try_reserve_exact(len);
    std::hint::black_box(&mut probe); // otherwise the allocation is optimized away
    drop(probe);
    room.map_err(|_| PyMemoryError::new_err(format!("no memory for {len} bytes")))
}
