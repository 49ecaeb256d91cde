//! Runs of zeros equal the same zeros as data.

use std::fmt::Debug;

use jlanes::{
    Sha256,
    merkle::{
        BitTorrent, BitTorrentV1, Bitcoin, DmVerity, Dropbox, Format, FsVerity, Glacier, Rfc6962,
        S3, Sha256Tree, Ssz,
    },
};

/// Compares data with `len` zeros after `before` bytes, and bytes after them.
fn check<T: Format<Output: PartialEq + Debug>>(format: &T, before: usize, len: usize, after: usize)
where
    T::Error: Debug,
{
    let data = [vec![7; before], vec![0; len], vec![9; after]].concat();
    let mut hasher = format.hasher();
    hasher.update(&data[..before]);
    hasher.update_zeros(len as u64);
    hasher.update(&data[before + len..]);
    let expected = format.digest(&data).expect("it has a digest");
    assert_eq!(hasher.finalize().expect("as above"), expected, "{before} {len} {after}");
}

/// Checks runs around the edges of leaves of `leaf` bytes, and of nodes of `fan_out` leaves.
fn check_edges<T: Format<Output: PartialEq + Debug>>(format: &T, leaf: usize, fan_out: usize)
where
    T::Error: Debug,
{
    let node = leaf * fan_out;
    for before in [0, 1, leaf - 1, leaf, 3 * leaf, node, node + leaf + 1] {
        for len in [1, leaf, 2 * leaf + 1, node - 1, 2 * node, 5 * node + 3 * leaf + 1] {
            for after in [0, 1, leaf, 2 * node + 1] {
                check(format, before, len, after);
            }
        }
    }
}

#[test]
fn every_format_has_runs() {
    check_edges(&FsVerity::sha256(1024, b"salt").unwrap(), 1024, 32);
    check_edges(&FsVerity::sha512(4096, b"").unwrap(), 4096, 64);
    check_edges(&BitTorrent::default(), 16 << 10, 2);
    check_edges(&Rfc6962::chunks::<Sha256>(100).unwrap(), 100, 2);
    check_edges(&Sha256Tree::default(), 1024, 2);
    check_edges(&S3::new(1000).unwrap(), 1000, 4);
    check_edges(&BitTorrentV1::new(16 << 10).unwrap(), 16 << 10, 4);
    check_edges(&FsVerity::sha256(1024, b"").unwrap().root_only(), 1024, 32);
    // leaves that are digests
    check_edges(&Ssz::default(), 32, 2);
    check_edges(&Ssz::with_limit(1 << 40), 32, 2);
    check_edges(&Sha256Tree::of_pieces(), 32, 2);
    for (before, ids, after) in [(0, 1), (0, 2), (1, 7), (5, 64), (3, 1001)]
        .into_iter()
        .flat_map(|(before, ids)| [0, 1, 2, 5].map(|after| (before, ids, after)))
    {
        check(&Bitcoin, before * 32, ids * 32, after * 32);
    }
    // leaves that are too long for a buffer
    check(&S3::new((1 << 20) + 1).unwrap(), 5, (3 << 20) + 9, 7);
    check(&Rfc6962::chunks::<Sha256>(2 << 20).unwrap(), 5, (7 << 20) + 9, 7);
    check(&Glacier, 1, 5 << 20, 7);
    check(&Dropbox, 1, 17 << 20, 7);
    // whole blocks, and the tree too
    let verity = DmVerity::with_blocks::<Sha256>(512, 1024, b"salt").unwrap().with_tree();
    for (before, blocks) in [(0, 1), (0, 64), (3, 33), (32, 200), (33, 1500)] {
        check(&verity, before * 512, blocks * 512, 512);
    }
}

/// Hashes a run at once and in halves. A pebibyte would take days.
fn check_long<T>(format: &T, log: u32)
where
    T: Format<Output: PartialEq + Debug, Error: PartialEq + Debug>,
{
    let mut hasher = format.hasher();
    hasher.update_zeros(1 << log);
    let mut halves = format.hasher();
    halves.update_zeros(1 << (log - 1));
    halves.update_zeros(1 << (log - 1));
    assert_eq!(hasher.finalize(), halves.finalize());
}

#[test]
fn a_long_run_is_short_work() {
    check_long(&FsVerity::sha256(4096, b"").unwrap(), 50);
    check_long(&BitTorrent::default(), 50);
    check_long(&Glacier, 50);
    check_long(&Sha256Tree::default(), 50);
    check_long(&Rfc6962::chunks::<Sha256>(100).unwrap(), 50);
    check_long(&Rfc6962::chunks::<Sha256>(64 << 20).unwrap(), 60);
    check_long(&Ssz::default(), 50);
    check_long(&Ssz::with_limit(1 << 60), 50);
    check_long(&Sha256Tree::of_pieces(), 50);
    check_long(&Bitcoin, 50);
    check_long(&DmVerity::new::<Sha256>(4096, b"salt").unwrap(), 50);
    // a list has a digest for every leaf
    check_long(&S3::new(16 << 20).unwrap(), 42);
    check_long(&Dropbox, 42);
    check_long(&BitTorrentV1::new(8 << 20).unwrap(), 42);
}
