//! Proofs of a kept [`Tree`], and their verification (RFC 6962, section 2.1; RFC 9162, sections 2.1.3 and
//! 2.1.4; Merkle Tree Certificates, section 4).

use alloc::{boxed::Box, vec::Vec};
use core::ops::Range;

use jlanes_core::function::{AnyFunction, DigestOnKernels, Start};

use super::{
    LEAF_PREFIX, LogProof, NODE_PREFIX, Rfc6962,
    subtree::{bit_len, check_entry, check_subtree, full_nodes},
};
use crate::merkle::{Error, Tree, hash, proof::ensure_proved};

impl Tree<Rfc6962> {
    /// The hash of the subtree of the entries in `range`.
    ///
    /// # Errors
    /// [`Error::NotSubtree`]; [`Error::NoSuchLeaf`] if this tree is shorter.
    pub fn subtree(&self, range: Range<u64>) -> Result<Box<[u8]>, Error> {
        check_subtree(&range, self.leaves() as u64)?;
        self.subtree_hash(&range, self.leaves() as u64)
    }

    /// The hash of a subtree of this tree, of `leaves` leaves.
    fn subtree_hash(&self, range: &Range<u64>, leaves: u64) -> Result<Box<[u8]>, Error> {
        let (len, size) = (range.end - range.start, self.rules.digest_size());
        let digest = |(height, index): (u32, u64)| {
            &self.level(height as usize)[index as usize * size..][..size]
        };
        if len.is_power_of_two() || len > 0 && range.end == leaves {
            // the last digest of a level may be over fewer leaves than the others
            let height = bit_len(len - 1);
            return Ok(digest((height, range.start >> height)).into());
        }
        LogHash(self.rules.function).combine(full_nodes(range.clone()).map(digest))
    }

    /// The proof that leaf `index` is in this tree: the siblings on the path to the root.
    ///
    /// # Errors
    /// [`Error::NoSuchLeaf`].
    pub fn inclusion(&self, index: usize) -> Result<Vec<Box<[u8]>>, Error> {
        self.inclusion_in(0..self.leaves() as u64, index as u64)
    }

    /// The proof that leaf `index` is in the subtree of the entries in `range`.
    ///
    /// # Errors
    /// [`Error::NotSubtree`]; [`Error::NoSuchLeaf`] if the subtree has no such leaf, or this tree is shorter.
    pub fn inclusion_in(&self, range: Range<u64>, index: u64) -> Result<Vec<Box<[u8]>>, Error> {
        check_subtree(&range, self.leaves() as u64)?;
        self.prove(&LogProof::inclusion(range, index)?)
    }

    /// The proof that this tree extends the tree of its first `old` leaves.
    ///
    /// # Errors
    /// [`Error::NoSuchLeaf`] if this tree has less than `old` leaves; [`Error::EmptyTree`] if `old` is 0.
    pub fn consistency(&self, old: usize) -> Result<Vec<Box<[u8]>>, Error> {
        let (old, leaves) = (old as u64, self.leaves() as u64);
        check_old(old, leaves)?;
        self.subtree_consistency(0..old, leaves)
    }

    /// The proof that the tree of the first `leaves` leaves has the subtree of the entries in `range`.
    ///
    /// # Errors
    /// [`Error::NotSubtree`]; [`Error::NoSuchLeaf`] if one of these trees is shorter.
    pub fn subtree_consistency(
        &self,
        range: Range<u64>,
        leaves: u64,
    ) -> Result<Vec<Box<[u8]>>, Error> {
        check_subtree(&(0..leaves), self.leaves() as u64)?;
        self.prove(&LogProof::consistency(range, leaves)?)
    }

    /// The hashes of a proof about this tree.
    fn prove(&self, proof: &LogProof) -> Result<Vec<Box<[u8]>>, Error> {
        let leaves = self.leaves() as u64;
        proof.subtrees().iter().map(|subtree| self.subtree_hash(subtree, leaves)).collect()
    }
}

/// The hash of an entry as a leaf.
#[must_use]
pub fn leaf_hash<H: DigestOnKernels>(entry: &[u8]) -> Box<[u8]> {
    hash(&LogHash::of::<H>().0, [&[LEAF_PREFIX], entry])
}

/// The size and the root of a tree, as a log signs them.
#[derive(Clone, Copy, Debug)]
pub struct TreeHead<'h> {
    /// The number of leaves.
    pub leaves: u64,
    /// The root.
    pub root: &'h [u8],
}

/// The place and the hash of a subtree.
#[derive(Clone, Debug)]
pub struct Subtree<'h> {
    /// The indices of its entries in the tree.
    pub range: Range<u64>,
    /// Its hash.
    pub hash: &'h [u8],
}

/// Checks that `entry` is leaf `index` of the tree with `leaves` leaves and this root.
///
/// # Errors
/// [`Error::NoSuchLeaf`] if the tree has no leaf `index`; [`Error::Proof`] if the proof is invalid.
pub fn verify_inclusion<H: DigestOnKernels>(
    entry: &[u8],
    (index, leaves): (u64, u64),
    proof: &[impl AsRef<[u8]>],
    root: &[u8],
) -> Result<(), Error> {
    let tree = Subtree { range: 0..leaves, hash: root };
    verify_leaf_inclusion::<H>(&leaf_hash::<H>(entry), index, proof, tree)
}

/// Checks that the leaf with the hash `leaf`, by [`leaf_hash`], has this index in the subtree.
///
/// # Errors
/// [`Error::NotSubtree`]; [`Error::NoSuchLeaf`] if `index` is not in the subtree; [`Error::Proof`] if the proof
/// is invalid.
pub fn verify_leaf_inclusion<H: DigestOnKernels>(
    leaf: &[u8],
    index: u64,
    proof: &[impl AsRef<[u8]>],
    Subtree { range, hash }: Subtree<'_>,
) -> Result<(), Error> {
    ensure_proved(*inclusion_root::<H>(leaf, index, range, proof)? == *hash)
}

/// The hash that a subtree must have if the proof is valid for the leaf with the hash `leaf` at this index.
///
/// # Errors
/// [`Error::NotSubtree`]; [`Error::NoSuchLeaf`] if the index is not in the range; [`Error::Proof`] if no proof of
/// this place has such hashes.
pub fn inclusion_root<H: DigestOnKernels>(
    leaf: &[u8],
    index: u64,
    range: Range<u64>,
    proof: &[impl AsRef<[u8]>],
) -> Result<Box<[u8]>, Error> {
    check_entry(&range, index)?;
    let first = index - range.start;
    let path = ProofPath { first, index: first, last: range.end - range.start - 1 };
    let [_, of_tree] = path.climb::<H>(leaf, proof)?;
    Ok(of_tree)
}

/// Checks that the tree `new` extends the tree `old`. Of each, the number of leaves and the root are given.
///
/// # Errors
/// [`Error::EmptyTree`] if `old` has no leaf; [`Error::NoSuchLeaf`] if it has more than `new`; [`Error::Proof`] if
/// the proof is invalid.
pub fn verify_consistency<H: DigestOnKernels>(
    old: (u64, &[u8]),
    new: (u64, &[u8]),
    proof: &[impl AsRef<[u8]>],
) -> Result<(), Error> {
    check_old(old.0, new.0)?;
    let (old, new) =
        (Subtree { range: 0..old.0, hash: old.1 }, TreeHead { leaves: new.0, root: new.1 });
    verify_subtree_consistency::<H>(old, new, proof)
}

/// Checks that the tree has the subtree.
///
/// # Errors
/// [`Error::NotSubtree`]; [`Error::NoSuchLeaf`] if the tree is shorter; [`Error::Proof`] if the proof is
/// invalid.
pub fn verify_subtree_consistency<H: DigestOnKernels>(
    Subtree { range, hash: node }: Subtree<'_>,
    TreeHead { leaves, root }: TreeHead<'_>,
    proof: &[impl AsRef<[u8]>],
) -> Result<(), Error> {
    check_subtree(&range, leaves)?;
    if range.is_empty() {
        return ensure_proved(proof.is_empty() && *LogHash::of::<H>().empty() == *node);
    }
    let (first, index, last) = (range.start, range.end - 1, leaves - 1);
    // the part's last complete subtree, where the paths of part and tree diverge
    let height =
        bit_len(first ^ index).min(if index == last { u64::BITS } else { index.trailing_ones() });
    let above = |index: u64| index.checked_shr(height).unwrap_or(0);
    let path = ProofPath { first: above(first), index: above(index), last: above(last) };
    let (start, rest) = match proof.split_first() {
        _ if path.first == path.index => (node, proof),
        Some((start, rest)) => (start.as_ref(), rest),
        None => return Err(Error::Proof),
    };
    let [of_part, of_tree] = path.climb::<H>(start, rest)?;
    ensure_proved(*of_part == *node && *of_tree == *root)
}

/// Checks that a log of `old` entries can be proved to have grown to `leaves`.
fn check_old(old: u64, leaves: u64) -> Result<(), Error> {
    match old {
        0 => Err(Error::EmptyTree),
        _ if old > leaves => Err(Error::NoSuchLeaf { index: old, leaves }),
        _ => Ok(()),
    }
}

/// The side of a proof's next sibling.
enum Side {
    Left,
    Right,
}

/// A place on the path from the last digest of a part to the root of the whole tree. It has three indices in its
/// level: of the part's first and last digest, and of the level's last.
struct ProofPath {
    first: u64,
    index: u64,
    last: u64,
}

impl ProofPath {
    /// The hashes of the part and of the whole tree.
    fn climb<H: DigestOnKernels>(
        mut self,
        start: &[u8],
        proof: &[impl AsRef<[u8]>],
    ) -> Result<[Box<[u8]>; 2], Error> {
        let nodes = LogHash::of::<H>();
        ensure_proved(start.len() == nodes.0.output_size())?;
        let (mut of_part, mut of_tree): (Box<[u8]>, Box<[u8]>) = (start.into(), start.into());
        for sibling in proof {
            let in_part = self.first < self.index;
            match self.step()? {
                Side::Left => {
                    if in_part {
                        of_part = nodes.node(sibling.as_ref(), &of_part)?;
                    }
                    of_tree = nodes.node(sibling.as_ref(), &of_tree)?;
                }
                Side::Right => of_tree = nodes.node(&of_tree, sibling.as_ref())?,
            }
        }
        ensure_proved(self.last == 0)?;
        Ok([of_part, of_tree])
    }

    /// Moves up to the next level with a sibling.
    fn step(&mut self) -> Result<Side, Error> {
        // a digest with an even index at the end of its level has no sibling and is promoted
        while self.index.is_multiple_of(2) && self.index == self.last && self.last > 0 {
            self.up();
        }
        ensure_proved(self.last > 0)?;
        let side = if self.index % 2 == 1 { Side::Left } else { Side::Right };
        self.up();
        Ok(side)
    }

    fn up(&mut self) {
        let Self { first, index, last } = self;
        (*first, *index, *last) = (*first / 2, *index / 2, *last / 2);
    }
}

/// The hash of a log, for its entries and nodes.
pub(super) struct LogHash(pub(super) AnyFunction);

impl LogHash {
    pub(super) fn of<H: DigestOnKernels>() -> Self {
        Self(Start::<H::Hash>::new().function(H::backend()))
    }

    /// The hash of no entries.
    pub(super) fn empty(&self) -> Box<[u8]> {
        hash(&self.0, [&[]])
    }

    /// The node over two digests, which a proof may give in any length.
    fn node(&self, left: &[u8], right: &[u8]) -> Result<Box<[u8]>, Error> {
        let size = self.0.output_size();
        ensure_proved(left.len() == size && right.len() == size)?;
        Ok(hash(&self.0, [&[NODE_PREFIX], left, right]))
    }

    /// The hash of a subtree from those of its full nodes.
    pub(super) fn combine(
        &self,
        full: impl DoubleEndedIterator<Item = impl AsRef<[u8]>>,
    ) -> Result<Box<[u8]>, Error> {
        let mut full = full.rev();
        let last = full.next().map_or_else(|| self.empty(), |last| last.as_ref().into());
        full.try_fold(last, |right, left| self.node(left.as_ref(), &right))
    }
}
