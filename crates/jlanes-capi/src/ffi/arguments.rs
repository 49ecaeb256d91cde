//! Arguments: conversion of C's pointers and lengths to Rust values, or to errors.
//!
//! Objects of the library come as references, which may be absent. Other pointers lead to the memory
//! that the header describes: this is the contract of every `unsafe` function, and each conversion
//! names its part of it.

use core::{
    ffi::{CStr, c_char},
    slice,
};

use jlanes::Algorithm;

use super::memory;
use crate::status::{Failure, call};

/// The maximum number of bytes of a call's keys and other parameters. They are copied several times,
/// and the reserve has to hold these copies if the system has no memory.
const MAX_PARAMETER_BYTES: usize = 1 << 20;
/// The maximum length of a text, which is copied, too.
const MAX_TEXT_BYTES: usize = 64 << 10;

/// The target of an argument that must not be NULL.
pub(super) fn present<T>(at: Option<T>) -> Result<T, Failure> {
    at.ok_or_else(|| Failure::argument("a pointer is NULL"))
}

/// A list of arguments.
///
/// # Safety
/// The pointer is null, or leads to `len` values that nobody writes to for `'a`.
pub(super) unsafe fn values<'a, T>(at: *const T, len: usize) -> Result<&'a [T], Failure> {
    match check(at, len)? {
        0 => Ok(&[]),
        // SAFETY: `check` has found the pointer not null and aligned, and the values no longer than
        // `isize::MAX` bytes; that there are `len` of them is required above.
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
        // SAFETY: as in `values`, and nobody else uses them, as required above.
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

/// A copy of a key or another parameter.
///
/// # Safety
/// As [`values`].
pub(super) unsafe fn copied(at: *const u8, len: usize) -> Result<Vec<u8>, Failure> {
    // SAFETY: the pointer leads to `len` bytes, as required above.
    let bytes = unsafe { values(at, len) }?;
    check_parameters(len)?;
    let mut copy = list(len)?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// Checks the number of bytes of parameters.
pub(super) fn check_parameters(len: usize) -> Result<(), Failure> {
    match len {
        ..=MAX_PARAMETER_BYTES => Ok(()),
        _ => Err(Failure::argument("keys and other parameters have more than 1 MiB")),
    }
}

/// An empty list with room for `len` values.
fn list<T>(len: usize) -> Result<Vec<T>, Failure> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| Failure::memory())?;
    Ok(list)
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
    // SAFETY: `messages` leads to `count` addresses, as required above.
    let messages = unsafe { values(messages, count) }?;
    // SAFETY: `lens` leads to `count` lengths, as required above.
    let lens = unsafe { values(lens, count) }?;
    let mut list = list(count)?;
    for (message, len) in messages.iter().zip(lens) {
        // SAFETY: the address leads to as many bytes as the length in its place says.
        list.push(unsafe { values(*message, *len) }?);
    }
    Ok(list)
}

/// A text.
///
/// # Safety
/// The pointer is null, or leads to a NUL-terminated text that nobody writes to for `'a`.
pub(super) unsafe fn text<'a>(at: *const c_char) -> Result<&'a str, Failure> {
    if at.is_null() {
        return Err(Failure::argument("a text is NULL"));
    }
    // SAFETY: the pointer is not null, and leads to a NUL-terminated text, as required above.
    let text = unsafe { CStr::from_ptr(at) };
    if text.count_bytes() > MAX_TEXT_BYTES {
        return Err(Failure::argument("a text has more than 64 KiB"));
    }
    text.to_str().map_err(|_| Failure::argument("a text is no UTF-8"))
}

/// An algorithm, from its name.
///
/// # Safety
/// As [`text`].
pub(super) unsafe fn algorithm(name: *const c_char) -> Result<Algorithm, Failure> {
    // SAFETY: the pointer is null or leads to a text, as required above.
    Ok(unsafe { text(name) }?.parse()?)
}

/// Writes a value to the caller's memory.
///
/// # Safety
/// The pointer is null, or leads to space for a value.
pub(super) unsafe fn put<T>(at: *mut T, value: T) -> Result<(), Failure> {
    if at.is_null() || !at.is_aligned() {
        return Err(Failure::argument("the pointer to the result is NULL, or not aligned"));
    }
    if memory::is_short() {
        // an object in the reserve must not outlive the call
        return Err(Failure::memory());
    }
    // SAFETY: the pointer is not null and aligned, and leads to space, as required above. The old
    // contents are not read, because they may not be a value.
    unsafe { at.write(value) };
    Ok(())
}

/// Passes ownership of an object to the caller.
///
/// # Safety
/// As [`put`].
pub(super) unsafe fn give<T>(at: *mut *mut T, object: T) -> Result<(), Failure> {
    let object = Box::new(object);
    check(at, 1)?;
    if memory::is_short() {
        return Err(Failure::memory());
    }
    // SAFETY: the pointer leads to space, as required above. `put` cannot fail any more, which would
    // leak the object.
    unsafe { put(at, Box::into_raw(object)) }
}

/// Frees an object.
///
/// # Safety
/// The pointer is null, or comes from [`give`] and is not used any more.
pub(super) unsafe fn free<T>(object: *mut T) {
    call(|| {
        if !object.is_null() {
            // SAFETY: `give` made the pointer from a box, and nobody uses it any more.
            drop(unsafe { Box::from_raw(object) });
        }
        Ok(())
    });
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
