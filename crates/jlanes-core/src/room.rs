//! Memory for lists as long as the caller's. Hashing cannot fail, so without memory for a list, work goes
//! on in the order in which it was given.

use alloc::vec::Vec;

/// The elements as a list, if there is memory for it.
pub fn list<T>(elements: impl ExactSizeIterator<Item = T>) -> Option<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(elements.len()).ok()?;
    list.extend(elements);
    Some(list)
}
