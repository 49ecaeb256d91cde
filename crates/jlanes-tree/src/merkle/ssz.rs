//! SSZ's `hash_tree_root` of chunks (Ethereum's consensus specification): 64-byte nodes.
//!
//! Chunks of 32 bytes are used as the leaves' digests. The tree is padded with zero chunks to the
//! next power of two or to the type's limit.

use jlanes_core::{hash::Output, hashes::sha2::Sha256};
use jlanes_simd::Backend;

use super::{
    Error, Format, Frame, Function, Leaf, LeafKind, Odd, Recipe, Rules, Summary, Zeros, digest_of,
    hash,
};

/// Bytes of a chunk.
const CHUNK: usize = 32;

/// `merkleize(chunks, limit)`. The message is the chunks; the last one is padded with zeros.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ssz {
    limit: Option<u64>,
}

impl Ssz {
    /// A type with at most `limit` chunks.
    #[must_use]
    pub fn with_limit(limit: u64) -> Self {
        Self { limit: Some(limit) }
    }

    fn height(&self) -> u32 {
        // the logarithm of the next power of two
        self.limit.map_or(0, |limit| u64::BITS - limit.saturating_sub(1).leading_zeros())
    }

    /// `mix_in_length(root, length)`, for lists.
    #[must_use]
    pub fn mix_in_length(root: &Output<Sha256>, length: u64) -> Output<Sha256> {
        let pieces = [&root[..], &length.to_le_bytes(), &[0; CHUNK - 8]];
        digest_of::<Sha256>(&hash(&Function::SHA256.on(Backend::detect()), pieces))
    }
}

impl Format for Ssz {
    type Output = Output<Sha256>;
    type Error = Error;

    fn rules(&self) -> Rules {
        let leaf = Leaf { kind: LeafKind::Digest, ..Leaf::plain(CHUNK) };
        let mut rules = Rules::pairs(Function::SHA256, leaf, Frame::NONE, Odd::ZeroSubtree);
        rules.node.height = self.height();
        rules
    }

    fn output(&self, tree: Summary<'_>) -> Result<Output<Sha256>, Error> {
        let chunks = tree.len.div_ceil(CHUNK as u64);
        if let Some(limit) = self.limit.filter(|limit| chunks > *limit) {
            return Err(Error::TooManyChunks { chunks, limit });
        }
        let empty = || {
            let function = *tree.function;
            let recipe = Recipe { function, ..Recipe::new(Backend::portable(), self) };
            Zeros::new().at(&recipe, self.height()).into()
        };
        Ok(digest_of::<Sha256>(&tree.root.unwrap_or_else(empty)))
    }
}
