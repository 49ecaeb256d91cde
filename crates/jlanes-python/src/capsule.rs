//! Arrow's PyCapsule interface: arrays that other packages hand over, and results for them.
//!
//! All unsafe code of this package that has to do with capsules is in here.

use std::{
    ffi::CStr,
    sync::{Mutex, PoisonError},
};

use jlanes_columns::{
    Array, DataType, Error,
    ffi::{ArrowArray, ArrowArrayStream, ArrowSchema, Imported, Stream},
};
use pyo3::{
    exceptions::{PyMemoryError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyCapsule, PyTuple},
};

use crate::gate;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// Rust's error as Python's.
pub(crate) fn wrong(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Type(_) | Error::Format(_) => PyTypeError::new_err(text),
        Error::TooLarge => PyMemoryError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// Moves a structure out of its capsule, and leaves one that was released.
macro_rules! take {
    ($capsule:expr, $type:ty, $name:expr) => {{
        let capsule: &Bound<'_, PyCapsule> = $capsule;
        let mut at = capsule.pointer_checked(Some($name))?.cast::<$type>();
        // SAFETY: by the protocol, a capsule of this name leads to such a structure as long as the
        // capsule lives, and the one who is handed it may move the structure out. `capsule` is
        // borrowed, and nobody else runs while the interpreter is attached here.
        let structure = unsafe { at.as_mut() };
        structure.take()
    }};
}

/// The chunks of a column or a table, one after the other.
pub(crate) enum Chunks {
    One(Option<Imported>),
    Stream(Stream),
}

impl Chunks {
    /// What `object` hands over by the PyCapsule protocol.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        gate::check_column(object)?;
        if object.hasattr("__arrow_c_array__")? {
            let pair = object.call_method0("__arrow_c_array__")?;
            let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = pair.extract()?;
            let schema = take!(&schema, ArrowSchema, SCHEMA);
            let array = take!(&array, ArrowArray, ARRAY);
            // SAFETY: by the protocol, the two are whole and belong together, and their buffers
            // are not written to while they are not released.
            let imported = unsafe { Imported::new(array, &schema) };
            return Ok(Self::One(Some(imported.map_err(wrong)?)));
        }
        if object.hasattr("__arrow_c_stream__")? {
            let capsule = object.call_method0("__arrow_c_stream__")?;
            let stream = take!(capsule.cast()?, ArrowArrayStream, STREAM);
            // SAFETY: by the protocol, the stream and what it gives are whole, and buffers are not
            // written to while their array is not released.
            let stream = unsafe { Stream::new(stream) };
            return Ok(Self::Stream(stream.map_err(wrong)?));
        }
        let kind = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "an Arrow array, or an object that hands one over (__arrow_c_array__ or \
             __arrow_c_stream__), is required, not {kind}"
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

/// A column that was computed here. It hands itself over by the PyCapsule protocol, so that any
/// Arrow library can take it.
#[pyclass(frozen, module = "jlanes.column")]
pub(crate) struct ArrowColumn {
    data_type: DataType,
    chunks: Mutex<Vec<Array>>,
    len: usize,
}

impl ArrowColumn {
    pub(crate) fn new(data_type: DataType, chunks: Vec<Array>) -> Self {
        let len = chunks.iter().map(Array::len).sum();
        Self { data_type, chunks: Mutex::new(chunks), len }
    }

    /// The same, of another type if it has no chunks that have one.
    pub(crate) fn or_empty(self, data_type: DataType) -> Self {
        if self.len > 0 { self } else { Self { data_type, ..self } }
    }

    fn schema(&self) -> ArrowSchema {
        ArrowSchema::of(&self.data_type, "")
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
        PyCapsule::new_with_value(py, self.schema(), SCHEMA)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // a wish that need not be granted
        let chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        let [array] = &**chunks else {
            return Err(PyValueError::new_err("the column has several chunks: take its stream"));
        };
        let array = ArrowArray::from(array.clone());
        let array = PyCapsule::new_with_value(py, array, ARRAY)?;
        PyTuple::new(py, [self.__arrow_c_schema__(py)?, array])
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

    /// The stream for a reader that is the only one: nothing is copied, and nothing left.
    fn _stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let mut chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        let chunks = std::mem::take(&mut *chunks);
        self.stream(py, chunks)
    }

    fn __len__(&self) -> usize {
        self.len
    }
}
