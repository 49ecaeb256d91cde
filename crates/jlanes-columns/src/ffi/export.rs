//! Exports schemas and arrays. Each structure owns its memory until its consumer releases it.
//!
//! C sees pointers only. What they point to is a box behind `private_data`, which `release` takes back: so a consumer
//! of any language frees a result without knowing Rust's allocator, and no buffer is copied. A child is a structure of
//! its own, because a consumer may move it out and release it later.

use core::{ffi::c_void, ptr};
use std::ffi::CString;

use super::{ArrowArray, ArrowSchema, memory::Memory};
use crate::{Array, DataType, Error, array::Offsets};

/// The flag of fields that may be null.
const NULLABLE: i64 = 2;

/// The memory of an exported schema.
struct OwnedSchema {
    format: CString,
    name: CString,
    children: Vec<*mut ArrowSchema>,
}

impl ArrowSchema {
    /// The name of the field; may be empty.
    ///
    /// # Errors
    /// If the schema was released, or the name is unreasonably long.
    ///
    /// # Safety
    /// The schema is valid: a producer filled it according to the specification.
    pub unsafe fn name(&self) -> Result<String, Error> {
        if self.is_released() {
            return Err(Error::Released);
        }
        if self.name.is_null() {
            return Ok(String::new());
        }
        // SAFETY: the schema has a name.
        unsafe { Memory::All.text(self.name) }
    }

    /// The schema of an operation's result, which may have nulls. NUL bytes in the name are dropped.
    #[must_use]
    pub fn of(data_type: &DataType, name: &str) -> Self {
        Self::owned(&data_type.format(), name, Vec::new())
    }

    /// The schema of a record batch.
    #[must_use]
    pub fn of_batch<'n>(fields: impl IntoIterator<Item = (&'n str, &'n DataType)>) -> Self {
        let children = fields.into_iter().map(|(name, data_type)| Self::of(data_type, name));
        Self::owned("+s", "", children.collect())
    }

    fn owned(format: &str, name: &str, children: Vec<Self>) -> Self {
        let text = |text: &str| CString::new(text.replace('\0', "")).unwrap_or_default();
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child)));
        let mut owned = Box::new(OwnedSchema {
            format: text(format),
            name: text(name),
            children: children.collect(),
        });
        Self {
            format: owned.format.as_ptr(),
            name: owned.name.as_ptr(),
            metadata: ptr::null(),
            flags: if owned.children.is_empty() { NULLABLE } else { 0 },
            n_children: owned.children.len() as i64,
            children: owned.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(owned).cast(),
        }
    }
}

/// Releases a schema of [`ArrowSchema::owned`].
///
/// # Safety
/// The schema comes from there, and nobody else uses it.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: `schema` is null, or the released schema, which nobody else uses: this function's
    // contract.
    let Some(schema) = (unsafe { schema.as_mut() }) else { return };
    if schema.release.take().is_none() {
        return;
    }
    // SAFETY: `private_data` is the box from `owned`, and only this function, which runs once, takes
    // it.
    let owned: Box<OwnedSchema> = unsafe { Box::from_raw(schema.private_data.cast()) };
    for child in owned.children {
        // SAFETY: children were boxes, too. A consumer that moved one out has marked it as released.
        drop(unsafe { Box::from_raw(child) });
    }
}

/// The memory of an exported array.
struct OwnedArray {
    /// The target of the pointers.
    _array: Option<Array>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
}

impl From<Array> for ArrowArray {
    /// Exports an operation's result; [`ArrowSchema::of`] has its schema.
    fn from(array: Array) -> Self {
        let validity = array.nulls.validity.as_ref().map_or(ptr::null(), |bits| bits.as_ptr());
        let mut buffers = vec![validity.cast()];
        match &array.offsets {
            Offsets::None => {}
            Offsets::Small(offsets) => buffers.push(offsets.as_ptr().cast()),
            Offsets::Large(offsets) => buffers.push(offsets.as_ptr().cast()),
        }
        buffers.push(array.values.as_ptr().cast());
        let (len, nulls) = (array.len, array.nulls.count);
        Self::owned(len, nulls, OwnedArray { _array: Some(array), buffers, children: Vec::new() })
    }
}

impl ArrowArray {
    /// Arrays of equal lengths as a record batch; [`ArrowSchema::of_batch`] has its schema.
    ///
    /// # Errors
    /// If the lengths differ.
    pub fn batch(arrays: Vec<Array>) -> Result<Self, Error> {
        let len = arrays.first().map_or(0, Array::len);
        if arrays.iter().any(|array| array.len() != len) {
            return Err(Error::Rows);
        }
        let children = arrays.into_iter().map(|array| Box::into_raw(Box::new(array.into())));
        let buffers = vec![ptr::null()];
        Ok(Self::owned(len, 0, OwnedArray { _array: None, buffers, children: children.collect() }))
    }

    fn owned(len: usize, nulls: usize, owned: OwnedArray) -> Self {
        let mut owned = Box::new(owned);
        Self {
            length: len as i64,
            null_count: nulls as i64,
            offset: 0,
            n_buffers: owned.buffers.len() as i64,
            n_children: owned.children.len() as i64,
            buffers: owned.buffers.as_mut_ptr(),
            children: owned.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(owned).cast(),
        }
    }
}

/// Releases an array of [`ArrowArray::owned`].
///
/// # Safety
/// The array comes from there, and nobody else uses it.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: `array` is null, or the released array, which nobody else uses: this function's contract.
    let Some(array) = (unsafe { array.as_mut() }) else { return };
    if array.release.take().is_none() {
        return;
    }
    // SAFETY: `private_data` is the box from `owned`, and only this function, which runs once, takes
    // it.
    let owned: Box<OwnedArray> = unsafe { Box::from_raw(array.private_data.cast()) };
    for child in owned.children {
        // SAFETY: children were boxes, too. A consumer that moved one out has marked it as released.
        drop(unsafe { Box::from_raw(child) });
    }
}
