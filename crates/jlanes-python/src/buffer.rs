//! Bytes that Python objects lend.
//!
//! All unsafe code of this package that has to do with buffers is in here. What is lent is decided by
//! `gate`.

use std::slice;

use pyo3::{
    buffer::PyUntypedBuffer,
    exceptions::{PyBufferError, PyMemoryError},
    prelude::*,
    types::PyMemoryView,
};

/// The buffer of an object. The object cannot resize or free it meanwhile.
pub(crate) enum Lent {
    Buffer(PyUntypedBuffer),
    /// A copy, of an object without dimensions.
    Scalar {
        bytes: Vec<u8>,
        format: String,
    },
}

impl Lent {
    pub(crate) fn get(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        match PyUntypedBuffer::get(object) {
            Ok(buffer) => Ok(Self::Buffer(buffer)),
            Err(error) if error.is_instance_of::<PyBufferError>(object.py()) => {
                // a memoryview has the shape and the strides that ctypes leaves out, which PyO3 wants
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

    /// Its bytes; none, unless they lie in one piece.
    ///
    /// As with `hashlib`, whoever writes to them on another thread meanwhile gets a digest of
    /// neither state; this is documented.
    pub(crate) fn bytes(&self) -> &[u8] {
        let buffer = match self {
            Self::Buffer(buffer) => buffer,
            Self::Scalar { bytes, .. } => return bytes,
        };
        let (start, len) = (buffer.buf_ptr().cast::<u8>(), buffer.len_bytes());
        if start.is_null() || len == 0 || !buffer.is_c_contiguous() {
            return &[];
        }
        // SAFETY: the buffer is C-contiguous, so that `len` bytes from `start` on are its items. The
        // exporter keeps them in place until the buffer is released, which happens when `self`, which
        // the slice borrows, is dropped. Any byte is a valid u8.
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

/// Room for results: there may be no memory for what a caller asks for, which is an exception then
/// and not the end of the process.
pub(crate) fn zeros(len: usize) -> PyResult<Vec<u8>> {
    if len < 1 << 16 {
        return Ok(vec![0; len]);
    }
    let mut probe = Vec::<u8>::new();
    let room = probe.try_reserve_exact(len);
    std::hint::black_box(&mut probe); // or it is optimised away
    drop(probe);
    room.map_err(|_| PyMemoryError::new_err(format!("no memory for {len} bytes of results")))?;
    Ok(vec![0; len]) // pages that are zero already, which `resize` would write to
}
