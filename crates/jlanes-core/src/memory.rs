//! Memory for lists as long as the caller's. Hashing cannot fail, so without memory for a list, work goes
//! on in the order in which it was given. Where it cannot, as without the bytes of a long leaf, it panics:
//! the caller can catch that, and not the end of the process in which Rust's vectors grow in vain.

use alloc::{string::String, vec::Vec};
use core::any::Any;

/// The message of a panic because there is no memory.
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

/// Whether a panic is because there is no memory.
#[must_use]
pub fn is_out_of_memory(panic: &(dyn Any + Send)) -> bool {
    panic.downcast_ref::<&str>() == Some(&NO_MEMORY)
        || panic.downcast_ref::<String>().is_some_and(|text| text == NO_MEMORY)
}
