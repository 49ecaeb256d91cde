//! Inclusion and consistency proofs (RFC 6962, section 2.1; RFC 9162, sections 2.1.3 and 2.1.4).

use alloc::vec::Vec;

use jlanes_core::{batch::MultiDigest, engine::Engine};

use super::{LEAF, NODE, Rfc6962};
use crate::{
    linear::Linear,
    merkle::{CompressionOf, DigestOf, EngineOf, Error, FunctionOf, NodeHash, Tree},
};

impl<H, E> Tree<Rfc6962<H>, E>
where
    H: MultiDigest<Function: NodeHash> + Clone,
    E: Engine<CompressionOf<Rfc6962<H>>>,
{
    /// The proof that leaf `index` is in this tree: the siblings on the path to the root.
    ///
    /// # Errors
    /// [`Error::NoSuchLeaf`].
    pub fn inclusion(&self, index: usize) -> Result<Vec<DigestOf<Rfc6962<H>>>, Error> {
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
    pub fn consistency(&self, old: usize) -> Result<Vec<DigestOf<Rfc6962<H>>>, Error> {
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
            proof.push(self.level(height)[index]);
        }
        proof.extend(self.siblings(index, height));
        Ok(proof)
    }

    /// The siblings on the path from a digest to the root.
    fn siblings(&self, mut index: usize, mut height: usize) -> Vec<DigestOf<Rfc6962<H>>> {
        let mut siblings = Vec::new();
        while self.level(height).len() > 1 {
            siblings.extend(self.level(height).get(index ^ 1));
            (index, height) = (index / 2, height + 1);
        }
        siblings
    }
}

type Digest<H> = DigestOf<Rfc6962<H>>;

/// Checks that `entry` is leaf `index` of the tree with `leaves` leaves and this root.
///
/// # Errors
/// [`Error::NoSuchLeaf`], or [`Error::Proof`] if the proof is invalid.
pub fn verify_inclusion<H: MultiDigest<Function: NodeHash> + Clone>(
    entry: &[u8],
    (index, leaves): (u64, u64),
    proof: &[Digest<H>],
    root: &Digest<H>,
) -> Result<(), Error> {
    if index >= leaves {
        return Err(Error::NoSuchLeaf { index, leaves });
    }
    let mut way = Way { index, last: leaves - 1 };
    let mut digest = hash::<H>(&[&[LEAF], entry]);
    for sibling in proof {
        digest = match way.step()? {
            Side::Left => node::<H>(sibling, &digest),
            Side::Right => node::<H>(&digest, sibling),
        };
    }
    if way.last == 0 && digest == *root { Ok(()) } else { Err(Error::Proof) }
}

/// Checks that the tree of `new.0` leaves with root `new.1` extends the tree `old`.
///
/// # Errors
/// [`Error::Proof`] if the proof is invalid.
pub fn verify_consistency<H: MultiDigest<Function: NodeHash> + Clone>(
    old: (u64, &Digest<H>),
    new: (u64, &Digest<H>),
    proof: &[Digest<H>],
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
        Some(first) => first,
        None => return Err(Error::Proof),
    };
    let (mut of_old, mut of_new) = (*start, *start);
    for sibling in rest {
        match way.step()? {
            Side::Left => {
                of_old = node::<H>(sibling, &of_old);
                of_new = node::<H>(sibling, &of_new);
            }
            Side::Right => of_new = node::<H>(&of_new, sibling),
        }
    }
    let shown = way.last == 0 && of_old == *old_root && of_new == *new_root;
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
    /// Climbs to the next level with a sibling.
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

fn hash<H: MultiDigest<Function: NodeHash> + Clone>(pieces: &[&[u8]]) -> Digest<H> {
    let engine: EngineOf<Rfc6962<H>> = H::engine();
    let start = Linear::<FunctionOf<Rfc6962<H>>, _>::new(engine);
    pieces.iter().fold(start, |one, piece| one.chain(piece)).finish()
}

fn node<H: MultiDigest<Function: NodeHash> + Clone>(
    left: &Digest<H>,
    right: &Digest<H>,
) -> Digest<H> {
    hash::<H>(&[&[NODE], left, right])
}
