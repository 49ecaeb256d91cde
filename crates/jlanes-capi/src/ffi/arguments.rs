//! Arguments: converts C's pointers and lengths to Rust, or to errors.

use core::{
    ffi::{CStr, c_char},
    slice,
};

use crate::status::{Failure, JLANES_ERROR_MEMORY, call};

/// The target of an argument.
///
/// # Safety
/// The pointer is null, or leads to a value that nobody writes to for `'a`.
pub(super) unsafe fn value<'a, T>(at: *const T) -> Result<&'a T, Failure> {
    // SAFETY: the caller's promise.
    unsafe { at.as_ref() }.ok_or_else(|| Failure::argument("a pointer is NULL"))
}

/// The mutable target of an argument.
///
/// # Safety
/// The pointer is null, or leads to a value that nobody else uses for `'a`.
pub(super) unsafe fn value_mut<'a, T>(at: *mut T) -> Result<&'a mut T, Failure> {
    // SAFETY: the caller's promise.
    unsafe { at.as_mut() }.ok_or_else(|| Failure::argument("a pointer is NULL"))
}

/// A list of arguments.
///
/// # Safety
/// The pointer is null, or leads to `len` values that nobody writes to for `'a`.
pub(super) unsafe fn values<'a, T>(at: *const T, len: usize) -> Result<&'a [T], Failure> {
    match check(at, len)? {
        0 => Ok(&[]),
        // SAFETY: the pointer is not null and aligned, and the values are at most `isize::MAX`
        // bytes. The caller promises that they exist.
        len => Ok(unsafe { slice::from_raw_parts(at, len) }),
    }
}

/// A list to write to.
///
/// # Safety
/// The pointer is null, or leads to `len` values that nobody else uses for `'a`.
pub(super) unsafe fn values_mut<'a, T>(at: *mut T, len: usize) -> Result<&'a mut [T], Failure> {
    match check(at, len)? {
        0 => Ok(&mut []),
        // SAFETY: as in `values`.
        len => Ok(unsafe { slice::from_raw_parts_mut(at, len) }),
    }
}

/// The length of a list, if such a list can exist.
pub(super) fn check<T>(at: *const T, len: usize) -> Result<usize, Failure> {
    let bytes = len.checked_mul(size_of::<T>()).and_then(|bytes| isize::try_from(bytes).ok());
    if bytes.is_none() {
        return Err(Failure::argument("a length is too large"));
    }
    if len > 0 && (at.is_null() || !at.is_aligned()) {
        return Err(Failure::argument("a pointer is NULL, or not aligned"));
    }
    Ok(len)
}

/// Messages, from their addresses and their lengths.
///
/// # Safety
/// As [`values`], for both lists and for every message.
pub(super) unsafe fn messages<'a>(
    messages: *const *const u8,
    lens: *const usize,
    count: usize,
) -> Result<Vec<&'a [u8]>, Failure> {
    // SAFETY: the caller's promise.
    let messages = unsafe { values(messages, count) }?;
    // SAFETY: the caller's promise.
    let lens = unsafe { values(lens, count) }?;
    let mut list = Vec::new();
    let room = list.try_reserve_exact(count);
    room.map_err(|_| Failure(JLANES_ERROR_MEMORY, "no memory for the list".into()))?;
    for (message, len) in messages.iter().zip(lens) {
        // SAFETY: the caller's promise.
        list.push(unsafe { values(*message, *len) }?);
    }
    Ok(list)
}

/// A text.
///
/// # Safety
/// The pointer is null, or leads to a NUL-terminated text that nobody writes to.
pub(super) unsafe fn text<'a>(at: *const c_char) -> Result<&'a str, Failure> {
    if at.is_null() {
        return Err(Failure::argument("a text is NULL"));
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(at) };
    text.to_str().map_err(|_| Failure::argument("a text is no UTF-8"))
}

/// Writes a value to the caller's memory.
///
/// # Safety
/// The pointer is null, or leads to space for a value.
pub(super) unsafe fn put<T>(at: *mut T, value: T) -> Result<(), Failure> {
    if at.is_null() || !at.is_aligned() {
        return Err(Failure::argument("the pointer to the result is NULL, or not aligned"));
    }
    // SAFETY: the pointer is not null and aligned, and the caller promises the space. The old
    // contents are not read, because they may not be a value.
    unsafe { at.write(value) };
    Ok(())
}

/// Checks that keys can be derived.
pub(super) fn check_derived(rounds: u32, width: usize) -> Result<(), Failure> {
    if rounds == 0 || width == 0 || u32::try_from(width).is_err() {
        return Err(Failure::argument("there are no such keys, or no rounds"));
    }
    Ok(())
}

/// Checks that a buffer has exactly the size of the digests.
pub(super) fn room(len: usize, count: usize, width: usize) -> Result<(), Failure> {
    if count.checked_mul(width) == Some(len) {
        return Ok(());
    }
    Err(Failure::argument("the output is not as many bytes as all digests"))
}

/// Passes ownership of an object to the caller.
///
/// # Safety
/// As [`put`].
pub(super) unsafe fn give<T>(at: *mut *mut T, object: T) -> Result<(), Failure> {
    if at.is_null() {
        return Err(Failure::argument("the pointer to the result is NULL"));
    }
    // SAFETY: the caller's promise.
    unsafe { put(at, Box::into_raw(Box::new(object))) }
}

/// # Safety
/// The pointer is null, or comes from [`give`] and is not used any more.
pub(super) unsafe fn free<T>(object: *mut T) {
    call(|| {
        if !object.is_null() {
            // SAFETY: it is a box, by the caller's promise.
            drop(unsafe { Box::from_raw(object) });
        }
        Ok(())
    });
}
