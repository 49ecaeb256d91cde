//! Streams, from other libraries and for them.

use core::{
    ffi::{CStr, c_char, c_int},
    ptr,
};
use std::{
    ffi::CString,
    panic::{AssertUnwindSafe, catch_unwind},
};

use super::{
    ArrowArray, ArrowArrayStream, ArrowSchema,
    import::{Imported, Type},
    memory::Memory,
};
use crate::Error;

/// The code of a stream whose producer failed, `EIO`.
const EIO: c_int = 5;

/// The arrays of a stream that another library makes.
#[derive(Debug)]
pub struct Stream {
    stream: ArrowArrayStream,
    data_type: Type,
}

impl Stream {
    /// Takes a stream over, and asks for its type.
    ///
    /// # Errors
    /// If it was released, its producer fails, or the type is none that is known here.
    ///
    /// # Safety
    /// The stream is whole, and what it gives is as [`Imported::new`] wants it.
    pub unsafe fn new(mut stream: ArrowArrayStream) -> Result<Self, Error> {
        let Some(get_schema) = stream.get_schema.filter(|_| !stream.is_released()) else {
            return Err(Error::Released);
        };
        let mut schema = ArrowSchema::empty();
        // SAFETY: the stream is not released, and the schema is there to be filled.
        match unsafe { get_schema(&mut stream, &mut schema) } {
            0 => {
                // SAFETY: the producer has filled the schema.
                let data_type = unsafe { Type::of(&schema, &Memory::All) }?;
                Ok(Self { stream, data_type })
            }
            code => Err(last_error(&mut stream, code)),
        }
    }
}

impl Iterator for Stream {
    type Item = Result<Imported, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let get_next = self.stream.get_next?;
        let mut array = ArrowArray::empty();
        // SAFETY: the stream is not released, and the array is there to be filled.
        match unsafe { get_next(&mut self.stream, &mut array) } {
            0 if array.is_released() => None,
            0 => {
                // SAFETY: the producer has filled the array, of the stream's type.
                Some(unsafe { Imported::of_type(array, self.data_type.clone(), Memory::All) })
            }
            code => {
                let error = last_error(&mut self.stream, code);
                self.stream.get_next = None; // it has failed, and is not asked again
                Some(Err(error))
            }
        }
    }
}

/// What the producer of a stream says about its failure.
fn last_error(stream: &mut ArrowArrayStream, code: c_int) -> Error {
    let mut message = String::new();
    if let Some(get_last_error) = stream.get_last_error {
        // SAFETY: the stream is not released, and its last call has failed.
        let text = unsafe { get_last_error(stream) };
        if !text.is_null() {
            // SAFETY: the text ends with a zero, and stays until the stream's next call.
            message = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        }
    }
    Error::Stream(code, message)
}

/// Arrays that are computed when the consumer asks for them.
type Arrays = Box<dyn Iterator<Item = Result<ArrowArray, Error>> + Send>;

/// What an exported stream owns.
struct OwnedStream {
    schema: Box<dyn Fn() -> ArrowSchema + Send>,
    arrays: Arrays,
    /// Why the last call failed.
    message: CString,
}

impl ArrowArrayStream {
    /// A stream of arrays, each of which is computed when the consumer asks for it.
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

/// Runs `job` with what a stream owns. A panic of `job` ends here.
///
/// # Safety
/// The stream was made by [`ArrowArrayStream::of`], is not released, and is not used by anybody
/// else; or the pointer is null.
unsafe fn with_stream(
    stream: *mut ArrowArrayStream,
    job: impl FnOnce(&mut OwnedStream) -> Result<(), String>,
) -> c_int {
    // SAFETY: the caller has the stream for itself.
    let Some(stream) = (unsafe { stream.as_mut() }) else { return EIO };
    let owned = stream.private_data.cast::<OwnedStream>();
    // SAFETY: it is the box of which `of` has made a pointer.
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
        // SAFETY: the caller wants the schema there.
        unsafe { out.write(schema) };
        Ok(())
    };
    // SAFETY: the caller's promise is the same.
    unsafe { with_stream(stream, job) }
}

/// # Safety
/// As [`with_stream`]; `out` has room for an array.
unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    let job = |owned: &mut OwnedStream| {
        let next = owned.arrays.next().transpose().map_err(|error| error.to_string())?;
        // SAFETY: the caller wants the array there; one that was released ends the stream.
        unsafe { out.write(next.unwrap_or(ArrowArray::empty())) };
        Ok(())
    };
    // SAFETY: the caller's promise is the same.
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
    // SAFETY: the caller's promise is the same.
    unsafe { with_stream(stream, job) };
    text
}

/// # Safety
/// As [`with_stream`].
unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: the caller has the stream for itself.
    let Some(stream) = (unsafe { stream.as_mut() }) else { return };
    if stream.release.take().is_none() {
        return;
    }
    // SAFETY: this is the box of which `of` has made a pointer, and `release` was not yet taken.
    let owned: Box<OwnedStream> = unsafe { Box::from_raw(stream.private_data.cast()) };
    // what the arrays come from may be anybody's code
    let _ = catch_unwind(AssertUnwindSafe(|| drop(owned)));
}
