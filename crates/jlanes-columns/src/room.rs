//! Allocates memory by a column's length, which is untrusted.

use crate::{Error, ffi::advise_large};

/// `len` zeros.
pub(crate) fn zeros<T: Clone + Default>(len: usize) -> Result<Vec<T>, Error> {
    // `vec!` uses pages that the system has zeroed, but aborts if it cannot allocate
    Vec::<T>::new().try_reserve_exact(len).map_err(|_| Error::TooLarge)?;
    let mut zeros = vec![T::default(); len];
    advise_large(&mut zeros);
    Ok(zeros)
}

/// An empty list with capacity for `len` elements.
pub(crate) fn list<T>(len: usize) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| Error::TooLarge)?;
    Ok(list)
}
