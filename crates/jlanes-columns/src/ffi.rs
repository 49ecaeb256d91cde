//! Arrow's C data interface: imports arrays, schemas and streams from other libraries, and exports
//! results, without copying.
//!
//! The structures are those of the
//! [specification](https://arrow.apache.org/docs/format/CDataInterface.html), byte for byte. They
//! contain the length of an array, but not of its buffers. The producer promises that the buffers
//! are long enough, which makes importing `unsafe`; everything else is checked.
//!
//! The structures have C's layout, so cast a pointer to one to a pointer to the type here. A
//! consumer moves a structure out of the producer's memory with `take`.
//!
//! ```
//! use jlanes::Algorithm;
//! use jlanes_columns::{Column, Encoding, ColumnHasher, ffi};
//!
//! let names = Column::utf8(&[0, 3, 6], b"onetwo")?;
//! let digests = ColumnHasher::new(Algorithm::SHA256)?.digest(&names, Encoding::Hex)?;
//!
//! // what goes over the border, and comes back
//! let schema = ffi::ArrowSchema::of(digests.data_type(), "digest");
//! let array = ffi::ArrowArray::from(digests.clone());
//! // SAFETY: the array was exported here, with this schema.
//! let imported = unsafe { ffi::Imported::new(array, &schema) }?;
//! assert_eq!(imported.column()?.get(1)?, digests.get(1));
//! # Ok::<(), jlanes_columns::Error>(())
//! ```
#![allow(unsafe_code)]

mod export;
mod extension;
mod import;
mod memory;
mod pages;
mod schema;
mod stream;

use core::{
    ffi::{c_char, c_int, c_void},
    mem, ptr,
};

pub use import::Imported;
pub(crate) use pages::advise_huge_pages;
pub use stream::Stream;

/// Arrow's `struct ArrowSchema`: the type of an array.
#[derive(Debug)]
#[repr(C)]
pub struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// Arrow's `struct ArrowArray`: the buffers of an array.
#[derive(Debug)]
#[repr(C)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// Arrow's `struct ArrowArrayStream`: a sequence of arrays of one type.
#[derive(Debug)]
#[repr(C)]
pub struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// The common methods of the three structures.
macro_rules! structure {
    ($name:ident { $($field:ident: $empty:expr),* $(,)? }) => {
        impl $name {
            /// A released structure, for a producer to fill.
            #[must_use]
            pub const fn empty() -> Self {
                Self { $($field: $empty,)* release: None, private_data: ptr::null_mut() }
            }

            /// Moves the structure out, and leaves a released one.
            #[must_use]
            pub fn take(&mut self) -> Self {
                mem::replace(self, Self::empty())
            }

            /// Whether it has been released or moved.
            #[must_use]
            pub fn is_released(&self) -> bool {
                self.release.is_none()
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the structure was made here, or filled by a producer in memory that
                    // unsafe code has called one; it was not released, and this is how a consumer
                    // ends it.
                    unsafe { release(self) };
                }
            }
        }

        // SAFETY: the specification lets consumers use and release a structure on any thread, one
        // at a time, which exclusive access or ownership gives them.
        unsafe impl Send for $name {}
    };
}
structure!(ArrowSchema {
    format: ptr::null(),
    name: ptr::null(),
    metadata: ptr::null(),
    flags: 0,
    n_children: 0,
    children: ptr::null_mut(),
    dictionary: ptr::null_mut(),
});
structure!(ArrowArray {
    length: 0,
    null_count: 0,
    offset: 0,
    n_buffers: 0,
    n_children: 0,
    buffers: ptr::null_mut(),
    children: ptr::null_mut(),
    dictionary: ptr::null_mut(),
});
structure!(ArrowArrayStream { get_schema: None, get_next: None, get_last_error: None });

// SAFETY: an array's buffers are not written while it is not released, so threads may read it at
// the same time; nothing here writes to it through a shared reference.
unsafe impl Sync for ArrowArray {}
// SAFETY: as an array's.
unsafe impl Sync for ArrowSchema {}
