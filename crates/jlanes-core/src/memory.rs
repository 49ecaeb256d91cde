//! Allocation of lists with a length that the caller chose. Without memory, Rust's vectors end the process;
//! these functions return `None`, or panic.
//!
//! Hashing cannot fail. Without memory for a list of messages, work goes on in the given order. Where it
//! cannot go on, as without the bytes of a long leaf, it panics, which the caller can catch.

use alloc::{string::String, vec::Vec};
use core::any::Any;

/// The message of a panic without memory.
const NO_MEMORY: &str = "there is not enough memory";

/// The elements as a list, if there is memory for it.
pub fn try_collect<T>(elements: impl ExactSizeIterator<Item = T>) -> Option<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(elements.len()).ok()?;
    list.extend(elements);
    Some(list)
}

/// Makes room for `len` elements in total.
///
/// # Panics
/// Without memory.
pub fn reserve<T>(list: &mut Vec<T>, len: usize) {
    let reserved = list.try_reserve_exact(len.saturating_sub(list.len()));
    assert!(reserved.is_ok(), "{NO_MEMORY}");
}

/// Appends bytes to a list that grows.
///
/// # Panics
/// Without memory.
pub fn append(list: &mut Vec<u8>, bytes: &[u8]) {
    assert!(list.try_reserve(bytes.len()).is_ok(), "{NO_MEMORY}");
    list.extend_from_slice(bytes);
}

/// Whether a panic is this module's: there was not enough memory.
#[must_use]
pub fn is_out_of_memory(panic: &(dyn Any + Send)) -> bool {
    panic.downcast_ref::<&str>() == Some(&NO_MEMORY)
        || panic.downcast_ref::<String>().is_some_and(|text| text == NO_MEMORY)
}
