//! SHA256TREE of Bazel's Remote Execution API: a binary tree over leaves of 1 KiB, in which a node costs
//! one compression.
//!
//! A message of up to 1 KiB has its SHA-256. A longer one is split at the largest power of two below its
//! length, which is the same as promoting an odd digest level by level. A node encrypts a constant with
//! SHA-256's block cipher, with the digests of both sides as the key: the compression function without
//! the addition at its end, and without padding.

use core::convert::Infallible;

use jlanes_core::{
    hash::Output,
    hashes::sha2::{Sha256, consts::IV_384},
};

use super::{Format, Frame, Leaf, LeafKind, NodeFunction, Odd, Rules, Summary, digest_of};

/// Bytes of a leaf.
const LEAF_BYTES: usize = 1 << 10;

/// The constant that nodes encrypt: the upper halves of SHA-384's initial value, which are from the
/// square roots of the 9th to the 16th prime.
static PLAINTEXT: [u8; 32] = {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < bytes.len() {
        bytes[i] = IV_384[i / 4].to_be_bytes()[i % 4];
        i += 1;
    }
    bytes
};

/// The digest of a blob.
#[derive(Clone, Copy, Debug)]
pub struct Sha256Tree {
    leaf: (usize, LeafKind),
}

impl Default for Sha256Tree {
    fn default() -> Self {
        Self { leaf: (LEAF_BYTES, LeafKind::Hashed) }
    }
}

impl Sha256Tree {
    /// The same digest from those of the blob's pieces, which are contiguous. All pieces have the same
    /// length, a power of two of at least 1 KiB; the last one may be shorter.
    #[must_use]
    pub fn of_pieces() -> Self {
        Self { leaf: (PLAINTEXT.len(), LeafKind::Digest) }
    }
}

impl Format for Sha256Tree {
    type Output = Output<Sha256>;
    type Error = Infallible;

    fn rules(&self) -> Rules {
        let (size, kind) = self.leaf;
        let leaf = Leaf { kind, ..Leaf::plain(size) };
        Rules::pairs(NodeFunction::SHA256, leaf, Frame::cipher(&PLAINTEXT), Odd::Promote)
    }

    fn output(&self, tree: Summary<'_>) -> Result<Output<Sha256>, Infallible> {
        Ok(digest_of::<Sha256>(&tree.root_or_empty()))
    }
}
