//! Logs in tiles: the files, their names, and the tree that they are of.

use std::collections::BTreeMap;

use jlanes::{
    Backend, Sha256, Sha512,
    merkle::{self, Rfc6962, Tile, TiledLog, Tree},
};
use jlanes_testing::{backends, message, model::merkle::rfc6962};
use sha2::Digest;

/// The files of a log, by their paths.
type Files = BTreeMap<String, Vec<u8>>;

fn entries(n: usize) -> Vec<Vec<u8>> {
    (0..n).map(|i| message(i as u64, i % 90)).collect()
}

fn slices(entries: &[Vec<u8>]) -> Vec<&[u8]> {
    entries.iter().map(Vec::as_slice).collect()
}

/// The tiles of a log as the definition has them: each digest is the root of 256^level entries.
fn model(entries: &[&[u8]]) -> Files {
    let mut files = Files::new();
    for level in 0.. {
        let under = 256_usize.pow(level);
        let digests: Vec<_> = entries.chunks_exact(under).map(rfc6962).collect();
        if digests.is_empty() {
            break;
        }
        for (n, tile) in digests.chunks(256).enumerate() {
            let width = if tile.len() < 256 { format!(".p/{}", tile.len()) } else { String::new() };
            files.insert(format!("tile/{level}/{n:03}{width}"), tile.concat());
        }
    }
    files
}

fn named(tiles: Vec<(Tile, Vec<u8>)>) -> Files {
    tiles.into_iter().map(|(tile, bytes)| (tile.to_string(), bytes)).collect()
}

#[test]
fn tiles_are_the_digests_of_their_entries() {
    let entries = entries(1030);
    for n in [0, 1, 2, 3, 255, 256, 257, 300, 511, 512, 513, 767, 1023, 1024, 1025, 1030] {
        let entries = slices(&entries[..n]);
        let (files, root) = (model(&entries), rfc6962(&entries));
        for backend in backends::<Backend>() {
            let mut log = TiledLog::new::<Sha256>().on(backend);
            let mut found = named(log.extend(&entries));
            found.extend(named(log.partial()));
            assert_eq!(found, files, "{n} entries on {backend}");
            assert_eq!(*log.root(), root, "{n} entries on {backend}");
            assert_eq!(log.leaves(), n as u64);
        }
    }
}

#[test]
fn a_second_level_of_whole_tiles() {
    let entries = vec![b"entry".as_slice(); 65_536 + 256 + 7];
    let mut log = TiledLog::new::<Sha256>();
    let mut files = Files::new();
    for some in entries.chunks(10_007) {
        files.extend(named(log.extend(some)));
    }
    files.extend(named(log.partial()));
    assert_eq!(files, model(&entries));
    assert_eq!(*log.root(), rfc6962(&entries));
    let paths = ["tile/0/256", "tile/0/257.p/7", "tile/1/000", "tile/1/001.p/1", "tile/2/000.p/1"];
    assert!(paths.iter().all(|path| files.contains_key(*path)), "{:?}", files.keys());
}

/// However entries come, a whole tile comes once, and a log goes on from its files.
#[test]
fn logs_grow_and_are_resumed() {
    let entries = entries(1030);
    for step in [1, 7, 255, 256, 700] {
        let (mut log, mut files, mut done) = (TiledLog::new::<Sha256>(), Files::new(), 0);
        for some in entries.chunks(step) {
            for (tile, bytes) in log.extend(&slices(some)) {
                assert_eq!(tile.width, 256);
                assert_eq!(files.insert(tile.to_string(), bytes), None, "{tile} came twice");
            }
            done += some.len();
            assert_eq!(*log.root(), rfc6962(&slices(&entries[..done])), "{done} entries");
            let partial = named(log.partial());
            let read = |tile: Tile| Ok::<_, merkle::Error>(partial[&tile.to_string()].clone());
            log = TiledLog::new::<Sha256>().resume(done as u64, read).unwrap();
        }
        files.extend(named(log.partial()));
        assert_eq!(files, model(&slices(&entries)), "steps of {step}");
    }
}

#[test]
fn a_tile_of_another_length_is_refused() {
    let read = |len: usize| move |_| Ok::<_, merkle::Error>(vec![0; len]);
    let resume = |len: usize| TiledLog::new::<Sha256>().resume(5, read(len));
    assert_eq!(resume(5 * 32).unwrap().leaves(), 5);
    for len in [0, 4 * 32, 5 * 32 - 1, 5 * 32 + 1, 6 * 32] {
        let error = merkle::Error::Partial { len: len as u64, block: 5 * 32 };
        assert_eq!(resume(len).unwrap_err(), error);
    }
}

#[test]
fn paths_are_those_of_the_standard_and_of_go() {
    let files = |leaves: u64| {
        let mut paths = Vec::new();
        let read = |tile: Tile| {
            paths.push((tile.to_string(), tile.sumdb_path()));
            Ok::<_, merkle::Error>(vec![0; usize::from(tile.width) * 32])
        };
        TiledLog::new::<Sha256>().resume(leaves, read).unwrap();
        paths
    };
    let both = |path: &str| (path.to_owned(), path.replacen("tile/", "tile/8/", 1));
    assert_eq!(files(1_234_067 * 256 + 5)[0], both("tile/0/x001/x234/067.p/5"));
    assert_eq!(files(1000 * 256 + 1)[0], both("tile/0/x001/000.p/1"));
    let levels = ["tile/0/273.p/112", "tile/1/001.p/17", "tile/2/000.p/1"];
    assert_eq!(files(70_000), levels.map(both));
    assert_eq!(files(1 << 62), [both("tile/7/000.p/64")]);
}

/// With another hash, and as the tree that is kept.
#[test]
fn tiles_with_sha512() {
    let entries = entries(700);
    let mut log = TiledLog::new::<Sha512>();
    let tiles = log.extend(&slices(&entries));
    let mut tree = Tree::new(Rfc6962::entries::<Sha512>());
    tree.extend(&slices(&entries)).unwrap();
    let Ok(root) = tree.digest();
    assert_eq!(log.root(), root);
    let first = sha2::Sha512::digest([&[0][..], &entries[0]].concat());
    assert_eq!(tiles[0].1[..64], *first);
    assert_eq!(tiles[1].1, tree.level(0)[256 * 64..512 * 64]);
}
