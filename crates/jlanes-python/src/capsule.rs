//! Arrow's PyCapsule protocol: import of other packages' columns, and export of results.
//!
//! This module has all unsafe code for capsules.

use std::{
    ffi::CStr,
    mem,
    sync::{Mutex, PoisonError},
};

use jlanes_columns::{
    Array, DataType, Error,
    ffi::{ArrowArray, ArrowArrayStream, ArrowSchema, Imported, Stream},
};
use pyo3::{
    exceptions::{PyMemoryError, PyNotImplementedError, PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::{PyCapsule, PyString, PyTuple},
};

use crate::inputs;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The Python exception for an error of columns.
pub(crate) fn to_py_err(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Type(_) | Error::Format(_) | Error::Extension(_) | Error::Void => {
            PyTypeError::new_err(text)
        }
        Error::TooLarge => PyMemoryError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// Moves a structure out of its capsule, and leaves a released one there.
macro_rules! take {
    ($capsule:expr, $type:ty, $name:expr) => {{
        let capsule: &Bound<'_, PyCapsule> = $capsule;
        let mut at = capsule.pointer_checked(Some($name))?.cast::<$type>();
        // SAFETY: by the protocol, a capsule of this name points to such a structure while the capsule
        // lives, and its consumer may move the structure out. `capsule` is borrowed. No other thread
        // has the structure: the producer made the capsule for this call.
        let structure = unsafe { at.as_mut() };
        structure.take()
    }};
}

/// Calls an exporting method. Packages refuse types that Arrow lacks with messages that suggest
/// nothing, so this adds a suggestion.
fn exported<'py>(
    object: &Bound<'py, PyAny>,
    method: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    object.call_method0(method).map_err(|error| {
        let refuses = error.is_instance_of::<PyTypeError>(py)
            || error.is_instance_of::<PyValueError>(py)
            || error.is_instance_of::<PyNotImplementedError>(py);
        if !refuses {
            return error;
        }
        let text = error.value(py);
        let wrong = PyTypeError::new_err(format!(
            "the column cannot be exported to Arrow ({text}): cast it to text or bytes"
        ));
        wrong.set_cause(py, Some(error));
        wrong
    })
}

/// An iterator over the chunks of a column or a table.
pub(crate) enum Chunks {
    One(Option<Imported>),
    Stream(Stream),
}

impl Chunks {
    /// The chunks of `object`, and whether it is a SQL result.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<(Self, bool)> {
        let (py, is_relation) = (object.py(), inputs::is_relation(object)?);
        let name = intern!(py, "__arrow_c_array__");
        if object.hasattr(name)? {
            let pair = exported(object, name)?;
            let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = pair.extract()?;
            let schema = take!(&schema, ArrowSchema, SCHEMA);
            let array = take!(&array, ArrowArray, ARRAY);
            // SAFETY: by the protocol, the two are complete and belong together, and nobody writes to
            // their buffers before they are released.
            let imported = unsafe { Imported::new(array, &schema) }.map_err(to_py_err)?;
            inputs::check_type(object, imported.data_type())?;
            return Ok((Self::One(Some(imported)), is_relation));
        }
        let name = intern!(py, "__arrow_c_stream__");
        if object.hasattr(name)? {
            let capsule = exported(object, name)?;
            let stream = take!(capsule.cast()?, ArrowArrayStream, STREAM);
            // SAFETY: by the protocol, the stream and its arrays are complete, and nobody writes to
            // buffers before their array is released.
            let stream = unsafe { Stream::new(stream) }.map_err(to_py_err)?;
            inputs::check_type(object, stream.data_type())?;
            return Ok((Self::Stream(stream), is_relation));
        }
        let kind = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "an Arrow column is required (an object with __arrow_c_array__ or __arrow_c_stream__), \
             not {kind}"
        )))
    }
}

impl Iterator for Chunks {
    type Item = Result<Imported, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::One(one) => one.take().map(Ok),
            Self::Stream(stream) => stream.next(),
        }
    }
}

/// A column of results. Every Arrow library can import it by the PyCapsule protocol.
#[pyclass(frozen, module = "jlanes.column")]
pub(crate) struct ArrowColumn {
    data_type: DataType,
    /// Locked for no call of Python: a finalizer, or another thread meanwhile, may use the column.
    chunks: Mutex<Vec<Array>>,
    len: usize,
}

impl ArrowColumn {
    pub(crate) fn new(data_type: DataType, chunks: Vec<Array>) -> Self {
        let len = chunks.iter().map(Array::len).sum();
        Self { data_type, chunks: Mutex::new(chunks), len }
    }

    /// The same column; if it is empty, one of type `data_type`.
    pub(crate) fn or_empty(self, data_type: DataType) -> Self {
        if self.len > 0 { self } else { Self { data_type, ..self } }
    }

    fn stream<'py>(&self, py: Python<'py>, chunks: Vec<Array>) -> PyResult<Bound<'py, PyCapsule>> {
        let data_type = self.data_type.clone();
        let arrays = chunks.into_iter().map(|array| Ok(ArrowArray::from(array)));
        let stream = ArrowArrayStream::of(move || ArrowSchema::of(&data_type, ""), arrays);
        PyCapsule::new_with_value(py, stream, STREAM)
    }
}

#[pymethods]
impl ArrowColumn {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, ArrowSchema::of(&self.data_type, ""), SCHEMA)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // the protocol does not oblige to follow it
        let array = match &**self.chunks.lock().unwrap_or_else(PoisonError::into_inner) {
            [array] => array.clone(),
            _ => {
                return Err(PyValueError::new_err("the column has several chunks: use its stream"));
            }
        };
        capsules(py, &self.data_type, array)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.stream(py, chunks)
    }

    /// The array for a single reader, moved out of the column; `None` unless there is exactly one
    /// chunk.
    fn _array(&self) -> Option<Once> {
        let mut chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        let array = if chunks.len() == 1 { chunks.pop() } else { None };
        array
            .map(|array| Once { data_type: self.data_type.clone(), array: Mutex::new(Some(array)) })
    }

    /// The stream for a single reader. It moves the chunks out, and leaves the column empty.
    fn _stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let chunks = mem::take(&mut *self.chunks.lock().unwrap_or_else(PoisonError::into_inner));
        self.stream(py, chunks)
    }

    fn __len__(&self) -> usize {
        self.len
    }
}

/// The two capsules of an array, first its type.
fn capsules<'py>(
    py: Python<'py>,
    data_type: &DataType,
    array: Array,
) -> PyResult<Bound<'py, PyTuple>> {
    let schema = PyCapsule::new_with_value(py, ArrowSchema::of(data_type, ""), SCHEMA)?;
    let array = PyCapsule::new_with_value(py, ArrowArray::from(array), ARRAY)?;
    PyTuple::new(py, [schema, array])
}

/// An array for a single reader, exported without a copy.
#[pyclass(frozen, module = "jlanes.column")]
pub(crate) struct Once {
    data_type: DataType,
    array: Mutex<Option<Array>>,
}

#[pymethods]
impl Once {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // the protocol does not oblige to follow it
        let array = self.array.lock().unwrap_or_else(PoisonError::into_inner).take();
        let array = array.ok_or_else(|| PyValueError::new_err("the array was read before"))?;
        capsules(py, &self.data_type, array)
    }
}
