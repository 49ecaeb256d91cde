//! Reader of extension types' names in the metadata of schemas.

use core::ffi::c_char;

use super::{ArrowSchema, memory::Memory};
use crate::{Error, meaning::check_extension};

/// The key of the metadata that holds the name.
const KEY: &[u8] = b"ARROW:extension:name";

/// The maximum length of a key or a value.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// The size of a pair without text: two lengths.
const MIN_PAIR_BYTES: usize = 8;

/// Refuses an extension type, unless its values are those of its storage. The metadata's pairs have at most `left`
/// bytes, because an untrusted schema's types may share them.
///
/// # Safety
/// The schema is valid: its pointers lead to what the specification says, or out of the memory.
pub(super) unsafe fn check(
    schema: &ArrowSchema,
    memory: &Memory,
    left: &mut usize,
) -> Result<(), Error> {
    let mut at = schema.metadata;
    if at.is_null() {
        return Ok(());
    }
    // SAFETY: the schema is valid, so its metadata begins with a number of 32 bits, that of the pairs.
    let pairs = unsafe { number(&mut at, memory) }?;
    for _ in 0..pairs {
        *left = left.checked_sub(MIN_PAIR_BYTES).ok_or(Error::Length)?;
        // SAFETY: each of the metadata's pairs is two texts with their lengths, and `at` is before this
        // one.
        let key = unsafe { text(&mut at, memory) }?;
        // SAFETY: `at` is before the second text of the pair.
        let value = unsafe { text(&mut at, memory) }?;
        if key == KEY {
            check_extension(&String::from_utf8_lossy(value))?;
        }
    }
    Ok(())
}

/// Reads a number of 32 bits, and moves `at` after it.
///
/// # Safety
/// The pointer leads to four bytes, or out of the memory.
unsafe fn number(at: &mut *const c_char, memory: &Memory) -> Result<usize, Error> {
    // SAFETY: this function's contract: `at` leads to four bytes, or out of the memory.
    let bytes = unsafe { memory.bytes(at.cast(), 4) }?;
    *at = at.wrapping_add(4);
    let number = bytes.first_chunk().and_then(|word| i32::from_ne_bytes(*word).try_into().ok());
    number.ok_or(Error::Length)
}

/// Reads a length and a text, and moves `at` after them.
///
/// # Safety
/// The pointer leads to both, or out of the memory.
unsafe fn text<'a>(at: &mut *const c_char, memory: &Memory) -> Result<&'a [u8], Error> {
    // SAFETY: this function's contract: `at` leads to a length, or out of the memory.
    let len = unsafe { number(at, memory) }?;
    if len > MAX_TEXT_BYTES {
        return Err(Error::Length);
    }
    // SAFETY: the text after the length has `len` bytes.
    let text = unsafe { memory.bytes(at.cast(), len) }?;
    *at = at.wrapping_add(len);
    Ok(text)
}
