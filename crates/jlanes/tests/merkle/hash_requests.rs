//! Hashes for peers of BitTorrent: against libtorrent's answers, and every small request.

use jlanes::merkle::{BitTorrent, Error, HashRequest, Tree};
use jlanes_testing::{corpus, message};
use sha2::{Digest, Sha256};

use crate::node_proofs::{Hash, check_tampering, nodes};

fn request(base_layer: u32, index: u32, length: u32, proof_layers: u32) -> HashRequest {
    HashRequest { base_layer, index, length, proof_layers }
}

fn torrent(data: &[u8]) -> Tree<BitTorrent> {
    let mut tree = Tree::new(BitTorrent::default());
    tree.extend(&data.chunks(16 << 10).collect::<Vec<_>>()).unwrap();
    tree
}

/// The nodes over a file's blocks, by generalized index.
fn blocks(data: &[u8], height: u32) -> Vec<Hash> {
    let leaves: Vec<_> = data.chunks(16 << 10).map(|block| Sha256::digest(block).into()).collect();
    nodes(&leaves, height)
}

#[test]
fn hashes_are_those_of_libtorrent() {
    for record in corpus("btv2_hashes") {
        let (data, root) = (record.message(), record.hex("pieces_root_hex"));
        let request = request(
            record.number("base_layer"),
            record.number("index"),
            record.number("length"),
            record.number("proof_layers"),
        );
        let tree = torrent(&data);
        let found = tree.hashes(&request);
        let Some(expected) = record.optional_hex("hashes_hex") else {
            assert_eq!(found, Err(Error::NoSuchNode), "{}", record.name());
            continue;
        };
        let expected: &[Hash] = expected.as_chunks().0;
        assert_eq!(found.unwrap().as_slice(), expected, "{}", record.name());
        let (layer, index) = request.top().unwrap();
        let height = tree.leaves().next_power_of_two().ilog2();
        let top = blocks(&data, height)[(index + (1 << (height - layer))) as usize];
        assert_eq!(request.top_hash(expected).unwrap()[..], top, "{}", record.name());
        let verify = |proof: &[Hash]| request.verify(data.len() as u64, proof, &root);
        if layer == height {
            check_tampering(expected, verify);
        } else {
            assert_eq!(verify(expected), Err(Error::NoSuchNode), "{}", record.name());
        }
    }
}

#[test]
fn every_request_is_answered_or_excluded() {
    let data = message(19, (5 << 14) + 1);
    let (tree, height, mut answers) = (torrent(&data), 3, 0);
    let nodes = blocks(&data, height);
    for base in 0..5 {
        for (index, length) in (0..18).flat_map(|index| (0..18).map(move |n| (index, n))) {
            for proofs in 0..5 {
                let request = request(base, index, length, proofs);
                let width = 1u32.checked_shl(height.saturating_sub(base)).unwrap();
                let is_valid = base <= height
                    && length.is_power_of_two()
                    && length > 1
                    && index % length == 0
                    && index + length <= width
                    && base + proofs < height;
                if !is_valid {
                    assert_eq!(tree.hashes(&request), Err(Error::NoSuchNode), "{request:?}");
                    continue;
                }
                let mut expected: Vec<_> =
                    (0..length).map(|i| nodes[(width + index + i) as usize]).collect();
                let mut above = (width + index) as usize;
                for layer in 0..proofs {
                    above /= 2;
                    // lower ones follow from the hashes
                    if layer + 1 >= length.ilog2() {
                        expected.push(nodes[above ^ 1]);
                    }
                }
                assert_eq!(tree.hashes(&request).unwrap(), expected.as_slice(), "{request:?}");
                answers += 1;
            }
        }
    }
    assert_eq!(answers, 28);
}

#[test]
fn requests_of_huge_numbers_are_excluded() {
    let no_hashes: [Hash; 0] = [];
    for (base, index, length, proofs) in [
        (u32::MAX, 0, 2, 0),
        (0, 0, 2, u32::MAX),
        (u32::MAX, 0, 2, u32::MAX),
        (62, 0, 2, 0),
        (0, 0, 0, 0),
        (0, 0, 1, 0),
        (0, 2, 4, 0),
    ] {
        let request = request(base, index, length, proofs);
        assert_eq!(request.top(), Err(Error::NoSuchNode), "{request:?}");
        assert!(request.top_hash(&no_hashes).is_err(), "{request:?}");
        assert!(request.verify(1 << 40, &no_hashes, &[0; 32]).is_err(), "{request:?}");
    }
    let most = request(0, 1 << 31, 1 << 31, 40);
    assert_eq!(most.top(), Ok((41, 0)));
    assert_eq!(most.top_hash(&no_hashes), Err(Error::Proof));
    assert_eq!(most.verify(u64::MAX, &no_hashes, &[0; 32]), Err(Error::NoSuchNode));
    assert_eq!(most.verify(0, &no_hashes, &[0; 32]), Err(Error::NoSuchNode));
    let single = torrent(&[1]);
    assert_eq!(single.hashes(&request(0, 0, 2, 0)), Err(Error::NoSuchNode));
    let empty = Tree::new(BitTorrent::default());
    assert_eq!(empty.hashes(&request(0, 0, 2, 0)), Err(Error::NoSuchNode));
}
