//! Merkle formats: whole, in pieces, and kept.

use core::{convert::Infallible, fmt::Debug};

use digest::Digest;
use jlanes_testing::{
    message,
    model::{merkle as model, sha256tree as sha256tree_model},
};
use jlanes_tree::merkle::{
    Error, Format, Frame, Leaf, LeafKind, NodeFunction, Odd, Rules, Summary, Tree,
    bitcoin::Bitcoin,
    bittorrent::BitTorrent,
    dmverity::{DmVerity, Version},
    fsverity::FsVerity,
    glacier::Glacier,
    rfc6962::{Rfc6962, verify_consistency, verify_inclusion},
    s3::S3,
    sha256tree::Sha256Tree,
    ssz::Ssz,
};

use crate::OnBackend as Sha256;

/// The result of `format`, whole and in pieces, and after changes of a tree that is kept.
fn check<T>(format: &T, leaf: usize, data: &[u8]) -> Result<T::Output, T::Error>
where
    T: Format<Output: PartialEq + Debug, Error: PartialEq + Debug>,
{
    let whole = format.digest(data);
    for piece in [leaf - 1, leaf + 1, 5 * leaf] {
        let mut hasher = format.hasher();
        data.chunks(piece.max(1)).for_each(|piece| hasher.update(piece));
        assert_eq!(hasher.finalize(), whole, "pieces of {piece}");
    }
    let leaves: Vec<_> = data.chunks(leaf).collect();
    let mut tree = Tree::new(format.clone());
    // as many as there are, and one that is not right at first
    for some in leaves.chunks(7) {
        tree.extend(some).unwrap();
    }
    if let Some(last) = leaves.len().checked_sub(1) {
        for at in [0, last / 2, last] {
            tree.replace(at, &vec![0; leaves[at].len()]).unwrap();
            assert_ne!(tree.digest(), whole, "leaf {at} of {last}");
            tree.replace(at, leaves[at]).unwrap();
        }
    }
    assert_eq!(tree.digest(), whole);
    whole
}

/// Lengths around multiples of `unit`, up to `most` units.
fn lengths(unit: usize, most: usize) -> impl Iterator<Item = usize> {
    (0..=most).flat_map(move |n| [n * unit, n * unit + 1, (n + 1) * unit - 1])
}

#[test]
fn rfc6962() {
    for (leaf, len) in
        [1, 31, 64].into_iter().flat_map(|leaf| lengths(leaf, 12).map(move |len| (leaf, len)))
    {
        let data = message(7, len);
        let leaves: Vec<_> = data.chunks(leaf).collect();
        let Ok(root) = check(&Rfc6962::chunks::<Sha256>(leaf).unwrap(), leaf, &data);
        assert_eq!(*root, model::rfc6962(&leaves), "{len} in {leaf}");
    }
}

#[test]
fn bitcoin() {
    for ids in 1..40 {
        let data = message(9, ids * 32);
        let root = check(&Bitcoin, 32, &data).unwrap();
        assert_eq!(root.root, model::bitcoin(&data), "{ids} ids");
        assert!(!root.is_mutated, "{ids} ids");
    }
    assert!(Bitcoin.digest(&[]).is_err());
    assert!(Bitcoin.digest(&[0; 33]).is_err());
}

#[test]
fn ssz() {
    for len in lengths(32, 9) {
        let data = message(8, len);
        let root = check(&Ssz::default(), 32, &data).unwrap();
        assert_eq!(root, model::ssz(&data, 0), "{len} bytes");
        let chunks = len.div_ceil(32);
        for limit in [chunks, chunks + 1, 2 * chunks + 1] {
            let root = check(&Ssz::with_limit(limit.max(1) as u64), 32, &data).unwrap();
            assert_eq!(root, model::ssz(&data, limit.max(1)), "{len} bytes, limit {limit}");
        }
        if chunks > 1 {
            assert!(Ssz::with_limit(chunks as u64 - 1).digest(&data).is_err());
        }
    }
}

#[test]
fn the_length_of_a_list_is_mixed_into_its_root() {
    let root = Ssz::with_limit(4).digest(&message(8, 96)).unwrap();
    for length in [0, 3, 0x0102_0304_0506_0708, u64::MAX] {
        let mut second = [0; 32];
        second[..8].copy_from_slice(&length.to_le_bytes());
        let expected = sha2::Sha256::new().chain_update(root).chain_update(second).finalize();
        assert_eq!(Ssz::mix_in_length(&root, length), expected, "{length}");
    }
}

#[test]
fn bittorrent() {
    for len in [1, 16 << 10, (16 << 10) + 1, 70_000, 200_000] {
        let data = message(1, len);
        let root = BitTorrent::default().digest(&data).unwrap();
        assert_eq!(root.root, model::btv2(&data), "{len} bytes");
    }
}

#[test]
fn glacier() {
    for len in [0, 5, (1 << 20) + 1] {
        let data = message(2, len);
        let Ok(root) = Glacier.digest(&data);
        assert_eq!(root, model::glacier(&data), "{len} bytes");
    }
}

#[test]
fn sha256tree() {
    for len in lengths(1024, 9) {
        let data = message(11, len);
        let Ok(digest) = check(&Sha256Tree::default(), 1024, &data);
        assert_eq!(digest, sha256tree_model::sha256tree(&data), "{len} bytes");
    }
}

#[test]
fn s3() {
    for (part, len) in [(10, 0), (10, 9), (10, 10), (10, 11), (1000, 20_500)] {
        let data = message(3, len);
        let composite = check(&S3::new(part).unwrap(), part, &data).unwrap();
        assert_eq!(*composite.digest, model::s3(&data, part), "{len} in {part}");
        assert_eq!(composite.parts, len.div_ceil(part).max(1) as u64);
    }
    assert!(S3::new(0).is_err());
}

#[test]
fn fsverity() {
    for len in lengths(1024, 2).chain([33 << 10, (33 << 10) + 7]) {
        let data = message(4, len);
        for salt in [&b""[..], b"abcd", &[7; 32]] {
            let Ok(digest) = check(&FsVerity::sha256(1024, salt).unwrap(), 1024, &data);
            assert_eq!(*digest, model::fsverity(&data, 1024, salt), "{len} bytes");
        }
    }
    for (block, salt) in [(1000, 0), (512, 0), (1024, 33)] {
        assert!(FsVerity::sha256(block, &vec![0; salt]).is_err(), "{block}, {salt}");
    }
}

#[test]
fn dmverity() {
    for version in [Version::V0, Version::V1] {
        for (blocks, salt) in [(1, 0), (2, 1), (16, 32), (17, 64), (33, 65), (40, 256)] {
            let (data, salt) = (message(5, blocks * 512), message(6, salt));
            let format = DmVerity::new::<Sha256>(512, &salt).unwrap().version(version);
            let found = check(&format.with_tree(), 512, &data).unwrap();
            let (root, tree) = model::dmverity(&data, 512, &salt, version == Version::V1);
            assert_eq!((&found.root[..], found.tree), (&root[..], tree), "{blocks} blocks");
        }
    }
    assert!(DmVerity::new::<Sha256>(512, b"").unwrap().digest(&[0; 513]).is_err());
}

/// A format of its own: pairs over leaves that are filled up with zeros, and longer than what is gathered.
#[derive(Clone)]
struct LongFilled;

impl LongFilled {
    const LEAF: usize = (1 << 20) + 100;
}

impl Format for LongFilled {
    type Output = Option<Box<[u8]>>;
    type Error = Infallible;

    fn rules(&self) -> Rules {
        let mut leaf = Leaf::plain(Self::LEAF).framed(Frame::prefix(*b"leaf"));
        leaf.kind = LeafKind::Filled;
        Rules::pairs(NodeFunction::of::<Sha256>(), leaf, Frame::NONE, Odd::Promote)
    }

    fn output(&self, tree: Summary<'_>) -> Result<Self::Output, Infallible> {
        Ok(tree.root)
    }
}

#[test]
fn long_leaves_are_filled_up_as_they_come() {
    let leaf = |data: &[u8]| {
        let zeros = vec![0; LongFilled::LEAF - data.len()];
        sha2::Sha256::new().chain_update(b"leaf").chain_update(data).chain_update(zeros).finalize()
    };
    let data = message(10, LongFilled::LEAF + 5);
    let (first, second) = data.split_at(LongFilled::LEAF);
    let both = sha2::Sha256::new().chain_update(leaf(first)).chain_update(leaf(second)).finalize();
    let short = &data[..LongFilled::LEAF - 3000];
    for (data, expected) in [(&data[..], both), (first, leaf(first)), (short, leaf(short))] {
        let Ok(root) = LongFilled.digest(data);
        assert_eq!(root.as_deref(), Some(&expected[..]), "{} bytes", data.len());
        let mut hasher = LongFilled.hasher();
        data.chunks(300_001).for_each(|piece| hasher.update(piece));
        let Ok(root) = hasher.finalize();
        assert_eq!(root.as_deref(), Some(&expected[..]), "{} bytes in pieces", data.len());
    }
}

/// A log of `n` entries.
fn log(n: usize) -> Tree<Rfc6962> {
    let mut tree = Tree::new(Rfc6962::entries::<Sha256>());
    (0..n).for_each(|i| tree.push(&vec![i as u8; i % 5]).unwrap());
    tree
}

#[test]
fn entries_are_proved_to_be_in_a_log() {
    for n in 1..20 {
        let tree = log(n);
        let root = tree.root().unwrap();
        for index in 0..n {
            let proof = tree.inclusion(index).unwrap();
            let verify = |index: usize, proof: &[_]| {
                let place = (index as u64, n as u64);
                verify_inclusion::<Sha256>(&vec![index as u8; index % 5], place, proof, &root)
            };
            assert_eq!(verify(index, &proof), Ok(()), "{index} of {n}");
            assert_eq!(
                verify(index, &[&proof[..], std::slice::from_ref(&root)].concat()),
                Err(Error::Proof)
            );
            if let Some((_, shorter)) = proof.split_last() {
                assert_eq!(verify(index, shorter), Err(Error::Proof));
                assert!(verify(index ^ 1, &proof).is_err(), "{index} of {n}");
            }
        }
        assert!(tree.inclusion(n).is_err());
    }
}

#[test]
fn logs_are_proved_to_have_grown() {
    for n in 1..20 {
        let new = log(n);
        for old in 1..=n {
            let roots = (log(old).root().unwrap(), new.root().unwrap());
            let proof = new.consistency(old).unwrap();
            let verify = |old: usize, proof: &[_]| {
                let (old, new) = ((old as u64, &*roots.0), (n as u64, &*roots.1));
                verify_consistency::<Sha256>(old, new, proof)
            };
            assert_eq!(verify(old, &proof), Ok(()), "{old} of {n}");
            assert_eq!(verify(0, &proof), Err(Error::EmptyTree));
            let missing = Error::NoSuchLeaf { index: n as u64 + 1, leaves: n as u64 };
            assert_eq!(verify(n + 1, &proof), Err(missing));
            assert_eq!(
                verify(old, &[&proof[..], std::slice::from_ref(&roots.0)].concat()),
                Err(Error::Proof)
            );
            if let Some((_, shorter)) = proof.split_last() {
                assert_eq!(verify(old, shorter), Err(Error::Proof));
            }
        }
    }
}
