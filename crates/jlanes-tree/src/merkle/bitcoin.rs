//! Bitcoin's Merkle root of transaction ids: 64-byte nodes, hashed twice.
//!
//! An odd level repeats its last digest, so some lists with repetitions have the same root as
//! shorter ones (CVE-2012-2459): [`Root::is_mutated`] tells.

use core::marker::PhantomData;

use jlanes_core::{batch::MultiDigest, engine::Engine, hashes::sha2::Sha256};

use super::{CompressionOf, DigestOf, Error, Format, Frame, Leaf, LeafKind, Node, Odd, Summary};

/// Bytes of a transaction id.
const ID: usize = 32;

/// A root, and whether its list may be another one in disguise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Root<D> {
    /// The root.
    pub root: D,
    /// Whether two equal digests have a node of their own: `[a, b, c, c]` has the root of `[a, b, c]`. A
    /// block with such a list is invalid, and that says nothing of the block with the shorter list.
    pub is_mutated: bool,
}

/// The root of a list of transaction ids in internal byte order; explorers print them reversed.
#[derive(Clone, Copy, Debug)]
pub struct Bitcoin<H>(PhantomData<H>);

impl<H> Default for Bitcoin<H> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<H: MultiDigest<Function = Sha256> + Clone> Format for Bitcoin<H> {
    type Hash = H;
    type Output = Root<DigestOf<Self>>;
    type Error = Error;

    fn leaf(&self) -> Leaf {
        Leaf { kind: LeafKind::Digest, ..Leaf::plain(ID) }
    }

    fn node(&self) -> Node {
        Node::pair::<Sha256>(Frame { twice: true, ..Frame::NONE }, Odd::Repeat)
    }

    fn output<E: Engine<CompressionOf<Self>>>(
        &self,
        _engine: E,
        tree: Summary<Sha256>,
    ) -> Result<Self::Output, Error> {
        if !tree.len.is_multiple_of(ID as u64) {
            return Err(Error::Partial { len: tree.len, block: ID });
        }
        let root = tree.root.ok_or(Error::Empty)?;
        Ok(Root { root, is_mutated: tree.has_twins })
    }
}
