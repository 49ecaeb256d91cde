//! Memory for as many rows as a column says that it has, which need not be true.

use crate::{Error, ffi::advise_large};

/// `len` zeros.
pub(crate) fn zeros<T: Clone + Default>(len: usize) -> Result<Vec<T>, Error> {
    // `vec!` takes pages that the system has zeroed, but aborts where there is no room for them
    Vec::<T>::new().try_reserve_exact(len).map_err(|_| Error::TooLarge)?;
    let mut zeros = vec![T::default(); len];
    advise_large(&mut zeros);
    Ok(zeros)
}

/// A list with room for `len` elements.
pub(crate) fn list<T>(len: usize) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| Error::TooLarge)?;
    Ok(list)
}
