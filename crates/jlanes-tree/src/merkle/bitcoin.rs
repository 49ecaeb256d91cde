//! Bitcoin's Merkle root of transaction ids: 64-byte nodes, hashed twice.
//!
//! An odd level repeats its last digest, so some lists with repetitions have the same root as shorter ones
//! (CVE-2012-2459): [`Root::is_mutated`] marks them.

use jlanes_core::{hash::Output, hashes::sha2::Sha256};

use super::{Error, Format, Frame, Function, Leaf, LeafKind, Odd, Rules, Summary, digest_of};

/// Bytes of a transaction id.
const ID: usize = 32;

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

impl Format for Bitcoin {
    type Output = Root;
    type Error = Error;

    fn rules(&self) -> Rules {
        let leaf = Leaf { kind: LeafKind::Digest, ..Leaf::plain(ID) };
        Rules::pairs(Function::SHA256, leaf, Frame { twice: true, ..Frame::NONE }, Odd::Repeat)
    }

    fn output(&self, tree: Summary<'_>) -> Result<Self::Output, Error> {
        if !tree.len.is_multiple_of(ID as u64) {
            return Err(Error::Partial { len: tree.len, block: ID });
        }
        let root = tree.root.ok_or(Error::Empty)?;
        Ok(Root { root: digest_of::<Sha256>(&root), is_mutated: tree.has_twins })
    }
}
