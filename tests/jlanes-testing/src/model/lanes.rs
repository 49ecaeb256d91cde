//! j-lanes and j-pointers over any hash: first all slices are made, then hashed.
//!
//! `word` and `block` are the bytes of the hash's word and block. `*_raw` is the construction of the
//! paper, the others are the profile with prefix blocks.

use digest::{Digest, Output};

/// The slices of `message`: word `i` goes to slice `i mod j`.
#[must_use]
pub fn slices(message: &[u8], j: usize, word: usize) -> Vec<Vec<u8>> {
    let mut slices = vec![Vec::new(); j];
    for (i, word) in message.chunks(word).enumerate() {
        slices[i % j].extend_from_slice(word);
    }
    slices
}

/// A prefix block.
#[must_use]
pub fn prefix(name: &str, j: usize, word: usize, length: usize, block: usize) -> Vec<u8> {
    let mut bytes = name.as_bytes().to_vec();
    bytes.resize(16, 0);
    bytes.extend((j as u32).to_be_bytes());
    bytes.extend((word as u32).to_be_bytes());
    bytes.extend((length as u64).to_be_bytes());
    bytes.resize(block, 0);
    bytes
}

/// The hash of the nodes' hashes.
fn wrap<D: Digest>(root: &[u8], leaf: &[u8], messages: &[Vec<u8>]) -> Output<D> {
    let mut wrapped = D::new_with_prefix(root);
    for message in messages {
        wrapped.update(D::new_with_prefix(leaf).chain_update(message).finalize());
    }
    wrapped.finalize()
}

/// j-lanes without prefixes.
#[must_use]
pub fn jlanes_raw<D: Digest>(message: &[u8], j: usize, word: usize) -> Output<D> {
    wrap::<D>(&[], &[], &slices(message, j, word))
}

/// j-lanes, profile 1.
#[must_use]
pub fn jlanes<D: Digest>(message: &[u8], j: usize, word: usize, block: usize) -> Output<D> {
    let root = prefix("jlanes/1 root", j, word, message.len(), block);
    let leaf = prefix("jlanes/1 leaf", j, word, 0, block);
    wrap::<D>(&root, &leaf, &slices(message, j, word))
}

/// j-pointers without prefixes.
#[must_use]
pub fn jpointers_raw<D: Digest>(messages: &[Vec<u8>]) -> Output<D> {
    wrap::<D>(&[], &[], messages)
}

/// j-pointers, profile 1.
#[must_use]
pub fn jpointers<D: Digest>(messages: &[Vec<u8>], word: usize, block: usize) -> Output<D> {
    let total = messages.iter().map(Vec::len).sum();
    let root = prefix("jptrs/1 root", messages.len(), word, total, block);
    wrap::<D>(&root, &prefix("jptrs/1 leaf", 0, word, 0, block), messages)
}
