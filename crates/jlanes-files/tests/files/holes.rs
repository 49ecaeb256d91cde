//! Files with holes: digests count zeros, and trees skip them.

use std::{
    fs::{self, File},
    io::{Seek, SeekFrom, Write},
    path::Path,
};

use jlanes::Algorithm;
use jlanes_files::Engine;

use crate::{Scratch, paint};

/// A file of `len` bytes with data at these offsets.
fn sparse(path: &Path, len: u64, data: &[(u64, usize)]) {
    let mut file = File::create(path).unwrap();
    for (at, len) in data {
        file.seek(SeekFrom::Start(*at)).unwrap();
        file.write_all(&paint(*len)).unwrap();
    }
    file.set_len(len).unwrap();
}

fn digests(path: &Path, algorithms: &[Algorithm]) -> (u64, Vec<Box<[u8]>>) {
    let mut found = None;
    let stats = Engine::new().digests(algorithms, [path], |file| {
        found = Some(file.digests?);
        Ok(())
    });
    (stats.unwrap().bytes, found.unwrap())
}

#[test]
fn holes_are_zeros() {
    const MIB: u64 = 1 << 20;
    let scratch = Scratch::new();
    let (holes, full) = (scratch.at("holes"), scratch.at("full"));
    let algorithms = ["fsverity-sha256", "dropbox", "sha256", "jlanes8-sha256"];
    let algorithms = algorithms.map(|name| name.parse::<Algorithm>().unwrap());
    for (len, data) in [
        (30 * MIB, &[][..]),
        (30 * MIB, &[(0, 1)]),
        (30 * MIB, &[(5 * MIB + 7, 5000), (20 * MIB, 100)]),
        (30 * MIB + 1, &[(30 * MIB, 1)]),
        (9 * MIB, &[(0, 9 << 20)]),
    ] {
        sparse(&holes, len, data);
        // without holes
        fs::write(&full, fs::read(&holes).unwrap()).unwrap();
        let expected = digests(&full, &algorithms);
        assert_eq!(expected.0, len);
        assert_eq!(digests(&holes, &algorithms), expected, "{len} {data:?}");
        assert_eq!(digests(&holes, &algorithms[..1]).1[..], expected.1[..1], "{len} {data:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_tree_of_a_hole_is_short_work() {
    let scratch = Scratch::new();
    let path = scratch.at("f");
    // longer than any test could read
    sparse(&path, 8 << 40, &[(1 << 40, 1)]);
    let (bytes, found) = digests(&path, &["fsverity-sha256".parse().unwrap()]);
    assert_eq!((bytes, found[0].len()), (8 << 40, 32));
}
