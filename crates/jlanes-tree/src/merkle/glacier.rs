//! Amazon Glacier's tree hash: leaves of 1 MiB, combined in pairs; an odd digest is promoted.
//!
//! Leaves and nodes are not separated: the 64 bytes of two leaves' digests have the same tree hash
//! as the two leaves. Compare it together with the archive's length.

use core::{convert::Infallible, marker::PhantomData};

use jlanes_core::{batch::MultiDigest, engine::Engine, hashes::sha2::Sha256};

use super::{CompressionOf, DigestOf, Format, Frame, Leaf, Node, Odd, Summary};
use crate::linear::Linear;

/// Bytes of a leaf.
const LEAF: usize = 1 << 20;

/// The tree hash of an archive. For an empty archive it is the hash of the empty string.
#[derive(Clone, Copy, Debug)]
pub struct Glacier<H>(PhantomData<H>);

impl<H> Default for Glacier<H> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<H: MultiDigest<Function = Sha256> + Clone> Format for Glacier<H> {
    type Hash = H;
    type Output = DigestOf<Self>;
    type Error = Infallible;

    fn leaf(&self) -> Leaf {
        Leaf::plain(LEAF)
    }

    fn node(&self) -> Node {
        Node::pair::<Sha256>(Frame::NONE, Odd::Promote)
    }

    fn output<E: Engine<CompressionOf<Self>>>(
        &self,
        engine: E,
        tree: Summary<Sha256>,
    ) -> Result<DigestOf<Self>, Infallible> {
        Ok(tree.root.unwrap_or_else(|| Linear::<Sha256, E>::new(engine).finish()))
    }
}
