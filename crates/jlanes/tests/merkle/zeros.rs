//! Runs of zeros equal the same zeros as data.

use std::fmt::Debug;

use jlanes::{
    Sha256, Sha512,
    merkle::{BitTorrent, DmVerity, Dropbox, Format, FsVerity, Glacier, Rfc6962, S3},
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
    check_edges(&FsVerity::<Sha256>::new(1024, b"salt").unwrap(), 1024, 32);
    check_edges(&FsVerity::<Sha512>::new(4096, b"").unwrap(), 4096, 64);
    check_edges(&BitTorrent::default(), 16 << 10, 2);
    check_edges(&Rfc6962::<Sha256>::chunks(100).unwrap(), 100, 2);
    check_edges(&S3::new(1000).unwrap(), 1000, 4);
    check(&Glacier::default(), 1, 5 << 20, 7);
    check(&Dropbox::default(), 1, 17 << 20, 7);
    // whole blocks, and the tree too
    let verity = DmVerity::<Sha256>::with_blocks(512, 1024, b"salt").unwrap().with_tree();
    for (before, blocks) in [(0, 1), (0, 64), (3, 33), (32, 200), (33, 1500)] {
        check(&verity, before * 512, blocks * 512, 512);
    }
}

#[test]
fn a_long_run_is_short_work() {
    let format = FsVerity::<Sha256>::new(4096, b"").unwrap();
    let mut hasher = format.hasher();
    // a pebibyte, which would take days to hash
    hasher.update_zeros(1 << 50);
    let mut halves = format.hasher();
    halves.update_zeros(1 << 49);
    halves.update_zeros(1 << 49);
    assert_eq!(hasher.finalize(), halves.finalize());
}
