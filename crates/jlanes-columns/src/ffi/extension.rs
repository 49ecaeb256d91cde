//! Reads the names of extension types from the metadata of schemas.

use core::ffi::c_char;

use super::{ArrowSchema, memory::Memory};
use crate::{Error, meaning::check_extension};

/// The key of the metadata that holds the name.
const KEY: &[u8] = b"ARROW:extension:name";

/// The longest key or value that is read.
const LONGEST: usize = 1 << 20;

/// An error for an extension type, unless its values are those of its storage.
///
/// # Safety
/// The schema is valid: its pointers lead to what the specification says, or out of the memory.
pub(super) unsafe fn check(schema: &ArrowSchema, memory: &Memory) -> Result<(), Error> {
    let mut at = schema.metadata;
    if at.is_null() {
        return Ok(());
    }
    // SAFETY: the metadata begins with the number of pairs.
    let pairs = unsafe { number(&mut at, memory) }?;
    for _ in 0..pairs {
        // SAFETY: a pair is two texts.
        let key = unsafe { text(&mut at, memory) }?;
        // SAFETY: as above.
        let value = unsafe { text(&mut at, memory) }?;
        if key == KEY {
            check_extension(&String::from_utf8_lossy(value))?;
        }
    }
    Ok(())
}

/// A number of 32 bits; moves on.
///
/// # Safety
/// The pointer leads to four bytes, or out of the memory.
unsafe fn number(at: &mut *const c_char, memory: &Memory) -> Result<usize, Error> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { memory.bytes(at.cast(), 4) }?;
    *at = at.wrapping_add(4);
    let number = bytes.first_chunk().and_then(|word| i32::from_ne_bytes(*word).try_into().ok());
    number.ok_or(Error::Length)
}

/// A text after its length; moves on.
///
/// # Safety
/// The pointer leads to both, or out of the memory.
unsafe fn text<'a>(at: &mut *const c_char, memory: &Memory) -> Result<&'a [u8], Error> {
    // SAFETY: the caller's promise.
    let len = unsafe { number(at, memory) }?;
    if len > LONGEST {
        return Err(Error::Length);
    }
    // SAFETY: the text has this length.
    let text = unsafe { memory.bytes(at.cast(), len) }?;
    *at = at.wrapping_add(len);
    Ok(text)
}
