//! Allocation by a column's length, which is untrusted: an error instead of an abort.

use bytemuck::{Zeroable, allocation::try_zeroed_vec};

use crate::{Error, ffi::advise_huge_pages};

/// `len` zeros, in pages that the system has zeroed.
pub(crate) fn try_zeros<T: Zeroable>(len: usize) -> Result<Vec<T>, Error> {
    let mut zeros = try_zeroed_vec(len).map_err(|()| Error::TooLarge)?;
    advise_huge_pages(&mut zeros);
    Ok(zeros)
}

/// An empty list with capacity for `len` elements.
pub(crate) fn try_with_capacity<T>(len: usize) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| Error::TooLarge)?;
    Ok(list)
}

/// A copy of bytes.
pub(crate) fn try_copy(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut copy = try_with_capacity(bytes.len())?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}
