//! The order in which messages fill lanes, longest first, so that none runs alone at the end.

use core::cmp::Reverse;

/// Sorts `indices`, which are places in `sizes`, by size, the largest first. All callers share one copy of the
/// standard library's sorting, which has several kilobytes.
#[inline(never)]
pub(crate) fn longest_first(indices: &mut [usize], sizes: &[u64]) {
    indices.sort_unstable_by_key(|&i| Reverse(sizes[i]));
}
