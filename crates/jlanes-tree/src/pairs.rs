//! [`level_above`], for trees of pairs in which a last node without a neighbour goes up as it is. RFC 6962 and
//! BLAKE3 split at powers of two, which gives the same trees. A [`merkle`](crate::merkle) format, which does not have
//! all nodes of a level at once, chooses this rule or another one by [`Odd`](crate::merkle::Odd).

use alloc::vec::Vec;

/// The nodes one level higher. `pair` is the length of two nodes in `nodes`, and `parents` computes those of
/// pairs.
pub(crate) fn level_above<T: Clone + Default>(
    nodes: &[T],
    pair: usize,
    parents: impl FnOnce(&[T], &mut [T]),
) -> Vec<T> {
    let (pairs, odd) = nodes.split_at(nodes.len() / pair * pair);
    let mut above = Vec::with_capacity(pairs.len() / 2 + odd.len());
    above.resize(pairs.len() / 2, T::default());
    parents(pairs, &mut above);
    above.extend_from_slice(odd);
    above
}
