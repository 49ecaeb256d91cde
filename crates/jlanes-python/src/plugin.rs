//! The plugin for expressions of polars, through its C interface, version 0.1: one function computes a
//! series from series and pickled keyword arguments, another returns the type of the result.
//!
//! A keyword argument selects the job. Polars calls the plugin on its own threads, so the plugin starts
//! none.

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

use crate::inputs;
use job::PluginJob;

/// A series: a type, and arrays of that type.
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
            // SAFETY: the series is complete and not released yet, and its producer set this function
            // to release it. The arrays were moved out before, as the interface requires.
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

/// The version of the interface, 0.1, with the minor number in the lower half.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn _polars_plugin_get_version() -> u32 {
    1
}

/// The message of the last failed call on this thread.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn _polars_plugin_get_last_error_message() -> *const c_char {
    MESSAGE.with(|last| last.borrow().as_ptr())
}

type Failure = Box<dyn std::error::Error>;

/// Takes ownership of series.
///
/// # Safety
/// `inputs` points to `count` complete series, not released, and only the callee uses and releases them.
unsafe fn import(inputs: *const SeriesExport, count: usize) -> Result<Vec<Vec<Imported>>, Failure> {
    let mut owned = Vec::with_capacity(count);
    for i in 0..count {
        // SAFETY: `inputs` points to `count` series, and `i` is less than that.
        let series = unsafe { inputs.add(i) };
        // SAFETY: the series is complete, and moves here; the old place is not used again.
        owned.push(unsafe { ptr::read(series) });
    }
    let mut all = Vec::with_capacity(count);
    let mut wrong: Option<Failure> = None;
    for series in &owned {
        // SAFETY: a series has a schema until it is released.
        let schema = unsafe { &*series.field };
        let arrays: &[*mut ArrowArray] = match series.len {
            0 => &[],
            // SAFETY: a series has `len` pointers to arrays until it is released.
            len => unsafe { slice::from_raw_parts(series.arrays, len) },
        };
        let mut chunks = Vec::with_capacity(arrays.len());
        // after an error, too, because nobody else releases the arrays
        for array in arrays {
            // SAFETY: the pointer leads to an array, which moves here: releasing the series frees the
            // old place and does not read it.
            let array = unsafe { ptr::read(*array) };
            // SAFETY: polars made both, and does not write to the buffers.
            match unsafe { Imported::new(array, schema) } {
                Ok(chunk) if inputs::has_addresses(chunk.data_type()) => {
                    wrong = Some(inputs::OBJECT_COLUMN.into());
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

/// The memory of an exported series.
struct Owned {
    field: *mut ArrowSchema,
    arrays: Vec<*mut ArrowArray>,
}

/// Exports a series.
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
/// The series comes from `export`, nobody else uses it, and its arrays were moved out.
unsafe extern "C" fn release(series: *mut SeriesExport) {
    // SAFETY: `series` is null, or a series that nobody else uses: this function's contract.
    let Some(series) = (unsafe { series.as_mut() }) else { return };
    if series.release.take().is_none() {
        return;
    }
    // SAFETY: `export` made the pointer from this box.
    let owned: Box<Owned> = unsafe { Box::from_raw(series.private_data.cast()) };
    series.private_data = ptr::null_mut();
    for array in owned.arrays {
        // SAFETY: it was a box, and its contents were moved out: `ManuallyDrop` has the same layout.
        drop(unsafe { Box::from_raw(array.cast::<std::mem::ManuallyDrop<ArrowArray>>()) });
    }
    // SAFETY: `export` made this pointer from a box, too.
    drop(unsafe { Box::from_raw(owned.field) });
}

/// Runs `job`, and stores the message of its error or panic for this thread.
fn guarded(job: impl FnOnce() -> Result<(), Failure>) {
    match catch_unwind(AssertUnwindSafe(job)) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => fail(&error.to_string()),
        Err(_) => fail("PANIC"),
    }
}

/// # Safety
/// `start` points to `len` bytes, unless it is null or `len` is 0.
unsafe fn bytes<'a>(start: *const u8, len: usize) -> &'a [u8] {
    if start.is_null() || len == 0 {
        return &[];
    }
    // SAFETY: `start` is not null and points to `len` bytes: checked above, and this function's
    // contract.
    unsafe { slice::from_raw_parts(start, len) }
}

/// Computes the series that the keyword arguments ask for.
///
/// # Safety
/// As polars calls it: `count` complete series, owned by the callee; the bytes of the keyword arguments;
/// and an empty place for the result, which stays empty if the call fails.
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
                // SAFETY: `count` is not 0, so there is a first series. Nobody writes to it.
                let first = unsafe { &*inputs };
                // SAFETY: it has a schema until it is released below.
                let schema = unsafe { &*first.field };
                // SAFETY: polars made the schema.
                unsafe { schema.name() }?
            }
        };
        // SAFETY: `inputs` points to `count` complete series, which are ours: this function's contract.
        let series = unsafe { import(inputs, count) }?;
        // SAFETY: `kwargs` points to `kwargs_len` bytes: this function's contract.
        let job = PluginJob::parse(unsafe { bytes(kwargs, kwargs_len) })?;
        let arrays = job.run_all(series)?;
        let made = export(&job.data_type(), &name, arrays);
        // SAFETY: this is the place for the result. It is empty and needs no drop.
        unsafe { out.write(made) };
        Ok(())
    });
}

/// Returns the type of the result of a job.
///
/// # Safety
/// As polars calls it: `count` complete schemas; an empty place for the result; the bytes of the keyword
/// arguments.
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
                // SAFETY: `count` is not 0, so there is a first schema. Nobody writes to it.
                let first = unsafe { &*fields };
                // SAFETY: polars made the schema.
                unsafe { first.name() }?
            }
        };
        // SAFETY: `kwargs` points to `kwargs_len` bytes: this function's contract.
        let job = PluginJob::parse(unsafe { bytes(kwargs, kwargs_len) })?;
        let schema = ArrowSchema::of(&job.data_type(), &name);
        // SAFETY: this is the place for the schema. It is empty and needs no drop.
        unsafe { out.write(schema) };
        Ok(())
    });
}
