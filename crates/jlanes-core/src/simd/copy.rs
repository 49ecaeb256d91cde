//! Copies of a few bytes, without a call: for the end of a message, `memcpy` takes longer than the copy.
//!
//! The first and the last `N` elements, which may overlap, are a whole slice of `N` to `2 * N`. Of a longer one, the
//! middle would not be copied, so callers try the greatest `N` first and know that no slice is longer.

/// Copies up to 64 bytes without a call: the first and the last bytes, which may overlap.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn copy_short(to: &mut [u8], from: &[u8]) {
    let to = &mut to[..from.len()];
    if !(copy_ends::<_, 32>(to, from)
        || copy_ends::<_, 16>(to, from)
        || copy_ends::<_, 8>(to, from)
        || copy_ends::<_, 4>(to, from)
        || copy_ends::<_, 2>(to, from))
        && let ([to, ..], [from, ..]) = (to, from)
    {
        *to = *from;
    }
}

/// Copies bytes, usually at most a block.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn copy(to: &mut [u8], from: &[u8]) {
    if from.len() <= 64 {
        copy_short(to, from);
    } else {
        to[..from.len()].copy_from_slice(from);
    }
}

/// Copies `N` to `2 * N` elements; returns whether there are at least `N`. The caller knows that
/// there are at most `2 * N`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn copy_ends<T: Copy, const N: usize>(to: &mut [T], from: &[T]) -> bool {
    let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) else {
        return false;
    };
    debug_assert!(from.len() <= 2 * N, "a gap would stay");
    let Some(end) = to.last_chunk_mut::<N>() else { return false };
    *end = *last;
    let Some(start) = to.first_chunk_mut::<N>() else { return false };
    *start = *first;
    true
}
