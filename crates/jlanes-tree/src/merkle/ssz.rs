//! SSZ's `hash_tree_root` of chunks (Ethereum's consensus specification): 64-byte nodes.
//!
//! Chunks of 32 bytes are used as the leaves' digests. The tree is padded with zero chunks to the
//! next power of two or to the type's limit. Proofs are those of the specification's `ssz/merkle-proofs.md`.

use alloc::vec::Vec;

use jlanes_core::{hash::Output, hashes::sha2::Sha256};
use jlanes_simd::Backend;

use super::{
    BoundRules, Error, Format, Frame, Leaf, LeafKind, NodeFunction, Odd, Rules, Summary, Tree,
    Zeros, digest_of, hash,
    proof::{self, ensure_proved},
};

/// Bytes of a chunk.
const CHUNK_BYTES: usize = 32;

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
        let pieces = [&root[..], &length.to_le_bytes(), &[0; CHUNK_BYTES - 8]];
        digest_of::<Sha256>(&hash(&NodeFunction::SHA256.on(Backend::detect()), pieces))
    }

    /// Checks that the tree has these nodes, each with its generalized index (`verify_merkle_multiproof`). For
    /// one node with the index `2^depth + index`, it is the specification's
    /// `is_valid_merkle_branch(leaf, branch, depth, index, root)`.
    ///
    /// A node that is given together with nodes below it has to be their hash; the specification's function
    /// ignores those below.
    ///
    /// # Errors
    /// [`Error::NoSuchNode`] for the index 0; [`Error::Proof`] if the proof is invalid.
    pub fn verify(
        nodes: &[(u64, impl AsRef<[u8]>)],
        proof: &[impl AsRef<[u8]>],
        root: &[u8],
    ) -> Result<(), Error> {
        ensure_proved(proof::root(&Frame::NONE, nodes, proof, |_, _, _| Ok(()))? == *root)
    }

    /// The index of node `inner` of a value with its root at node `outer` (`concat_generalized_indices`). The
    /// chunks of a list are below node 2; node 3 is their number.
    ///
    /// # Errors
    /// [`Error::NoSuchNode`] for the index 0, and for more than 63 levels.
    pub fn below(outer: u64, inner: u64) -> Result<u64, Error> {
        let depth = inner.checked_ilog2().filter(|depth| outer.leading_zeros() >= *depth);
        let depth = depth.filter(|_| outer > 0).ok_or(Error::NoSuchNode)?;
        Ok((outer << depth) + (inner - (1 << depth)))
    }
}

impl Tree<Ssz> {
    /// The proof of the nodes at these generalized indices, as in `get_helper_indices`: for a single one, the
    /// siblings on its path to the root, from the bottom up.
    ///
    /// # Errors
    /// [`Error::NoSuchNode`] for the index 0 and for nodes below the chunks; [`Error::TooManyChunks`].
    pub fn proof(&self, indices: &[u64]) -> Result<Vec<Output<Sha256>>, Error> {
        self.digest()?;
        self.branches(indices.iter().copied())
    }
}

impl Format for Ssz {
    type Output = Output<Sha256>;
    type Error = Error;

    fn rules(&self) -> Rules {
        let leaf = Leaf { kind: LeafKind::Digest, ..Leaf::plain(CHUNK_BYTES) };
        let mut rules = Rules::pairs(NodeFunction::SHA256, leaf, Frame::NONE, Odd::ZeroSubtree);
        rules.node.min_height = self.height();
        rules
    }

    fn output(&self, tree: Summary<'_>) -> Result<Output<Sha256>, Error> {
        let chunks = tree.len.div_ceil(CHUNK_BYTES as u64);
        if let Some(limit) = self.limit.filter(|limit| chunks > *limit) {
            return Err(Error::TooManyChunks { chunks, limit });
        }
        let empty = || {
            let function = *tree.function;
            let rules = BoundRules { function, ..BoundRules::new(Backend::portable(), self) };
            Zeros::new().at_height(&rules, self.height()).into()
        };
        Ok(digest_of::<Sha256>(&tree.root.unwrap_or_else(empty)))
    }
}
