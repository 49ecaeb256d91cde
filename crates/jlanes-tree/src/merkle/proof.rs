//! Proofs of nodes in binary trees that are filled up to a power of two.
//!
//! A node has a generalized index (Ethereum's consensus specification): 1 is the root, and the children of `k`
//! are `2k` and `2k + 1`. The proof of some nodes is the siblings of all nodes on their paths to the root,
//! except those on a path themselves, in descending order of indices. This is one node's branch from the bottom
//! up, and the order of BitTorrent's uncles, so one prover and one verifier serve all formats. The verifier
//! hashes a level at a time, on lanes.

use alloc::{collections::VecDeque, vec::Vec};

use jlanes_core::{function::Batch, hash::Output, hashes::sha2::Sha256};
use jlanes_simd::Backend;

use super::{Error, Format, Frame, NodeFunction, Tree, digest_of};

/// A digest of SHA-256.
type Digest = [u8; 32];

/// The indices of a proof's digests.
fn siblings(indices: impl IntoIterator<Item = u64>) -> Result<Vec<u64>, Error> {
    let mut given: Vec<_> = indices.into_iter().collect();
    given.sort_unstable();
    given.dedup();
    if given.first() == Some(&0) {
        return Err(Error::NoSuchNode);
    }
    // in descending order, too, as nodes are taken in this order
    let mut parents = VecDeque::new();
    let mut siblings = Vec::new();
    while let Some(index) = given.last().max(parents.front()).copied().filter(|index| *index > 1) {
        let mut take = |index| {
            let is_given = given.pop_if(|last| *last == index).is_some();
            let is_parent = parents.front() == Some(&index);
            is_parent && parents.pop_front().is_some() || is_given
        };
        take(index);
        if index % 2 == 0 || !take(index - 1) {
            siblings.push(index ^ 1);
        }
        parents.push_back(index / 2);
    }
    Ok(siblings)
}

impl<T: Format> Tree<T> {
    /// The height of the root.
    pub(super) fn height(&self) -> u32 {
        self.rules.node.min_height.max(self.leaves().next_power_of_two().ilog2())
    }

    /// The proof of the nodes at `indices`.
    pub(super) fn branches(
        &self,
        indices: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Result<Vec<Output<Sha256>>, Error> {
        let indices = indices.into_iter();
        if indices.clone().any(|index| index.checked_ilog2() > Some(self.height())) {
            return Err(Error::NoSuchNode);
        }
        Ok(self.nodes(siblings(indices)?))
    }

    /// The nodes at `indices`, none of them below the leaves.
    pub(super) fn nodes(&self, indices: impl IntoIterator<Item = u64>) -> Vec<Output<Sha256>> {
        let mut zeros = self.zeros.clone();
        let node = |index: u64| {
            let depth = index.ilog2();
            let height = self.height() - depth;
            let level = self.level(height as usize).as_chunks().0;
            let at = usize::try_from(index - (1 << depth)).ok();
            if let Some(node) = at.and_then(|at| level.get(at)) {
                return digest_of::<Sha256>(node);
            }
            // behind the end of a level
            let last = level.last().map_or(&[][..], Digest::as_slice);
            digest_of::<Sha256>(
                &self.rules.completion(last, height, &mut zeros).unwrap_or_default(),
            )
        };
        indices.into_iter().map(node).collect()
    }
}

/// The root of the tree with these nodes and this proof. `check` is called with the two digests of each node on
/// a path, and the index of the left one.
pub(super) fn root(
    frame: &Frame,
    nodes: &[(u64, impl AsRef<[u8]>)],
    proof: &[impl AsRef<[u8]>],
    mut check: impl FnMut(u64, &Digest, &Digest) -> Result<(), Error>,
) -> Result<Digest, Error> {
    let siblings = siblings(nodes.iter().map(|(index, _)| *index))?;
    ensure_proved(siblings.len() == proof.len())?;
    let nodes = nodes.iter().map(|(index, node)| digest(*index, node.as_ref()));
    let proof = siblings.into_iter().zip(proof).map(|(index, node)| digest(index, node.as_ref()));
    let mut given = nodes.chain(proof).collect::<Result<Vec<_>, _>>()?;
    given.sort();
    let function = NodeFunction::SHA256.on(Backend::detect());
    let (mut level, mut pairs, mut digests) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let (deepest, _) = level.last().max(given.last()).ok_or(Error::Proof)?;
        let first = 1 << deepest.ilog2();
        level.extend(given.drain(given.partition_point(|(index, _)| *index < first)..));
        // two runs in order, which a stable sort merges; of a node that is given and computed one is left, if
        // they are equal
        level.sort();
        level.dedup();
        if first == 1 {
            break;
        }
        pairs.clear();
        for pair in level.chunks(2) {
            let [(left, l), (right, r)] = pair else { return Err(Error::Proof) };
            ensure_proved(left % 2 == 0 && left + 1 == *right)?;
            check(*left, l, r)?;
            pairs.extend([*l, *r]);
        }
        digests.resize(pairs.len() / 2, Digest::default());
        let (bytes, size) = (pairs.as_flattened(), 2 * size_of::<Digest>());
        let nodes = Batch::records(digests.len(), bytes, size);
        frame.hash(&function, &nodes, digests.as_flattened_mut());
        for (parent, digest) in digests.iter().enumerate() {
            level[parent] = (level[2 * parent].0 / 2, *digest);
        }
        level.truncate(digests.len());
    }
    let [(_, root)] = level[..] else { return Err(Error::Proof) };
    Ok(root)
}

fn digest(index: u64, bytes: &[u8]) -> Result<(u64, Digest), Error> {
    Ok((index, bytes.try_into().map_err(|_| Error::Proof)?))
}

pub(super) fn ensure_proved(is_proved: bool) -> Result<(), Error> {
    if is_proved { Ok(()) } else { Err(Error::Proof) }
}
