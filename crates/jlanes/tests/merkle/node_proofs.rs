//! Proofs of SSZ and Bitcoin: against the slow words of the specifications, and a real block.

use std::collections::{BTreeMap, BTreeSet};

use hex_literal::hex;
use jlanes::merkle::{Bitcoin, Error, Format, Ssz, Tree};
use jlanes_testing::message;
use sha2::{Digest, Sha256};

pub(super) type Hash = [u8; 32];

fn pair(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update(left).chain_update(right).finalize().into()
}

/// The specification's `merkle_tree`: nodes by generalized index, with `depth` levels below the root.
pub(super) fn nodes(leaves: &[Hash], depth: u32) -> Vec<Hash> {
    let width = 1 << depth;
    let mut nodes = vec![[0; 32]; 2 * width];
    nodes[width..][..leaves.len()].copy_from_slice(leaves);
    for i in (1..width).rev() {
        nodes[i] = pair(&nodes[2 * i], &nodes[2 * i + 1]);
    }
    nodes
}

/// `get_path_indices`, and the siblings of each: `get_branch_indices`.
fn path(index: u64) -> Vec<u64> {
    std::iter::successors(Some(index), |i| Some(i / 2)).take_while(|i| *i > 1).collect()
}

/// `get_helper_indices`.
fn helpers(indices: &[u64]) -> Vec<u64> {
    let on_paths: BTreeSet<u64> = indices.iter().flat_map(|i| path(*i)).collect();
    let branches: BTreeSet<u64> = indices.iter().flat_map(|i| path(*i)).map(|i| i ^ 1).collect();
    branches.into_iter().rev().filter(|i| !on_paths.contains(i)).collect()
}

/// `calculate_multi_merkle_root`.
fn multi_root(leaves: &[(u64, Hash)], proof: &[Hash]) -> Hash {
    let indices: Vec<_> = leaves.iter().map(|(index, _)| *index).collect();
    let mut objects: BTreeMap<u64, Hash> = leaves.iter().copied().collect();
    objects.extend(helpers(&indices).into_iter().zip(proof.iter().copied()));
    let mut keys: Vec<_> = objects.keys().rev().copied().collect();
    let mut at = 0;
    while let Some(k) = keys.get(at).copied() {
        if objects.contains_key(&(k ^ 1)) && !objects.contains_key(&(k / 2)) {
            let parent = pair(&objects[&(k & !1)], &objects[&(k | 1)]);
            objects.insert(k / 2, parent);
            keys.push(k / 2);
        }
        at += 1;
    }
    objects[&1]
}

fn hashes(seed: u64, count: usize) -> Vec<Hash> {
    message(seed, 32 * count).as_chunks().0.to_vec()
}

fn ssz(format: Ssz, chunks: &[Hash]) -> Tree<Ssz> {
    let mut tree = Tree::new(format);
    tree.extend(&chunks.iter().map(|chunk| &chunk[..]).collect::<Vec<_>>()).unwrap();
    tree
}

/// Every change of one byte, and every other number of hashes, is found.
pub(super) fn check_tampering(proof: &[Hash], verify: impl Fn(&[Hash]) -> Result<(), Error>) {
    assert_eq!(verify(proof), Ok(()));
    for i in 0..proof.len() {
        let mut tampered = proof.to_vec();
        tampered[i][i % 32] ^= 0x10;
        assert!(verify(&tampered).is_err(), "{i} of {}", proof.len());
        assert_eq!(verify(&proof[..i]), Err(Error::Proof));
    }
    assert_eq!(verify(&[proof, &[[7; 32]]].concat()), Err(Error::Proof));
}

#[test]
fn ssz_proofs_match_the_specification() {
    for (count, limit) in [(0, 1), (0, 8), (1, 1), (1, 4), (2, 2), (3, 4), (5, 8), (5, 16), (8, 8)]
    {
        let (chunks, depth) = (hashes(count as u64, count), usize::ilog2(limit));
        let tree = ssz(Ssz::with_limit(limit as u64), &chunks);
        let (nodes, root) = (nodes(&chunks, depth), tree.digest().unwrap());
        assert_eq!(root[..], nodes[1]);
        let last = 2u64 << depth;
        // one node, two nodes, and all sets of leaves of small trees
        let singles = (1..last).map(|i| vec![i]);
        let pairs = (1..last).flat_map(|i| (1..last).map(move |k| vec![i, k]));
        let sets = (1..1u32 << limit.min(8)).map(|set| {
            (0..limit as u64).filter(|i| set >> i & 1 == 1).map(|i| i + (1 << depth)).collect()
        });
        for indices in singles.chain(pairs).chain(sets) {
            let indices: Vec<u64> = indices;
            let proof = tree.proof(&indices).unwrap();
            let expected: Vec<_> = helpers(&indices).iter().map(|i| nodes[*i as usize]).collect();
            assert_eq!(proof.as_slice(), expected.as_slice(), "{indices:?}");
            let given: Vec<_> = indices.iter().map(|i| (*i, nodes[*i as usize])).collect();
            assert_eq!(Ssz::verify(&given, &proof, &root), Ok(()), "{indices:?}");
            assert_eq!(multi_root(&given, &expected), nodes[1], "{indices:?}");
        }
        assert_eq!(tree.proof(&[last]), Err(Error::NoSuchNode));
        assert_eq!(tree.proof(&[u64::MAX]), Err(Error::NoSuchNode));
        assert_eq!(tree.proof(&[0]), Err(Error::NoSuchNode));
    }
    let many = ssz(Ssz::with_limit(2), &hashes(1, 3));
    assert_eq!(many.proof(&[4]), Err(Error::TooManyChunks { chunks: 3, limit: 2 }));
}

#[test]
fn the_specifications_example_of_a_multiproof() {
    let chunks = hashes(14, 8);
    let (tree, nodes) = (ssz(Ssz::default(), &chunks), nodes(&chunks, 3));
    // x x . . . . x * over . * * .
    let proof = tree.proof(&[8, 9, 14]).unwrap();
    assert_eq!(proof.as_slice(), [nodes[15], nodes[6], nodes[5]]);
    let given = [(14, nodes[14]), (8, nodes[8]), (9, nodes[9])];
    let proof: Vec<Hash> = proof.into_iter().map(Into::into).collect();
    check_tampering(&proof, |proof| Ssz::verify(&given, proof, &nodes[1]));
    for i in 0..given.len() {
        let mut other = given;
        other[i].1[31] ^= 1;
        assert_eq!(Ssz::verify(&other, &proof, &nodes[1]), Err(Error::Proof));
        let mut other = given;
        other[i].0 ^= 1;
        assert_eq!(Ssz::verify(&other, &proof, &nodes[1]), Err(Error::Proof));
    }
    assert_eq!(Ssz::verify(&given[..2], &proof, &nodes[1]), Err(Error::Proof));
    assert_eq!(Ssz::verify(&[(1, nodes[1])], &[[0; 32]; 0], &nodes[1]), Ok(()));
    assert_eq!(Ssz::verify(&[(1, nodes[2])], &[[0; 32]; 0], &nodes[1]), Err(Error::Proof));
    assert_eq!(Ssz::verify(&[(0, nodes[1])], &[[0; 32]; 0], &nodes[1]), Err(Error::NoSuchNode));
    assert_eq!(Ssz::verify(&[(0, [0; 32]); 0], &[[0; 32]; 0], &nodes[1]), Err(Error::Proof));
    assert_eq!(Ssz::verify(&[(1, &nodes[1][..31])], &[[0; 32]; 0], &nodes[1]), Err(Error::Proof));
}

#[test]
fn nodes_above_others_are_their_hashes() {
    let chunks = hashes(15, 4);
    let (tree, nodes) = (ssz(Ssz::default(), &chunks), nodes(&chunks, 2));
    let proof = tree.proof(&[4, 2]).unwrap();
    assert_eq!(Ssz::verify(&[(4, nodes[4]), (2, nodes[2])], &proof, &nodes[1]), Ok(()));
    // the specification's function takes any node 4 here
    let (wrong, plain) = ([9; 32], [nodes[5], nodes[3]]);
    assert_eq!(multi_root(&[(4, wrong), (2, nodes[2])], &plain), nodes[1]);
    let wrong = [(4, wrong), (2, nodes[2])];
    assert_eq!(Ssz::verify(&wrong, &proof, &nodes[1]), Err(Error::Proof));
    // one node twice
    let proof = tree.proof(&[4, 4]).unwrap();
    assert_eq!(Ssz::verify(&[(4, nodes[4]), (4, nodes[4])], &proof, &nodes[1]), Ok(()));
    let wrong = [(4, nodes[4]), (4, [9; 32])];
    assert_eq!(Ssz::verify(&wrong, &proof, &nodes[1]), Err(Error::Proof));
}

#[test]
fn lists_are_beside_their_length() {
    // the deposit contract without deposits, as every network's genesis has it
    let limit = Ssz::with_limit(1 << 32);
    let empty = Ssz::mix_in_length(&limit.digest(b"").unwrap(), 0);
    let known = hex!("d70a234731285c6804c2a4f56711ddb8c82c99740f207854891028af34e27e5e");
    assert_eq!(empty[..], known);

    let chunks = hashes(16, 5);
    let tree = ssz(limit, &chunks);
    let root = Ssz::mix_in_length(&tree.digest().unwrap(), 5);
    let mut length = [0; 32];
    length[0] = 5;
    for (i, chunk) in chunks.iter().enumerate() {
        let index = (1 << 32) + i as u64;
        let mut proof = tree.proof(&[index]).unwrap();
        proof.push(length.into());
        let index = Ssz::below(2, index).unwrap();
        assert_eq!(index, (2 << 32) + i as u64);
        assert_eq!(Ssz::verify(&[(index, chunk)], &proof, &root), Ok(()));
        // is_valid_merkle_branch
        let up = proof.iter().enumerate().fold(*chunk, |node, (height, other)| {
            let other = Hash::from(*other);
            if index >> height & 1 == 1 { pair(&other, &node) } else { pair(&node, &other) }
        });
        assert_eq!(up, root[..]);
    }
}

#[test]
fn indices_are_concatenated() {
    // FINALIZED_ROOT_GINDEX of Altair: the second field of field 20 of 32
    assert_eq!(Ssz::below(52, 3), Ok(105));
    // EXECUTION_PAYLOAD_GINDEX of Capella, field 9 of 16, and its field 12 of 16
    assert_eq!((Ssz::below(1, 16 + 9), Ssz::below(25, 16 + 12)), (Ok(25), Ok(412)));
    assert_eq!((Ssz::below(1, 7), Ssz::below(7, 1)), (Ok(7), Ok(7)));
    assert_eq!(Ssz::below(1 << 62, 3), Ok((1 << 63) + 1));
    for (outer, inner) in [(0, 1), (1, 0), (1 << 63, 2), (2, 1 << 63), (0, 1 << 63)] {
        assert_eq!(Ssz::below(outer, inner), Err(Error::NoSuchNode), "{outer} {inner}");
    }
}

fn block(ids: &[Hash]) -> Tree<Bitcoin> {
    let mut tree = Tree::new(Bitcoin);
    tree.extend(&ids.iter().map(|id| &id[..]).collect::<Vec<_>>()).unwrap();
    tree
}

/// The branch as in Electrum's protocol, and the root.
fn branch(ids: &[Hash], mut index: usize) -> (Vec<Hash>, Hash) {
    let (mut level, mut branch) = (ids.to_vec(), Vec::new());
    while level.len() > 1 {
        if level.len() % 2 == 1 {
            level.extend(level.last().copied());
        }
        branch.push(level[index ^ 1]);
        let node = |pair: &[Hash]| Sha256::digest(Sha256::digest(pair.as_flattened())).into();
        level = level.chunks(2).map(node).collect();
        index /= 2;
    }
    (branch, level[0])
}

#[test]
fn transactions_are_in_their_block() {
    for count in 1..40 {
        let ids = hashes(17, count);
        let tree = block(&ids);
        for (index, id) in ids.iter().enumerate() {
            let (expected, root) = branch(&ids, index);
            let proof = tree.inclusion(index).unwrap();
            assert_eq!(proof.as_slice(), expected.as_slice(), "{index} of {count}");
            let verify = |index: usize, count: usize, proof: &[Hash]| {
                Bitcoin::verify(id, (index as u64, count as u64), proof, &root)
            };
            check_tampering(&expected, |proof| verify(index, count, proof));
            if count > 1 {
                assert!(verify(index ^ 1, count + 1, &expected).is_err());
                let other = Bitcoin::verify(&root, (index as u64, count as u64), &expected, &root);
                assert!(other.is_err());
            }
            assert_eq!(verify(index, 2 * count.next_power_of_two(), &expected), Err(Error::Proof));
        }
        let none = Error::NoSuchLeaf { index: count as u64, leaves: count as u64 };
        assert_eq!(tree.inclusion(count), Err(none));
    }
    let none = |index, leaves| Err(Error::NoSuchLeaf { index, leaves });
    assert_eq!(Bitcoin::verify(&[0; 32], (0, 0), &[[0; 32]; 0], &[0; 32]), none(0, 0));
    let most = (u64::MAX - 1, u64::MAX);
    assert_eq!(Bitcoin::verify(&[0; 32], most, &[[0; 32]; 0], &[0; 32]), none(most.0, most.1));
    assert!(Tree::new(Bitcoin).inclusion(0).is_err());
}

#[test]
fn transactions_of_block_100000() {
    let printed = [
        hex!("8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87"),
        hex!("fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4"),
        hex!("6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4"),
        hex!("e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d"),
    ];
    let mut root = hex!("f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766");
    root.reverse();
    let ids = printed.map(|mut id| {
        id.reverse();
        id
    });
    let tree = block(&ids);
    assert_eq!(tree.digest().unwrap().root[..], root);
    for (index, id) in ids.iter().enumerate() {
        let proof = tree.inclusion(index).unwrap();
        assert_eq!(Bitcoin::verify(id, (index as u64, 4), &proof, &root), Ok(()));
    }
}

#[test]
fn proofs_through_repeated_nodes_are_refused() {
    for count in 1..30 {
        let ids = hashes(18, count);
        let root = block(&ids).digest().unwrap().root;
        // the ends that a level repeats
        let ends = (0..5).map(|log| 1 << log);
        for end in ends.filter(|end| count % end == 0 && count / end % 2 == 1 && count > *end) {
            let mut longer = ids.clone();
            longer.extend_from_within(count - end..);
            let tree = block(&longer);
            assert_eq!(tree.digest().unwrap().root, root);
            for index in 0..longer.len() {
                let proof = tree.inclusion(index).unwrap();
                let place = (index as u64, longer.len() as u64);
                let found = Bitcoin::verify(&longer[index], place, &proof, &root);
                let is_twin = index >= count - end;
                let expected = if is_twin { Err(Error::Mutated) } else { Ok(()) };
                assert_eq!(found, expected, "{index} of {count} and {end}");
            }
        }
    }
}
