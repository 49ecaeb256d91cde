//! Allocation by a column's length, which is untrusted: an error instead of an abort.

use bytemuck::{Zeroable, allocation::try_zeroed_vec};

use crate::{Error, ffi::advise_large};

/// `len` zeros, in pages that the system has zeroed.
pub(crate) fn zeros<T: Zeroable>(len: usize) -> Result<Vec<T>, Error> {
    let mut zeros = try_zeroed_vec(len).map_err(|()| Error::TooLarge)?;
    advise_large(&mut zeros);
    Ok(zeros)
}

/// An empty list with capacity for `len` elements.
pub(crate) fn list<T>(len: usize) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| Error::TooLarge)?;
    Ok(list)
}

/// A copy of bytes.
pub(crate) fn copied(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut copy = list(bytes.len())?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}
