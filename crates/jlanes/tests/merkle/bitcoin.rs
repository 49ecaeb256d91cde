//! Lists of transactions that have the root of a shorter one (CVE-2012-2459).

use jlanes::{
    Digest, Sha256,
    merkle::{Bitcoin, Format, Tree},
};

type Id = [u8; 32];

/// As Bitcoin Core does: equal neighbours that have a node, before an odd digest is repeated.
fn is_mutated(ids: &[Id]) -> bool {
    let mut level = ids.to_vec();
    let mut found = false;
    while level.len() > 1 {
        found |= level.chunks_exact(2).any(|pair| pair[0] == pair[1]);
        if level.len() % 2 == 1 {
            level.extend(level.last().copied());
        }
        let node = |pair: &[Id]| Sha256::digest(Sha256::digest(pair.as_flattened())).into();
        level = level.chunks_exact(2).map(node).collect();
    }
    found
}

/// Checks the flag of a list at once, in pieces and kept, and returns the root.
fn check(ids: &[Id]) -> Id {
    let (format, data) = (Bitcoin, ids.as_flattened());
    let whole = format.digest(data).expect("ids");
    assert_eq!(whole.is_mutated, is_mutated(ids), "{} ids", ids.len());
    for piece in [1, 32, 33, 200, 5000] {
        let mut hasher = format.hasher();
        data.chunks(piece).for_each(|piece| hasher.update(piece));
        assert_eq!(hasher.finalize(), Ok(whole), "{} ids, pieces of {piece}", ids.len());
    }
    let mut tree = Tree::new(format);
    tree.extend(&ids.iter().map(|id| &id[..]).collect::<Vec<_>>()).expect("ids");
    assert_eq!(tree.digest(), Ok(whole), "{} ids", ids.len());
    whole.root.into()
}

fn ids(count: u8) -> Vec<Id> {
    (0..count).map(|i| [i; 32]).collect()
}

#[test]
fn a_repeated_end_is_seen() {
    for count in 1..70 {
        let list = ids(count);
        let root = check(&list);
        // every end that a level repeats: its last digest, if there are others
        let repeats = |end: &usize| list.len().is_multiple_of(*end) && list.len() / end % 2 == 1;
        for end in (0..6).map(|log| 1 << log).filter(repeats).filter(|end| list.len() > *end) {
            let mut longer = list.clone();
            longer.extend_from_within(list.len() - end..);
            assert!(is_mutated(&longer), "{count} and {end}");
            assert_eq!(check(&longer), root, "{count} and {end}");
        }
    }
}

#[test]
fn equal_neighbours_anywhere() {
    for at in 0..20 {
        let mut list = ids(21);
        list[at + 1] = list[at];
        check(&list);
        // equal, and in different nodes
        let mut list = ids(21);
        list[20 - at] = list[at];
        check(&list);
    }
    check(&[[7; 32]; 3]);
}

#[test]
fn runs_of_zeros() {
    for (before, count, after) in
        [(0, 1, 0), (0, 2, 0), (1, 1, 1), (1, 2, 0), (3, 50, 2), (2, 1, 0)]
    {
        let list = [&ids(9)[9 - before..], &vec![[0; 32]; count], &ids(9)[9 - after..]].concat();
        let mut hasher = Bitcoin.hasher();
        hasher.update(list[..before].as_flattened());
        hasher.update_zeros(32 * count as u64);
        hasher.update(list[before + count..].as_flattened());
        let whole = hasher.finalize().expect("ids");
        assert_eq!(whole.is_mutated, is_mutated(&list), "{before} {count} {after}");
        assert_eq!(whole.root[..], check(&list));
    }
}
