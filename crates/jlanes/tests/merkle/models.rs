//! Every format a second time, in the plainest way: lists of digests that sha2 makes, level by
//! level. Nothing is shared with the code under test.

use jlanes::{
    Sha256,
    merkle::{self, Format, Version},
};
use jlanes_testing::message;
use sha2::Digest;

type Hash = [u8; 32];

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

/// Folds neighbours until one is left; `odd` says what becomes of a last one without a neighbour.
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

fn glacier(data: &[u8]) -> Hash {
    let leaves: Vec<_> = data.chunks(1 << 20).map(|leaf| sha256(&[leaf])).collect();
    let none = leaves.is_empty().then(|| sha256(&[]));
    fold(leaves.into_iter().chain(none).collect(), |l, r| sha256(&[l, r]), |last| *last)
}

fn btv2(data: &[u8]) -> Hash {
    let mut leaves: Vec<_> = data.chunks(16 << 10).map(|leaf| sha256(&[leaf])).collect();
    leaves.resize(leaves.len().next_power_of_two(), [0; 32]);
    fold(leaves, |l, r| sha256(&[l, r]), |_| unreachable!())
}

fn list(data: &[u8], block: usize) -> Hash {
    let digests: Vec<_> = data.chunks(block).map(|block| sha256(&[block])).collect();
    sha256(&[digests.as_flattened()])
}

pub(crate) fn rfc6962(leaves: &[&[u8]]) -> Hash {
    match leaves {
        [] => sha256(&[]),
        [leaf] => sha256(&[&[0], leaf]),
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            sha256(&[&[1], &rfc6962(left), &rfc6962(right)])
        }
    }
}

fn ssz(chunks: &[u8], limit: usize) -> Hash {
    let mut leaves: Vec<Hash> =
        chunks.chunks(32).map(|c| filled(c, 32).try_into().unwrap()).collect();
    leaves.resize(leaves.len().max(limit).next_power_of_two(), [0; 32]);
    fold(leaves, |l, r| sha256(&[l, r]), |_| unreachable!())
}

fn bitcoin(ids: &[u8]) -> Hash {
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

fn fsverity(data: &[u8], block: usize, salt: &[u8]) -> Hash {
    let padded = filled(salt, salt.len().next_multiple_of(64));
    let hash = |bytes: &[u8]| sha256(&[&padded, &filled(bytes, block)]);
    let blocks: Vec<_> = data.chunks(block).map(hash).collect();
    let root = if blocks.is_empty() { [0; 32] } else { packed(blocks, hash, block / 32, block) };
    let mut descriptor = vec![1, 1, block.trailing_zeros() as u8, salt.len() as u8, 0, 0, 0, 0];
    descriptor.extend((data.len() as u64).to_le_bytes());
    descriptor.extend(filled(&root, 64));
    descriptor.extend(filled(salt, 176));
    assert_eq!(descriptor.len(), 256);
    sha256(&[&descriptor])
}

fn dmverity(data: &[u8], block: usize, salt: &[u8], version: Version) -> (Hash, Vec<u8>) {
    let hash = |bytes: &[u8]| match version {
        Version::V0 => sha256(&[bytes, salt]),
        Version::V1 => sha256(&[salt, bytes]),
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

/// Lengths around multiples of a unit, up to `most` units.
fn lengths(unit: usize, most: usize) -> impl Iterator<Item = usize> {
    let few = (0..most).flat_map(move |n| [n * unit, n * unit + 1, n * unit + unit / 2]);
    few.chain([most * unit - 1, most * unit])
}

#[test]
fn bittorrent_matches_its_model() {
    for len in lengths(16 << 10, 35).skip(1) {
        let data = message(1, len);
        assert_eq!(merkle::btv2(&data).unwrap(), btv2(&data), "{len}");
    }
}

#[test]
fn glacier_matches_its_model() {
    for len in lengths(1 << 20, 4).chain([(18 << 20) + 3, 37 << 20]) {
        let data = message(2, len);
        assert_eq!(merkle::glacier(&data).unwrap(), glacier(&data), "{len}");
    }
}

#[test]
fn lists_match_their_model() {
    for len in [0, 1, (4 << 20) - 1, 4 << 20, (4 << 20) + 1, (17 << 20) + 5] {
        let data = message(3, len);
        assert_eq!(merkle::dropbox(&data).unwrap(), list(&data, 4 << 20), "{len}");
        for part in [1000, 1 << 20, 5 << 20] {
            let composite = merkle::s3_composite(&data, part).unwrap();
            let parts = if len == 0 { sha256(&[&sha256(&[])]) } else { list(&data, part) };
            assert_eq!(composite.digest, parts, "{len} in {part}");
            assert_eq!(composite.parts, len.div_ceil(part).max(1) as u64);
        }
    }
}

#[test]
fn fsverity_matches_its_model() {
    for block in [1024, 4096] {
        for len in lengths(block, 40).chain([1_000_000, block * block / 32 + 1]) {
            let data = message(4, len);
            for salt in [&b""[..], b"abcd", &[7; 32]] {
                let digest = merkle::fsverity::<Sha256>(&data, block, salt).unwrap();
                assert_eq!(digest, fsverity(&data, block, salt), "{len} in {block}");
            }
        }
    }
}

#[test]
fn dmverity_matches_its_model() {
    for version in [Version::V0, Version::V1] {
        for blocks in [1, 2, 15, 16, 17, 31, 32, 33, 300, 1100] {
            let data = message(5, blocks * 1024);
            for salt in [0, 1, 32, 63, 64, 65, 256] {
                let salt = message(6, salt);
                let format = merkle::DmVerity::<Sha256>::new(1024, &salt).unwrap();
                let format = format.version(version);
                let found = format.digest(&data).unwrap();
                let (root, tree) = dmverity(&data, 1024, &salt, version);
                assert_eq!(found.root, root, "{blocks} blocks, salt of {}", salt.len());
                assert!(found.tree.is_empty());
                let found = format.with_tree().digest(&data).unwrap();
                assert_eq!((&found.root[..], found.tree), (&root[..], tree));
            }
        }
    }
}

#[test]
fn rfc6962_matches_its_model() {
    for leaf in [1, 31, 64, 1000] {
        for len in (0..40).chain([255, 256, 257, 1000, 5000, 20_000]) {
            let data = message(7, len);
            let leaves: Vec<_> = data.chunks(leaf).collect();
            let root = merkle::rfc6962::<Sha256>(&data, leaf).unwrap();
            assert_eq!(root, rfc6962(&leaves), "{len} in {leaf}");
        }
    }
}

#[test]
fn ssz_matches_its_model() {
    for len in lengths(32, 70).chain([32 * 1000, 32 * 9000]) {
        let data = message(8, len);
        assert_eq!(merkle::ssz(&data, None).unwrap(), ssz(&data, 0), "{len}");
        let chunks = len.div_ceil(32);
        for limit in [chunks, chunks + 1, 2 * chunks + 1, 1024] {
            let root = merkle::ssz(&data, Some(limit.max(chunks) as u64)).unwrap();
            assert_eq!(root, ssz(&data, limit), "{len}, limit {limit}");
        }
    }
}

#[test]
fn bitcoin_matches_its_model() {
    for ids in (1..70).chain([1000, 9000]) {
        let data = message(9, ids * 32);
        assert_eq!(merkle::bitcoin(&data).unwrap(), bitcoin(&data), "{ids} ids");
    }
}
