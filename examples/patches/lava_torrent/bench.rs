//! Torrents of files in the page cache.

mod contest;

use std::fs;

use contest::{contest, noise};

macro_rules! version {
    ($krate:ident, $path:expr, $piece:expr) => {
        || {
            let builder = $krate::torrent::v1::TorrentBuilder::new($path, $piece);
            builder.set_num_threads(1).build().expect("a torrent").pieces
        }
    };
}

fn main() {
    let base = std::env::temp_dir().join(format!("jlanes-torrent-{}", std::process::id()));
    fs::create_dir(&base).expect("a directory");
    for i in 0..100 {
        fs::write(base.join(i.to_string()), noise(1_000_000 + 1000 * i, 1 + i as u64))
            .expect("a file");
    }
    let large = base.join("large");
    fs::write(&large, noise(100 << 20, 9)).expect("a file");
    for piece in [64 << 10, 1 << 20] {
        for (what, path) in [("a file of 100 MiB", &large), ("101 files, 205 MB", &base)] {
            let what = format!("{what}, pieces of {} KiB", piece >> 10);
            contest(&what, 1, version!(theirs, path, piece), version!(ours, path, piece));
        }
    }
    fs::remove_dir_all(base).expect("a directory");
}
