//! Subtrees of logs against a recursion that is written a second way, and claims that must be refused.

use std::{collections::BTreeMap, ops::Range};

use jlanes::{
    Sha256, Sha512,
    merkle::{
        Error, LogProof, Rfc6962, TiledLog, Tree, cover, inclusion_root, is_subtree, leaf_hash,
        verify_consistency, verify_inclusion,
    },
};
use jlanes_testing::{message, model::merkle::rfc6962};
use proptest::prelude::*;
use sha2::Digest;

use crate::subtrees::{Files, Hash, slices, tree, verify_part};

/// The draft's definitions over a list of entries, each a recursion.
struct Model<'e>(&'e [&'e [u8]]);

impl Model<'_> {
    fn hash(&self, Range { start, end }: Range<usize>) -> Hash {
        Box::new(rfc6962(&self.0[start..end]))
    }

    /// PATH of RFC 9162 for the entries of `range`.
    fn path(&self, index: usize, range: Range<usize>) -> Vec<Hash> {
        if range.len() == 1 {
            return Vec::new();
        }
        let middle = range.start + range.len().next_power_of_two() / 2;
        let (inside, beside) = if index < middle {
            (range.start..middle, middle..range.end)
        } else {
            (middle..range.end, range.start..middle)
        };
        let mut path = self.path(index, inside);
        path.push(self.hash(beside));
        path
    }

    /// SUBTREE_SUBPROOF of the draft.
    fn subproof(&self, part: Range<usize>, whole: Range<usize>, known: bool) -> Vec<Hash> {
        if part == whole {
            return if known { Vec::new() } else { vec![self.hash(part)] };
        }
        let middle = whole.start + whole.len().next_power_of_two() / 2;
        let (left, right) = (whole.start..middle, middle..whole.end);
        let (mut proof, beside) = if part.end <= middle {
            (self.subproof(part, left, known), right)
        } else if middle <= part.start {
            (self.subproof(part, right, known), left)
        } else {
            (self.subproof(middle..part.end, right, false), left)
        };
        proof.push(self.hash(beside));
        proof
    }
}

/// A subtree of a log of `leaves` entries that begins before `at`, if it is not longer than `len`.
fn subtree_at(at: u64, len: u64, leaves: u64) -> Range<u64> {
    let start = at % leaves / len.next_power_of_two() * len.next_power_of_two();
    start..(start + len).min(leaves)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn trees_and_tiles_match_the_recursion(
        n in 1..1500_u64, at: u64, len in 1..1500_u64, inside: u64, more in 0..400_u64,
    ) {
        let entries: Vec<_> = (0..n + more).map(|i| message(i, i as usize % 70)).collect();
        let (tree, files, slices) = (tree(&entries), Files::of(&entries), slices(&entries));
        let (model, all) = (Model(&slices), n + more);
        let range = subtree_at(at, len, n);
        let places = range.start as usize..range.end as usize;
        let hash = tree.subtree(range.clone()).unwrap();
        prop_assert_eq!(&hash, &model.hash(places.clone()));
        prop_assert_eq!(files.prove(&LogProof::subtree(range.clone()).unwrap(), all), std::slice::from_ref(&hash));

        let index = range.start + inside % (range.end - range.start);
        let proof = tree.inclusion_in(range.clone(), index).unwrap();
        prop_assert_eq!(&proof, &model.path(index as usize, places.clone()));
        prop_assert_eq!(&files.prove(&LogProof::inclusion(range.clone(), index).unwrap(), all), &proof);
        let leaf = leaf_hash::<Sha256>(slices[index as usize]);
        let root = inclusion_root::<Sha256>(&leaf, index, range.clone(), &proof);
        prop_assert_eq!(root.as_ref(), Ok(&hash));

        let proof = tree.subtree_consistency(range.clone(), n).unwrap();
        prop_assert_eq!(&proof, &model.subproof(places, 0..n as usize, true));
        prop_assert_eq!(&files.prove(&LogProof::consistency(range.clone(), n).unwrap(), all), &proof);
        let root = model.hash(0..n as usize);
        let verify = |range: Range<u64>, node: &[u8], n, proof: &[Hash]| {
            verify_part::<Sha256>((range, node), (n, &root), proof)
        };
        prop_assert_eq!(verify(range.clone(), &hash, n, &proof), Ok(()));
        let wrong = [&proof[..], std::slice::from_ref(&hash)].concat();
        prop_assert_eq!(verify(range.clone(), &hash, n, &wrong), Err(Error::Proof));
        for i in 0..proof.len() {
            let mut wrong = proof.clone();
            wrong[i][31] ^= 1;
            prop_assert_eq!(verify(range.clone(), &hash, n, &wrong), Err(Error::Proof));
            prop_assert_eq!(verify(range.clone(), &hash, n, &proof[..i]), Err(Error::Proof));
        }
        let other = if range.is_empty() { root.clone() } else { leaf_hash::<Sha256>(&hash) };
        prop_assert_eq!(verify(range, &other, n, &proof), Err(Error::Proof));
    }

    /// Whatever is claimed of a log with a size near 2^64, a proof of other hashes shows nothing.
    #[test]
    fn no_claim_panics(
        start: u64, end: u64, n: u64, index: u64, shifts in prop::array::uniform4(0..64_u32),
        count in 0..70_usize,
    ) {
        let near = |value: u64, shift: u32| u64::MAX - (value >> shift);
        let proof = vec![[7; 32]; count];
        for start in [0, start >> shifts[0], start >> shifts[0] << shifts[1], near(start, shifts[0])] {
            for end in [end >> shifts[1], near(end, shifts[1]), start, start.wrapping_add(1), u64::MAX] {
                let range = start..end;
                let fits = is_subtree(&range);
                prop_assert!(cover(range.clone()).is_ok_and(|both| both.iter().all(is_subtree)) == (start <= end));
                for index in [index >> shifts[2], near(index, shifts[2]), start, end.wrapping_sub(1)] {
                    let root = inclusion_root::<Sha256>(&[7; 32], index, range.clone(), &proof);
                    let steps = LogProof::inclusion(range.clone(), index).map(|proof| proof.subtrees().len());
                    prop_assert_eq!(root.is_ok(), steps == Ok(count));
                    prop_assert_eq!(steps.is_ok(), fits && range.contains(&index));
                }
                for n in [n >> shifts[3], near(n, shifts[3]), end, u64::MAX] {
                    let (part, whole) = ((range.clone(), &[7; 32][..]), (n, &[7; 32][..]));
                    let shown = verify_part::<Sha256>(part, whole, &proof);
                    // only a log without other entries has the same hash
                    prop_assert_eq!(shown.is_ok(), count == 0 && fits && start == 0 && end == n && n > 0);
                    let plan = LogProof::consistency(range.clone(), n);
                    prop_assert_eq!(plan.is_ok(), fits && end <= n);
                    if let Ok(plan) = plan {
                        prop_assert!(plan.subtrees().iter().all(is_subtree) && plan.subtrees().len() <= 65);
                        let tiles = plan.tiles(n).unwrap();
                        prop_assert!(tiles.iter().all(|tile| tile.width > 0));
                    }
                }
            }
        }
    }
}

/// RFC 9162's proofs are those of the subtrees of one entry and from 0.
#[test]
fn one_proof_for_entries_and_older_logs() {
    let entries: Vec<_> = (0..70_u8).map(|i| vec![i; usize::from(i) % 5]).collect();
    for n in 1..70 {
        let tree = tree(&entries[..n]);
        let (size, root) = (n as u64, tree.root().unwrap());
        for i in 0..n {
            let (index, leaf) = (i as u64, leaf_hash::<Sha256>(&entries[i]));
            let (proof, part) = (tree.inclusion(i).unwrap(), index..index + 1);
            assert_eq!(tree.subtree_consistency(part.clone(), size).unwrap(), proof);
            let shown = verify_part::<Sha256>((part, &leaf), (size, &root), &proof);
            assert_eq!(shown, Ok(()));
            assert_eq!(
                verify_inclusion::<Sha256>(&entries[i], (index, size), &proof, &root),
                Ok(())
            );
            let (old, before) = (index + 1, tree.subtree(0..index + 1).unwrap());
            let proof = tree.subtree_consistency(0..old, size).unwrap();
            assert_eq!(tree.consistency(i + 1).unwrap(), proof);
            assert_eq!(verify_consistency::<Sha256>((old, &before), (size, &root), &proof), Ok(()));
        }
    }
}

#[test]
fn errors_name_what_is_wrong() {
    let entries: Vec<_> = (0..9_u8).map(|i| vec![i]).collect();
    let tree = tree(&entries);
    let not_subtree = |start, end| Error::NotSubtree { start, end };
    let missing = |index, leaves| Error::NoSuchLeaf { index, leaves };
    #[allow(clippy::reversed_empty_ranges, reason = "the case")]
    let reversed = 5..4;
    assert_eq!(tree.subtree(2..5), Err(not_subtree(2, 5)));
    assert_eq!(tree.subtree(reversed.clone()), Err(not_subtree(5, 4)));
    assert_eq!(cover(reversed), Err(not_subtree(5, 4)));
    assert_eq!(tree.subtree(8..10), Err(missing(10, 9)));
    assert_eq!(tree.inclusion_in(8..10, 8), Err(missing(10, 9)));
    assert_eq!(tree.inclusion_in(4..8, 3), Err(missing(3, 8)));
    assert_eq!(tree.inclusion_in(4..8, 8), Err(missing(8, 8)));
    assert_eq!(tree.subtree_consistency(4..8, 7), Err(missing(8, 7)));
    assert_eq!(tree.subtree_consistency(4..8, 10), Err(missing(10, 9)));
    assert_eq!(LogProof::subtree(2..5), Err(not_subtree(2, 5)));
    assert_eq!(LogProof::inclusion(4..8, 8), Err(missing(8, 8)));
    let proof = LogProof::subtree(4..8).unwrap();
    assert_eq!(proof.tiles(7), Err(missing(8, 7)));
    let read = |len: usize| proof.read::<Sha256, Error>(8, |_| Ok(vec![0; len]));
    assert_eq!(read(8 * 32).unwrap().len(), 1);
    assert_eq!(read(7 * 32), Err(Error::Partial { len: 7 * 32, block: 8 * 32 }));
    assert_eq!(proof.read::<Sha256, _>(8, |_| Err(Error::Name)), Err(Error::Name));
    let empty = tree.subtree(3..3).unwrap();
    assert_eq!(*empty, *sha2::Sha256::digest(b""));
    assert_eq!(tree.subtree_consistency(3..3, 9), Ok(Vec::new()));
    let verify = |node: &[u8], proof: &[Hash]| {
        verify_part::<Sha256>((3..3, node), (9, &tree.root().unwrap()), proof)
    };
    assert_eq!(verify(&empty, &[]), Ok(()));
    assert_eq!(verify(&empty, std::slice::from_ref(&empty)), Err(Error::Proof));
    assert_eq!(verify(&empty[..31], &[]), Err(Error::Proof));
    let (short, whole) = ((0..9, &[1; 31][..]), (9, &[1; 31][..]));
    assert_eq!(verify_part::<Sha256>(short, whole, &[[0; 32]; 0]), Err(Error::Proof));
}

/// A tile is checked like any other subtree, and its place is within 64 bits or nowhere.
#[test]
fn tiles_are_subtrees() {
    let entries: Vec<_> = (0..70_000_u32).map(|i| i.to_le_bytes().to_vec()).collect();
    let (tree, files) = (tree(&entries), Files::of(&entries));
    let (leaves, root) = (70_000, tree.root().unwrap());
    for (tile, bytes) in &files.0 {
        let (range, hash) = (tile.entries().unwrap(), tile.hash::<Sha256>(bytes).unwrap());
        assert_eq!(hash, tree.subtree(range.clone()).unwrap(), "{tile}");
        let proof = LogProof::consistency(range.clone(), leaves).unwrap();
        let proof = files.prove(&proof, leaves);
        let shown = verify_part::<Sha256>((range, &hash), (leaves, &root), &proof);
        assert_eq!(shown, Ok(()), "{tile}");
        let partial = Error::Partial { len: 1, block: usize::from(tile.width) * 32 };
        assert_eq!(tile.hash::<Sha256>(&[0]), Err(partial));
    }
    let mut tile = *files.0.keys().next().unwrap();
    assert_eq!(tile.entries(), Some(0..256));
    tile.index = u64::MAX;
    assert_eq!(tile.entries(), None);
    (tile.level, tile.index) = (7, 0);
    assert_eq!(tile.entries(), None);
    tile.width = 255;
    assert_eq!(tile.entries(), Some(0..255 << 56));
    tile.level = 255;
    assert_eq!(tile.entries(), None);
}

#[test]
fn subtrees_with_sha512() {
    let entries: Vec<_> = (0..300_u32).map(|i| i.to_le_bytes().to_vec()).collect();
    let mut log = TiledLog::new::<Sha512>();
    let mut tiles = log.extend(&slices(&entries));
    tiles.extend(log.partial());
    let tiles: BTreeMap<_, _> = tiles.into_iter().collect();
    let mut tree = Tree::new(Rfc6962::entries::<Sha512>());
    tree.extend(&slices(&entries)).unwrap();
    let plan = LogProof::consistency(256..290, 300).unwrap();
    let proof = plan.read::<Sha512, Error>(300, |tile| Ok(tiles[&tile].clone())).unwrap();
    assert_eq!(proof, tree.subtree_consistency(256..290, 300).unwrap());
    let part = (256..290, &*tree.subtree(256..290).unwrap());
    assert_eq!(verify_part::<Sha512>(part, (300, &log.root()), &proof), Ok(()));
}
