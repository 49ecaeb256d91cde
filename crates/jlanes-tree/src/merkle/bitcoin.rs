//! Bitcoin's Merkle root of transaction ids: 64-byte nodes, hashed twice.
//!
//! An odd level repeats its last digest, so some lists with repetitions have the same root as shorter ones
//! (CVE-2012-2459): [`Root::is_mutated`] marks them, and a proof through a repeated node is refused.

use alloc::vec::Vec;

use jlanes_core::{hash::Output, hashes::sha2::Sha256};

use super::{
    Error, Format, Frame, Leaf, LeafKind, NodeFunction, Odd, Rules, Summary, Tree, digest_of,
    proof::{self, ensure_proved},
};

/// Bytes of a transaction id.
const ID_BYTES: usize = 32;

/// A root, with the mark of a list that has the root of a shorter one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Root {
    /// The root.
    pub root: Output<Sha256>,
    /// Whether two equal digests have a node of their own: `[a, b, c, c]` has the root of `[a, b, c]`. A
    /// block with such a list is invalid, and that says nothing of the block with the shorter list.
    pub is_mutated: bool,
}

/// The root of a list of transaction ids in internal byte order; explorers print them reversed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bitcoin;

impl Bitcoin {
    fn node() -> Frame {
        Frame { twice: true, ..Frame::NONE }
    }

    /// Checks that transaction `index` of a block with `transactions` of them has this id, in internal byte
    /// order as the proof and the root.
    ///
    /// A header does not tell the number of transactions, and the 64 bytes of a node could pass for a
    /// transaction. A proof of the coinbase, the first one, tells the height of the tree: it has as many
    /// digests.
    ///
    /// # Errors
    /// [`Error::NoSuchLeaf`] if the block has no such transaction; [`Error::Mutated`] if two equal digests on
    /// the path have a node of their own; [`Error::Proof`] if the proof is invalid.
    pub fn verify(
        id: &[u8],
        (index, transactions): (u64, u64),
        proof: &[impl AsRef<[u8]>],
        root: &[u8],
    ) -> Result<(), Error> {
        let index_of = generalized_index(index, transactions)?;
        let found = proof::root(&Self::node(), &[(index_of, id)], proof, |left, l, r| {
            let depth = left.ilog2();
            let last = (transactions - 1) >> (index_of.ilog2() - depth);
            // of an odd level, the last digest is repeated
            let is_repeated = left - (1 << depth) == last;
            match (is_repeated, l == r) {
                (true, true) | (false, false) => Ok(()),
                (true, false) => Err(Error::Proof),
                (false, true) => Err(Error::Mutated),
            }
        })?;
        ensure_proved(found == *root)
    }
}

/// The generalized index of a leaf.
fn generalized_index(index: u64, leaves: u64) -> Result<u64, Error> {
    let width = leaves.checked_next_power_of_two().filter(|_| index < leaves);
    Ok(width.ok_or(Error::NoSuchLeaf { index, leaves })? + index)
}

impl Tree<Bitcoin> {
    /// The proof that transaction `index` is in the block: the siblings on the path to the root, from the
    /// bottom up.
    ///
    /// # Errors
    /// [`Error::NoSuchLeaf`].
    pub fn inclusion(&self, index: usize) -> Result<Vec<Output<Sha256>>, Error> {
        self.branches([generalized_index(index as u64, self.leaves() as u64)?])
    }
}

impl Format for Bitcoin {
    type Output = Root;
    type Error = Error;

    fn rules(&self) -> Rules {
        let leaf = Leaf { kind: LeafKind::Digest, ..Leaf::plain(ID_BYTES) };
        Rules::pairs(NodeFunction::SHA256, leaf, Self::node(), Odd::Repeat)
    }

    fn output(&self, tree: Summary<'_>) -> Result<Self::Output, Error> {
        if !tree.len.is_multiple_of(ID_BYTES as u64) {
            return Err(Error::Partial { len: tree.len, block: ID_BYTES });
        }
        let root = tree.root.ok_or(Error::Empty)?;
        Ok(Root { root: digest_of::<Sha256>(&root), is_mutated: tree.has_twins })
    }
}
