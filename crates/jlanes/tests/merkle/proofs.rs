//! Proofs of every leaf and every older tree, and proofs that were tampered with.

use jlanes::{
    Sha256,
    merkle::{Error, Rfc6962, Tree, verify_consistency, verify_inclusion},
};
use jlanes_testing::model::merkle::rfc6962;

const MOST: usize = 40;

fn entries(n: usize) -> Vec<Vec<u8>> {
    (0..n).map(|i| vec![i as u8; i % 5]).collect()
}

fn tree(entries: &[Vec<u8>]) -> Tree<Rfc6962> {
    let mut tree = Tree::new(Rfc6962::entries::<Sha256>());
    tree.extend(&entries.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap();
    tree
}

#[test]
fn roots_of_entries_match_the_model() {
    for n in 0..MOST {
        let entries = entries(n);
        let Ok(root) = tree(&entries).digest();
        assert_eq!(*root, rfc6962(&entries.iter().map(Vec::as_slice).collect::<Vec<_>>()), "{n}");
    }
}

#[test]
fn inclusion_is_proved_and_nothing_else() {
    for n in 1..MOST {
        let entries = entries(n);
        let tree = tree(&entries);
        let root = tree.root().unwrap();
        for (index, entry) in entries.iter().enumerate() {
            let proof = tree.inclusion(index).unwrap();
            let verify = |entry: &[u8], index: usize, n: usize, proof: &[_]| {
                verify_inclusion::<Sha256>(entry, (index as u64, n as u64), proof, &root)
            };
            assert_eq!(verify(entry, index, n, &proof), Ok(()), "{index} of {n}");
            assert_eq!(verify(b"other", index, n, &proof), Err(Error::Proof));
            assert_eq!(
                verify(entry, index, n, &[&proof[..], std::slice::from_ref(&root)].concat()),
                Err(Error::Proof)
            );
            if let Some((_, shorter)) = proof.split_last() {
                assert_eq!(verify(entry, index, n, shorter), Err(Error::Proof));
                assert_ne!(verify(entry, index ^ 1, n, &proof), Ok(()));
            }
            for i in 0..proof.len() {
                let mut tampered = proof.clone();
                tampered[i][7] ^= 1;
                assert_eq!(verify(entry, index, n, &tampered), Err(Error::Proof));
            }
        }
        let beyond = Error::NoSuchLeaf { index: n as u64, leaves: n as u64 };
        assert_eq!(tree.inclusion(n), Err(beyond));
        let place = (n as u64, n as u64);
        assert_eq!(verify_inclusion::<Sha256>(b"", place, &[[0; 32]; 0], &root), Err(beyond));
    }
}

#[test]
fn consistency_is_proved_and_nothing_else() {
    for n in 1..MOST {
        let entries = entries(n);
        let new = tree(&entries);
        let new_root = new.root().unwrap();
        for size in 1..=n {
            let old_root = tree(&entries[..size]).root().unwrap();
            let proof = new.consistency(size).unwrap();
            let verify = |size: usize, old: &[u8], new: &[u8], proof: &[_]| {
                verify_consistency::<Sha256>((size as u64, old), (n as u64, new), proof)
            };
            assert_eq!(verify(size, &old_root, &new_root, &proof), Ok(()), "{size} of {n}");
            let mut other = new_root.clone();
            other[0] ^= 1;
            assert_eq!(verify(size, &old_root, &other, &proof), Err(Error::Proof));
            assert_eq!(verify(size, &other, &new_root, &proof), Err(Error::Proof));
            let longer = [&proof[..], std::slice::from_ref(&other)].concat();
            assert_eq!(verify(size, &old_root, &new_root, &longer), Err(Error::Proof));
            for i in 0..proof.len() {
                let mut tampered = proof.clone();
                tampered[i][7] ^= 1;
                assert_eq!(verify(size, &old_root, &new_root, &tampered), Err(Error::Proof));
                let shorter = &proof[..i];
                assert_eq!(verify(size, &old_root, &new_root, shorter), Err(Error::Proof));
            }
        }
        assert_eq!(new.consistency(0), Err(Error::EmptyTree));
        let beyond = Error::NoSuchLeaf { index: n as u64 + 1, leaves: n as u64 };
        assert_eq!(new.consistency(n + 1), Err(beyond));
    }
}

#[test]
fn digests_of_another_length_prove_nothing() {
    let entries = entries(2);
    let tree = tree(&entries);
    let (proof, root) = (tree.inclusion(0).unwrap(), tree.root().unwrap());
    let verify =
        |proof: &[&[u8]], root| verify_inclusion::<Sha256>(&entries[0], (0, 2), proof, root);
    assert_eq!(verify(&[&proof[0]], &root), Ok(()));
    assert_eq!(verify(&[&proof[0][..31]], &root), Err(Error::Proof));
    assert_eq!(verify(&[&proof[0]], &root[..31]), Err(Error::Proof));
    let longer = [&proof[0][..], &[0]].concat();
    assert_eq!(verify(&[&longer], &root), Err(Error::Proof));
    let mut log = Tree::new(Rfc6962::entries::<Sha256>());
    assert_eq!(log.extend_hashed(&root[..31]), Err(Error::Partial { len: 31, block: 32 }));
    assert_eq!((log.extend_hashed(tree.level(0)), log.root()), (Ok(()), Some(root)));
}
