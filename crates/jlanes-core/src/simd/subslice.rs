//! Parts of slices for kernels, with checks that take little code.
//!
//! Unrolled kernels have hundreds of checks. One that fails calls a function without arguments, so that all
//! checks of a kernel share the call; indexing would pass an index and a length, some 25 bytes of code for
//! each check.

/// `len` elements from `from` on.
///
/// # Panics
/// If there are fewer.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn subslice<T>(slice: &[T], from: usize, len: usize) -> &[T] {
    match slice.len().checked_sub(len) {
        Some(last) if from <= last => &slice[from..][..len],
        _ => too_short(),
    }
}

/// [`subslice`] to write to.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn subslice_mut<T>(slice: &mut [T], from: usize, len: usize) -> &mut [T] {
    match slice.len().checked_sub(len) {
        Some(last) if from <= last => &mut slice[from..][..len],
        _ => too_short(),
    }
}

#[cold]
#[inline(never)]
fn too_short() -> ! {
    panic!("a kernel's input or output is too short")
}
