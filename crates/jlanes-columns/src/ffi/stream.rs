//! Imports and exports streams of arrays. C has no panics, so they become codes with a message.

use core::{
    ffi::{CStr, c_char, c_int},
    ptr,
};
use std::{
    ffi::CString,
    panic::{AssertUnwindSafe, catch_unwind},
};

use super::{
    ArrowArray, ArrowArrayStream, ArrowSchema, import::Imported, memory::Memory, schema::type_of,
};
use crate::{DataType, Error};

/// The error code for a failed producer, `EIO`.
const EIO: c_int = 5;

/// The arrays of another library's stream.
#[derive(Debug)]
pub struct Stream {
    stream: ArrowArrayStream,
    data_type: DataType,
}

impl Stream {
    /// Takes ownership of a stream, and reads its type.
    ///
    /// # Errors
    /// If it was released, its producer fails, or the type is not supported.
    ///
    /// # Safety
    /// The stream is valid, and its arrays satisfy [`Imported::new`].
    pub unsafe fn new(mut stream: ArrowArrayStream) -> Result<Self, Error> {
        let Some(get_schema) = stream.get_schema.filter(|_| !stream.is_released()) else {
            return Err(Error::Released);
        };
        let mut schema = ArrowSchema::empty();
        // SAFETY: the stream is not released, and the schema may be overwritten.
        match unsafe { get_schema(&mut stream, &mut schema) } {
            0 => {
                // SAFETY: the producer has filled the schema.
                let data_type = unsafe { type_of(&schema, &Memory::All) }?;
                Ok(Self { stream, data_type })
            }
            code => Err(last_error(&mut stream, code)),
        }
    }

    /// The type of the arrays.
    #[must_use]
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }
}

impl Iterator for Stream {
    type Item = Result<Imported, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let get_next = self.stream.get_next?;
        let mut array = ArrowArray::empty();
        // SAFETY: the stream is not released, and the array may be overwritten.
        match unsafe { get_next(&mut self.stream, &mut array) } {
            0 if array.is_released() => None,
            0 => {
                // SAFETY: the producer has filled the array, of the stream's type.
                Some(unsafe { Imported::of_type(array, self.data_type.clone(), Memory::All) })
            }
            code => {
                let error = last_error(&mut self.stream, code);
                self.stream.get_next = None; // it has failed and is not called again
                Some(Err(error))
            }
        }
    }
}

/// The producer's error message.
fn last_error(stream: &mut ArrowArrayStream, code: c_int) -> Error {
    let mut message = String::new();
    if let Some(get_last_error) = stream.get_last_error {
        // SAFETY: the stream is not released, and its last call failed.
        let text = unsafe { get_last_error(stream) };
        if !text.is_null() {
            // SAFETY: the text is NUL-terminated and valid until the stream's next call.
            message = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        }
    }
    Error::Stream(code, message)
}

/// Arrays that are computed on demand.
type Arrays = Box<dyn Iterator<Item = Result<ArrowArray, Error>> + Send>;

/// The state of an exported stream.
struct OwnedStream {
    schema: Box<dyn Fn() -> ArrowSchema + Send>,
    arrays: Arrays,
    /// The message of the last call that failed.
    message: CString,
}

impl ArrowArrayStream {
    /// Exports a stream of arrays that are computed on demand.
    #[must_use]
    pub fn of(
        schema: impl Fn() -> ArrowSchema + Send + 'static,
        arrays: impl Iterator<Item = Result<ArrowArray, Error>> + Send + 'static,
    ) -> Self {
        let owned = OwnedStream {
            schema: Box::new(schema),
            arrays: Box::new(arrays),
            message: CString::default(),
        };
        Self {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: Box::into_raw(Box::new(owned)).cast(),
        }
    }
}

/// Runs `job` with the state of a stream, and catches its panics.
///
/// # Safety
/// [`ArrowArrayStream::of`] created the stream, it is not released, and nobody else uses it; or the
/// pointer is null.
unsafe fn with_stream(
    stream: *mut ArrowArrayStream,
    job: impl FnOnce(&mut OwnedStream) -> Result<(), String>,
) -> c_int {
    // SAFETY: `stream` is null, or a stream that nobody else uses: this function's contract.
    let Some(stream) = (unsafe { stream.as_mut() }) else { return EIO };
    let owned = stream.private_data.cast::<OwnedStream>();
    // SAFETY: `private_data` is the box from `of`, which lives until the stream is released.
    let Some(owned) = (unsafe { owned.as_mut() }) else { return EIO };
    let result = catch_unwind(AssertUnwindSafe(|| job(owned)));
    match result.unwrap_or_else(|_| Err("a panic in jlanes".into())) {
        Ok(()) => 0,
        Err(message) => {
            owned.message = CString::new(message.replace('\0', "")).unwrap_or_default();
            EIO
        }
    }
}

/// # Safety
/// As [`with_stream`]; `out` has room for a schema.
unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    let job = |owned: &mut OwnedStream| {
        let schema = (owned.schema)();
        // SAFETY: `out` may be overwritten with a schema.
        unsafe { out.write(schema) };
        Ok(())
    };
    // SAFETY: `with_stream` has the contract of this function.
    unsafe { with_stream(stream, job) }
}

/// # Safety
/// As [`with_stream`]; `out` has room for an array.
unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    let job = |owned: &mut OwnedStream| {
        let next = owned.arrays.next().transpose().map_err(|error| error.to_string())?;
        // SAFETY: `out` may be overwritten with an array; a released one ends the stream.
        unsafe { out.write(next.unwrap_or(ArrowArray::empty())) };
        Ok(())
    };
    // SAFETY: `with_stream` has the contract of this function.
    unsafe { with_stream(stream, job) }
}

/// # Safety
/// As [`with_stream`].
unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    let mut text = ptr::null();
    let job = |owned: &mut OwnedStream| {
        if !owned.message.is_empty() {
            text = owned.message.as_ptr();
        }
        Ok(())
    };
    // SAFETY: `with_stream` has the contract of this function.
    unsafe { with_stream(stream, job) };
    text
}

/// # Safety
/// As [`with_stream`].
unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: `stream` is null, or a stream that nobody else uses: this function's contract.
    let Some(stream) = (unsafe { stream.as_mut() }) else { return };
    if stream.release.take().is_none() {
        return;
    }
    // SAFETY: the pointer comes from the box in `of`, and `release` has not been called.
    let owned: Box<OwnedStream> = unsafe { Box::from_raw(stream.private_data.cast()) };
    // dropping the source of the arrays may run foreign code
    let _ = catch_unwind(AssertUnwindSafe(|| drop(owned)));
}
