//! Polars' interface of expression plugins, version 0.1, which is a small one of C: functions that take
//! series and pickled keyword arguments and give a series, and functions that tell the result's type.
//!
//! There is one of each here; which job it does is a keyword argument. Polars calls it on its own
//! threads, so it uses no others.

mod job;

use std::{
    cell::RefCell,
    ffi::{CString, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr, slice,
};

use jlanes_columns::{
    Array, DataType,
    ffi::{ArrowArray, ArrowSchema, Imported},
};

use crate::gate;
use job::Job;

/// A series: a type, and arrays of it.
#[repr(C)]
pub(crate) struct SeriesExport {
    field: *mut ArrowSchema,
    arrays: *mut *mut ArrowArray,
    len: usize,
    release: Option<unsafe extern "C" fn(*mut SeriesExport)>,
    private_data: *mut c_void,
}

impl Drop for SeriesExport {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the series is whole and has not been released, and this is how its maker wants
            // it to be ended. Arrays in it have been moved out, which is the consumer's duty.
            unsafe { release(self) };
        }
    }
}

thread_local! {
    static MESSAGE: RefCell<CString> = RefCell::default();
}

fn fail(message: &str) {
    let text = CString::new(message.replace('\0', "")).unwrap_or_default();
    MESSAGE.with(|last| *last.borrow_mut() = text);
}

/// The version of the interface, 0.1: the second number is in the lower half.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn _polars_plugin_get_version() -> u32 {
    1
}

/// What the last call on this thread failed with.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn _polars_plugin_get_last_error_message() -> *const c_char {
    MESSAGE.with(|last| last.borrow().as_ptr())
}

type Failure = Box<dyn std::error::Error>;

/// Takes series over.
///
/// # Safety
/// `inputs` are `count` series, whole and not released, which nobody uses or releases but the callee.
unsafe fn import(inputs: *const SeriesExport, count: usize) -> Result<Vec<Vec<Imported>>, Failure> {
    let mut owned = Vec::with_capacity(count);
    for i in 0..count {
        // SAFETY: there are so many.
        let series = unsafe { inputs.add(i) };
        // SAFETY: the series is whole, and moves here; nobody uses it at its old place.
        owned.push(unsafe { ptr::read(series) });
    }
    let mut all = Vec::with_capacity(count);
    let mut wrong: Option<Failure> = None;
    for series in &owned {
        // SAFETY: a series has a schema, until it is released.
        let schema = unsafe { &*series.field };
        let arrays: &[*mut ArrowArray] = match series.len {
            0 => &[],
            // SAFETY: a series has so many pointers to arrays, until it is released.
            len => unsafe { slice::from_raw_parts(series.arrays, len) },
        };
        let mut chunks = Vec::with_capacity(arrays.len());
        // also behind an error, all arrays have to be moved out, or nobody releases them
        for array in arrays {
            // SAFETY: the pointer leads to an array, which moves here: the series' release frees
            // its place and does not touch it.
            let array = unsafe { ptr::read(*array) };
            // SAFETY: Polars has filled both by its own types, and its buffers do not change.
            match unsafe { Imported::new(array, schema) } {
                // polars has no such type: these are the addresses of a column of Python objects
                Ok(chunk)
                    if chunk.column().is_ok_and(|column| {
                        matches!(column.data_type(), DataType::FixedSizeBinary(_))
                    }) =>
                {
                    wrong = Some(gate::OBJECT_COLUMN.into());
                }
                Ok(chunk) => chunks.push(chunk),
                Err(error) => wrong = Some(error.into()),
            }
        }
        all.push(chunks);
    }
    match wrong {
        Some(error) => Err(error),
        None => Ok(all),
    }
}

/// What an exported series owns.
struct Owned {
    field: *mut ArrowSchema,
    arrays: Vec<*mut ArrowArray>,
}

/// Hands a series over.
fn export(data_type: &DataType, name: &str, arrays: Vec<Array>) -> SeriesExport {
    let place = |array| Box::into_raw(Box::new(ArrowArray::from(array)));
    let mut owned = Box::new(Owned {
        field: Box::into_raw(Box::new(ArrowSchema::of(data_type, name))),
        arrays: arrays.into_iter().map(place).collect(),
    });
    SeriesExport {
        field: owned.field,
        arrays: owned.arrays.as_mut_ptr(),
        len: owned.arrays.len(),
        release: Some(release),
        private_data: Box::into_raw(owned).cast(),
    }
}

/// Releases a series that [`export`] made.
///
/// # Safety
/// It was made there, is not used by anybody else, and its arrays have been moved out.
unsafe extern "C" fn release(series: *mut SeriesExport) {
    // SAFETY: the caller has the series for itself.
    let Some(series) = (unsafe { series.as_mut() }) else { return };
    if series.release.take().is_none() {
        return;
    }
    // SAFETY: this is the box of which `export` has made a pointer.
    let owned: Box<Owned> = unsafe { Box::from_raw(series.private_data.cast()) };
    series.private_data = ptr::null_mut();
    for array in owned.arrays {
        // SAFETY: it was a box, of which only the place is left: `ManuallyDrop` has the same layout.
        drop(unsafe { Box::from_raw(array.cast::<std::mem::ManuallyDrop<ArrowArray>>()) });
    }
    // SAFETY: it was a box, too.
    drop(unsafe { Box::from_raw(owned.field) });
}

/// Runs `job`, and keeps its error or its panic as the message of this thread.
fn guarded(job: impl FnOnce() -> Result<(), Failure>) {
    match catch_unwind(AssertUnwindSafe(job)) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => fail(&error.to_string()),
        Err(_) => fail("PANIC"),
    }
}

/// # Safety
/// The bytes are there, or there are none.
unsafe fn bytes<'a>(start: *const u8, len: usize) -> &'a [u8] {
    if start.is_null() || len == 0 {
        return &[];
    }
    // SAFETY: the caller's promise is the same.
    unsafe { slice::from_raw_parts(start, len) }
}

/// The job on series.
///
/// # Safety
/// As Polars calls it: `count` whole series, which belong to the callee; bytes of keyword arguments;
/// and the place of the result, which is empty. It stays so if the call fails.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn _polars_plugin_jlanes(
    inputs: *const SeriesExport,
    count: usize,
    kwargs: *const u8,
    kwargs_len: usize,
    out: *mut SeriesExport,
    _context: *const c_void,
) {
    guarded(|| {
        let name = match count {
            0 => String::new(),
            _ => {
                // SAFETY: there is a first series, and nobody writes to it.
                let first = unsafe { &*inputs };
                // SAFETY: it has a schema, which is released with it below.
                let schema = unsafe { &*first.field };
                // SAFETY: Polars has filled the schema.
                unsafe { schema.name() }?
            }
        };
        // SAFETY: the caller's promise is the same.
        let series = unsafe { import(inputs, count) }?;
        // SAFETY: the caller's promise is the same.
        let job = Job::parse(unsafe { bytes(kwargs, kwargs_len) })?;
        let arrays = job.run_all(series)?;
        let made = export(&job.data_type(), &name, arrays);
        // SAFETY: the caller wants the result there. What is there is empty and needs no drop.
        unsafe { out.write(made) };
        Ok(())
    });
}

/// The type of the job's result.
///
/// # Safety
/// As Polars calls it: `count` whole schemas; the place of the result, which is empty; bytes of
/// keyword arguments.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn _polars_plugin_field_jlanes(
    fields: *const ArrowSchema,
    count: usize,
    out: *mut ArrowSchema,
    kwargs: *const u8,
    kwargs_len: usize,
) {
    guarded(|| {
        let name = match count {
            0 => String::new(),
            _ => {
                // SAFETY: there is a first schema, and nobody writes to it.
                let first = unsafe { &*fields };
                // SAFETY: Polars has filled the schema.
                unsafe { first.name() }?
            }
        };
        // SAFETY: the caller's promise is the same.
        let job = Job::parse(unsafe { bytes(kwargs, kwargs_len) })?;
        let schema = ArrowSchema::of(&job.data_type(), &name);
        // SAFETY: the caller wants the schema there. What is there is empty and needs no drop.
        unsafe { out.write(schema) };
        Ok(())
    });
}
