//! Merkle trees over SHA-256: lists of sha2's digests, level by level.

use sha2::Digest;

/// A digest of SHA-256.
pub type Hash = [u8; 32];

fn sha256(pieces: &[&[u8]]) -> Hash {
    let hasher =
        pieces.iter().fold(sha2::Sha256::new(), |hasher, piece| hasher.chain_update(piece));
    hasher.finalize().into()
}

fn filled(bytes: &[u8], size: usize) -> Vec<u8> {
    let mut block = bytes.to_vec();
    block.resize(size, 0);
    block
}

/// Folds neighbours until one hash is left. `odd` is for a last one without a neighbour.
fn fold(
    mut level: Vec<Hash>,
    node: impl Fn(&Hash, &Hash) -> Hash,
    odd: impl Fn(&Hash) -> Hash,
) -> Hash {
    while level.len() > 1 {
        let pair = |pair: &[Hash]| match pair {
            [left, right] => node(left, right),
            [last] => odd(last),
            _ => unreachable!(),
        };
        level = level.chunks(2).map(pair).collect();
    }
    level[0]
}

/// Amazon Glacier's tree hash.
#[must_use]
pub fn glacier(data: &[u8]) -> Hash {
    let leaves: Vec<_> = data.chunks(1 << 20).map(|leaf| sha256(&[leaf])).collect();
    let none = leaves.is_empty().then(|| sha256(&[]));
    fold(leaves.into_iter().chain(none).collect(), |l, r| sha256(&[l, r]), |last| *last)
}

/// BitTorrent v2's pieces root; `data` is not empty.
#[must_use]
pub fn btv2(data: &[u8]) -> Hash {
    let mut leaves: Vec<_> = data.chunks(16 << 10).map(|leaf| sha256(&[leaf])).collect();
    leaves.resize(leaves.len().next_power_of_two(), [0; 32]);
    fold(leaves, |l, r| sha256(&[l, r]), |_| unreachable!())
}

/// The digest of the digests of blocks.
fn list(data: &[u8], block: usize) -> Hash {
    let digests: Vec<_> = data.chunks(block).map(|block| sha256(&[block])).collect();
    sha256(&[digests.as_flattened()])
}

/// Dropbox's content hash.
#[must_use]
pub fn dropbox(data: &[u8]) -> Hash {
    list(data, 4 << 20)
}

/// S3's composite SHA-256 of parts of `part` bytes; an empty object has one part.
#[must_use]
pub fn s3(data: &[u8], part: usize) -> Hash {
    if data.is_empty() { sha256(&[&sha256(&[])]) } else { list(data, part) }
}

/// Certificate Transparency's tree hash of a list of entries.
#[must_use]
pub fn rfc6962(leaves: &[&[u8]]) -> Hash {
    match leaves {
        [] => sha256(&[]),
        [leaf] => sha256(&[&[0], leaf]),
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            sha256(&[&[1], &rfc6962(left), &rfc6962(right)])
        }
    }
}

/// SSZ's root of chunks of 32 bytes, for a type with room for `limit` of them; 0 for no limit.
#[must_use]
pub fn ssz(chunks: &[u8], limit: usize) -> Hash {
    let mut leaves: Vec<Hash> =
        filled(chunks, chunks.len().next_multiple_of(32)).as_chunks().0.to_vec();
    leaves.resize(leaves.len().max(limit).next_power_of_two(), [0; 32]);
    fold(leaves, |l, r| sha256(&[l, r]), |_| unreachable!())
}

/// Bitcoin's root of transaction ids of 32 bytes.
#[must_use]
pub fn bitcoin(ids: &[u8]) -> Hash {
    let ids: Vec<Hash> = ids.as_chunks().0.to_vec();
    let node = |l: &Hash, r: &Hash| sha256(&[&sha256(&[l, r])]);
    fold(ids, node, |last| node(last, last))
}

/// The root of blocks with many digests each.
fn packed(blocks: Vec<Hash>, hash: impl Fn(&[u8]) -> Hash, fan_out: usize, size: usize) -> Hash {
    let mut level = blocks;
    while level.len() > 1 {
        let block = |digests: &[Hash]| hash(&filled(digests.as_flattened(), size));
        level = level.chunks(fan_out).map(block).collect();
    }
    level[0]
}

/// fs-verity's file digest.
#[must_use]
pub fn fsverity(data: &[u8], block: usize, salt: &[u8]) -> Hash {
    let padded = filled(salt, salt.len().next_multiple_of(64));
    let hash = |bytes: &[u8]| sha256(&[&padded, &filled(bytes, block)]);
    let blocks: Vec<_> = data.chunks(block).map(hash).collect();
    let root = if blocks.is_empty() { [0; 32] } else { packed(blocks, hash, block / 32, block) };
    let mut descriptor = vec![1, 1, block.trailing_zeros() as u8, salt.len() as u8, 0, 0, 0, 0];
    descriptor.extend((data.len() as u64).to_le_bytes());
    descriptor.extend(filled(&root, 64));
    descriptor.extend(filled(salt, 176)); // up to 256 bytes
    sha256(&[&descriptor])
}

/// dm-verity's root and hash tree, with the salt before a block (version 1) or after it.
#[must_use]
pub fn dmverity(data: &[u8], block: usize, salt: &[u8], salt_first: bool) -> (Hash, Vec<u8>) {
    let hash = |bytes: &[u8]| {
        if salt_first { sha256(&[salt, bytes]) } else { sha256(&[bytes, salt]) }
    };
    let mut digests: Vec<_> = data.chunks(block).map(hash).collect();
    let mut tree = Vec::new();
    while digests.len() > 1 {
        let blocks: Vec<_> =
            digests.chunks(block / 32).map(|d| filled(d.as_flattened(), block)).collect();
        digests = blocks.iter().map(|block| hash(block)).collect();
        tree.splice(0..0, blocks.concat());
    }
    (digests[0], tree)
}
