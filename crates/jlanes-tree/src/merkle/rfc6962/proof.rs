//! Inclusion and consistency proofs (RFC 6962, section 2.1; RFC 9162, sections 2.1.3 and 2.1.4).

use alloc::{boxed::Box, vec::Vec};

use jlanes_core::batch::{MultiDigest, Start, function::AnyFunction};

use super::{LEAF, NODE, Rfc6962};
use crate::merkle::{Error, Tree, hash};

impl Tree<Rfc6962> {
    /// The proof that leaf `index` is in this tree: the siblings on the path to the root.
    ///
    /// # Errors
    /// [`Error::NoSuchLeaf`].
    pub fn inclusion(&self, index: usize) -> Result<Vec<Box<[u8]>>, Error> {
        let leaves = self.leaves();
        if index >= leaves {
            return Err(Error::NoSuchLeaf { index: index as u64, leaves: leaves as u64 });
        }
        Ok(self.siblings(index, 0))
    }

    /// The proof that this tree extends the tree of its first `old` leaves.
    ///
    /// # Errors
    /// [`Error::NoSuchLeaf`] if this tree has less than `old` leaves, or `old` is 0: every tree
    /// extends the empty one, and there is nothing to prove.
    pub fn consistency(&self, old: usize) -> Result<Vec<Box<[u8]>>, Error> {
        let leaves = self.leaves();
        if old == 0 || old > leaves {
            return Err(Error::NoSuchLeaf { index: old as u64, leaves: leaves as u64 });
        }
        if old == leaves {
            return Ok(Vec::new());
        }
        // the paths of both trees diverge above the old tree's last complete subtree
        let height = old.trailing_zeros() as usize;
        let index = (old >> height) - 1;
        let mut proof = Vec::new();
        if !old.is_power_of_two() {
            proof.extend(self.digest_at(height, index));
        }
        proof.extend(self.siblings(index, height));
        Ok(proof)
    }

    /// The siblings on the path from a digest to the root.
    fn siblings(&self, mut index: usize, mut height: usize) -> Vec<Box<[u8]>> {
        let mut siblings = Vec::new();
        while self.count(height) > 1 {
            siblings.extend(self.digest_at(height, index ^ 1));
            (index, height) = (index / 2, height + 1);
        }
        siblings
    }
}

/// Checks that `entry` is leaf `index` of the tree with `leaves` leaves and this root.
///
/// # Errors
/// [`Error::NoSuchLeaf`], or [`Error::Proof`] if the proof is invalid.
pub fn verify_inclusion<H: MultiDigest>(
    entry: &[u8],
    (index, leaves): (u64, u64),
    proof: &[impl AsRef<[u8]>],
    root: &[u8],
) -> Result<(), Error> {
    if index >= leaves {
        return Err(Error::NoSuchLeaf { index, leaves });
    }
    let mut way = Way { index, last: leaves - 1 };
    let nodes = NodeHash::of::<H>();
    let mut digest = hash(&nodes.0, [&[LEAF], entry]);
    for sibling in proof {
        digest = match way.step()? {
            Side::Left => nodes.node(sibling.as_ref(), &digest)?,
            Side::Right => nodes.node(&digest, sibling.as_ref())?,
        };
    }
    if way.last == 0 && *digest == *root { Ok(()) } else { Err(Error::Proof) }
}

/// Checks that the tree of `new.0` leaves with root `new.1` extends the tree `old`.
///
/// # Errors
/// [`Error::Proof`] if the proof is invalid.
pub fn verify_consistency<H: MultiDigest>(
    old: (u64, &[u8]),
    new: (u64, &[u8]),
    proof: &[impl AsRef<[u8]>],
) -> Result<(), Error> {
    let ((old, old_root), (new, new_root)) = (old, new);
    if old == 0 || old > new {
        return Err(Error::NoSuchLeaf { index: old, leaves: new });
    }
    if old == new {
        let same = proof.is_empty() && old_root == new_root;
        return if same { Ok(()) } else { Err(Error::Proof) };
    }
    let height = old.trailing_zeros();
    let mut way = Way { index: (old - 1) >> height, last: (new - 1) >> height };
    let (start, rest) = match proof.split_first() {
        _ if old.is_power_of_two() => (old_root, proof),
        Some((first, rest)) => (first.as_ref(), rest),
        None => return Err(Error::Proof),
    };
    let nodes = NodeHash::of::<H>();
    let (mut of_old, mut of_new): (Box<[u8]>, Box<[u8]>) = (start.into(), start.into());
    for sibling in rest {
        match way.step()? {
            Side::Left => {
                of_old = nodes.node(sibling.as_ref(), &of_old)?;
                of_new = nodes.node(sibling.as_ref(), &of_new)?;
            }
            Side::Right => of_new = nodes.node(&of_new, sibling.as_ref())?,
        }
    }
    let shown = way.last == 0 && *of_old == *old_root && *of_new == *new_root;
    if shown { Ok(()) } else { Err(Error::Proof) }
}

/// The side of a proof's next sibling.
enum Side {
    Left,
    Right,
}

/// The path from a digest to the root: its index in its level, and that of the level's last digest.
struct Way {
    index: u64,
    last: u64,
}

impl Way {
    /// Moves up to the next level with a sibling.
    fn step(&mut self) -> Result<Side, Error> {
        // a digest with an even index at the end of its level has no sibling and is promoted
        while self.index.is_multiple_of(2) && self.index == self.last && self.last > 0 {
            (self.index, self.last) = (self.index / 2, self.last / 2);
        }
        if self.last == 0 {
            return Err(Error::Proof);
        }
        let side = if self.index % 2 == 1 { Side::Left } else { Side::Right };
        (self.index, self.last) = (self.index / 2, self.last / 2);
        Ok(side)
    }
}

/// The hash of a log's nodes.
struct NodeHash(AnyFunction);

impl NodeHash {
    fn of<H: MultiDigest>() -> Self {
        Self(Start::<H::Function>::new().function(H::backend()))
    }

    /// The node over two digests, which a proof may give in any length.
    fn node(&self, left: &[u8], right: &[u8]) -> Result<Box<[u8]>, Error> {
        let size = self.0.output_size();
        let fit = left.len() == size && right.len() == size;
        if fit { Ok(hash(&self.0, [&[NODE], left, right])) } else { Err(Error::Proof) }
    }
}
