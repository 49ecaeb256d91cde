//! SSZ's `hash_tree_root` of chunks (Ethereum's consensus specification): 64-byte nodes.
//!
//! Chunks of 32 bytes are used as the leaves' digests. The tree is padded with zero chunks to the
//! next power of two or to the type's limit.

use core::marker::PhantomData;

use jlanes_core::{batch::MultiDigest, engine::Engine, hashes::sha2::Sha256};

use super::{
    CompressionOf, DigestOf, Error, Format, Frame, Leaf, LeafKind, Node, Odd, Plan, Summary, Zeros,
    digest_of,
};
use crate::linear::Linear;

/// Bytes of a chunk.
const CHUNK: usize = 32;

/// `merkleize(chunks, limit)`. The message is the chunks; the last one is padded with zeros.
#[derive(Clone, Copy, Debug)]
pub struct Ssz<H> {
    limit: Option<u64>,
    hash: PhantomData<H>,
}

impl<H> Default for Ssz<H> {
    fn default() -> Self {
        Self { limit: None, hash: PhantomData }
    }
}

impl<H> Ssz<H> {
    /// A type with at most `limit` chunks.
    #[must_use]
    pub fn with_limit(limit: u64) -> Self {
        Self { limit: Some(limit), hash: PhantomData }
    }

    fn height(&self) -> u32 {
        // the logarithm of the next power of two
        self.limit.map_or(0, |limit| u64::BITS - limit.saturating_sub(1).leading_zeros())
    }
}

impl<H: MultiDigest<Function = Sha256> + Clone> Ssz<H> {
    /// `mix_in_length(root, length)`, for lists.
    #[must_use]
    pub fn mix_in_length(root: &DigestOf<Self>, length: u64) -> DigestOf<Self> {
        let one = Linear::<Sha256, H::Engine>::new(H::engine()).chain(root);
        one.chain(&length.to_le_bytes()).chain(&[0; CHUNK - 8]).finish()
    }
}

impl<H: MultiDigest<Function = Sha256> + Clone> Format for Ssz<H> {
    type Hash = H;
    type Output = DigestOf<Self>;
    type Error = Error;

    fn leaf(&self) -> Leaf {
        Leaf { kind: LeafKind::Digest, ..Leaf::plain(CHUNK) }
    }

    fn node(&self) -> Node {
        Node { height: self.height(), ..Node::pair::<Sha256>(Frame::NONE, Odd::ZeroSubtree) }
    }

    fn output<E: Engine<CompressionOf<Self>>>(
        &self,
        engine: E,
        tree: Summary<Sha256>,
    ) -> Result<DigestOf<Self>, Error> {
        let chunks = tree.len.div_ceil(CHUNK as u64);
        if let Some(limit) = self.limit.filter(|limit| chunks > *limit) {
            return Err(Error::TooManyChunks { chunks, limit });
        }
        Ok(tree.root.unwrap_or_else(|| {
            let plan = Plan::new(engine, self);
            digest_of::<Sha256>(Zeros::new().at(&plan, self.height()))
        }))
    }
}
