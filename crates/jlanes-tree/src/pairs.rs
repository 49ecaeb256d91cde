//! Trees of pairs in which a last node without a neighbour goes up as it is: RFC 6962's and BLAKE3's, whose splits
//! at powers of two give the same trees. Formats of [`merkle`](crate::merkle) choose this rule, or another one, by
//! [`Odd`](crate::merkle::Odd); here are those that have all nodes of a level at once.

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
