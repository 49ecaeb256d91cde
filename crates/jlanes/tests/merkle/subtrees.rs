//! Subtrees of logs: the draft's vectors, and known answers of trees and tiles.

use std::{collections::BTreeMap, fmt::Write, ops::Range};

use jlanes::{
    Sha256,
    merkle::{
        Error, LogProof, Rfc6962, Subtree, Tile, TiledLog, Tree, TreeHead, cover, inclusion_root,
        is_subtree, leaf_hash, verify_leaf_inclusion, verify_subtree_consistency,
    },
    multi::MultiDigest,
};
use jlanes_testing::{Record, corpus, message};
use sha2::Digest;

pub(crate) type Hash = Box<[u8]>;

pub(crate) fn tree(entries: &[Vec<u8>]) -> Tree<Rfc6962> {
    let mut tree = Tree::new(Rfc6962::entries::<Sha256>());
    tree.extend(&slices(entries)).unwrap();
    tree
}

pub(crate) fn slices(entries: &[Vec<u8>]) -> Vec<&[u8]> {
    entries.iter().map(Vec::as_slice).collect()
}

pub(crate) fn verify_part<H: MultiDigest>(
    (range, hash): (Range<u64>, &[u8]),
    (leaves, root): (u64, &[u8]),
    proof: &[impl AsRef<[u8]>],
) -> Result<(), Error> {
    let (part, tree) = (Subtree { range, hash }, TreeHead { leaves, root });
    verify_subtree_consistency::<H>(part, tree, proof)
}

#[test]
fn the_accumulated_vectors_of_the_draft() {
    let records = corpus("subtrees");
    let record = records.iter().find(|record| record.text("kind") == "accumulated").unwrap();
    let top: u64 = record.number("top");
    let tree = tree(&(0..top).map(|i| vec![i as u8]).collect::<Vec<_>>());
    let [mut hashes, mut inclusion, mut consistency, mut covers] = [const { String::new() }; 4];
    let ranges = || (0..=top).flat_map(|end| (0..=end).map(move |start| start..end));
    let mut roots = Vec::new();
    for size in 0..=top {
        roots.push(tree.subtree(0..size).unwrap());
    }
    for range in ranges() {
        let Range { start, end } = range;
        let covered = cover(range.clone()).unwrap();
        let [first, second] = covered.map(|Range { start, end }| format!("[{start}, {end})"));
        writeln!(covers, "{first} {second}").unwrap();
        let Ok(hash) = tree.subtree(range.clone()) else {
            assert!(!is_subtree(&range), "{range:?}");
            continue;
        };
        writeln!(hashes, "[{start}, {end}) {}", hex(&hash)).unwrap();
        for index in range.clone() {
            let proof = tree.inclusion_in(range.clone(), index).unwrap();
            writeln!(inclusion, "{index} [{start}, {end}){}", joined(&proof)).unwrap();
            let part = Subtree { range: range.clone(), hash: &hash };
            let leaf = leaf_hash::<Sha256>(&[index as u8]);
            assert_eq!(verify_leaf_inclusion::<Sha256>(&leaf, index, &proof, part), Ok(()));
        }
    }
    for size in 0..=top {
        for range in ranges().take_while(|range| range.end <= size).filter(is_subtree) {
            let proof = tree.subtree_consistency(range.clone(), size).unwrap();
            writeln!(consistency, "[{}, {}) {size}{}", range.start, range.end, joined(&proof))
                .unwrap();
            let (node, root) = (tree.subtree(range.clone()).unwrap(), &roots[size as usize]);
            let shown = verify_part::<Sha256>((range, &node), (size, root), &proof);
            assert_eq!(shown, Ok(()));
        }
    }
    let answers = record.record("sha256_hex");
    for (name, lines) in [
        ("hash", hashes),
        ("inclusion", inclusion),
        ("consistency", consistency),
        ("cover", covers),
    ] {
        assert_eq!(*sha2::Sha256::digest(lines), answers.hex(name), "{name}");
    }
}

fn joined(proof: &[Hash]) -> String {
    proof.iter().map(|hash| format!(" {}", hex(hash))).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[test]
fn the_corpus() {
    for record in corpus("subtrees") {
        let range = || record.number("start")..record.number("end");
        match record.text("kind") {
            "subtree" => subtree(&record, range()),
            "refuse_consistency" => {
                let (hash, root) = (record.hex("hash_hex"), record.hex("root_hex"));
                let (part, whole) = ((range(), &*hash), (record.number("n"), &*root));
                let proof = record.hexes("proof_hex");
                let shown = verify_part::<Sha256>(part, whole, &proof);
                assert!(shown.is_err(), "{}", record.name());
            }
            "refuse_inclusion" => {
                let (leaf, path) = (record.hex("entry_hash_hex"), record.hexes("path_hex"));
                let (hash, index) = (record.hex("subtree_hash_hex"), record.number("index"));
                let root = inclusion_root::<Sha256>(&leaf, index, range(), &path).ok();
                let known = record.optional_hex("evaluates_to");
                assert_eq!(root.as_deref(), known.as_deref(), "{}", record.name());
                let part = Subtree { range: range(), hash: &hash };
                let shown = verify_leaf_inclusion::<Sha256>(&leaf, index, &path, part);
                assert!(shown.is_err(), "{}", record.name());
            }
            "valid" => {
                let valid = record.value("valid").as_bool().unwrap();
                assert_eq!(is_subtree(&range()), valid, "{}", record.name());
                let known = record.has("cover").then(|| pairs(&record, "cover"));
                assert_eq!(cover(range()).ok(), known, "{}", record.name());
            }
            "accumulated" => {}
            other => panic!("{}: {other}", record.name()),
        }
    }
}

fn pairs(record: &Record, field: &str) -> [Range<u64>; 2] {
    [0, 1].map(|at| {
        let pair = [0, 1].map(|end| record.value(field)[at][end].as_u64().unwrap());
        pair[0]..pair[1]
    })
}

fn subtree(record: &Record, range: Range<u64>) {
    let (seed, n): (u64, u64) = (record.number("log_seed"), record.number("n"));
    let entries: Vec<_> = (0..n).map(|i| message(seed + i, i as usize % 61)).collect();
    let (tree, files) = (tree(&entries), Files::of(&entries));
    let (hash, root) = (record.hex("hash_hex"), record.hex("root_hex"));
    assert_eq!(*tree.subtree(range.clone()).unwrap(), hash, "{}", record.name());

    let (inclusion, covered) = (record.record("inclusion"), record.record("cover"));
    let (index, path) = (inclusion.number("index"), inclusion.hexes("path_hex"));
    assert_eq!(bytes(&tree.inclusion_in(range.clone(), index).unwrap()), path, "{}", record.name());
    let leaf = leaf_hash::<Sha256>(&entries[index as usize]);
    let part = Subtree { range: range.clone(), hash: &hash };
    let shown = verify_leaf_inclusion::<Sha256>(&leaf, index, &path, part);
    assert_eq!(shown, Ok(()), "{}", record.name());
    let proof = LogProof::inclusion(range.clone(), index).unwrap();
    assert_eq!(bytes(&files.prove(&proof, n)), path, "{}", record.name());

    let proof = record.hexes("consistency_hex");
    let found = tree.subtree_consistency(range.clone(), n).unwrap();
    assert_eq!(bytes(&found), proof, "{}", record.name());
    let part = (range.clone(), &*hash);
    let shown = verify_part::<Sha256>(part, (n, &root), &proof);
    assert_eq!(shown, Ok(()), "{}", record.name());
    let plan = LogProof::consistency(range.clone(), n).unwrap();
    assert_eq!(bytes(&files.prove(&plan, n)), proof, "{}", record.name());

    let all = covered.number("start")..covered.number("end");
    assert_eq!(cover(all).unwrap(), pairs(&covered, "subtrees"), "{}", record.name());

    let plan = LogProof::subtree(range).unwrap();
    let tiles: Vec<_> = plan.tiles(n).unwrap().iter().map(Tile::to_string).collect();
    let known: Vec<_> = record.value("tiles").as_array().unwrap().iter().collect();
    assert_eq!(tiles, known.iter().map(|path| path.as_str().unwrap()).collect::<Vec<_>>());
    assert_eq!(bytes(&files.prove(&plan, n)), [hash], "{}", record.name());
}

fn bytes(hashes: &[Hash]) -> Vec<Vec<u8>> {
    hashes.iter().map(|hash| hash.to_vec()).collect()
}

/// The tiles of a log.
pub(crate) struct Files(pub(crate) BTreeMap<Tile, Vec<u8>>);

impl Files {
    pub(crate) fn of(entries: &[Vec<u8>]) -> Self {
        let mut log = TiledLog::new::<Sha256>();
        let mut tiles = log.extend(&slices(entries));
        tiles.extend(log.partial());
        Self(tiles.into_iter().collect())
    }

    /// The hashes of a proof, from the tiles that it names, each read once.
    pub(crate) fn prove(&self, proof: &LogProof, leaves: u64) -> Vec<Hash> {
        let mut tiles = proof.tiles(leaves).unwrap().into_iter();
        let read = |tile: Tile| {
            assert_eq!(Some(tile), tiles.next());
            Ok::<_, Error>(self.0[&tile].clone())
        };
        let hashes = proof.read::<Sha256, _>(leaves, read).unwrap();
        assert_eq!(tiles.next(), None);
        hashes
    }
}
