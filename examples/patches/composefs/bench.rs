//! fs-verity of data in memory, at once and in pieces.

mod contest;

use contest::{contest, noise};

macro_rules! version {
    ($krate:ident, $hash:ident, $data:expr, $runs:expr) => {{
        use std::io::Write;
        use $krate::fsverity::{$hash, FsVerityHashValue, FsVerityHasher, compute_verity};
        let whole = move || (0..$runs).map(|_| compute_verity::<$hash>($data).to_hex()).last();
        let pieces = move || {
            let run = |_| {
                let mut hasher = FsVerityHasher::<$hash>::new();
                for piece in $data.chunks(64 << 10) {
                    hasher.write_all(piece).expect("memory");
                }
                hasher.digest().to_hex()
            };
            (0..$runs).map(run).last()
        };
        (whole, pieces)
    }};
}

macro_rules! both {
    ($hash:ident, $len:expr, $name:literal, $runs:literal) => {
        let data = noise($len, 5);
        let data = &data[..];
        let (their_whole, their_pieces) = version!(theirs, $hash, data, $runs);
        let (our_whole, our_pieces) = version!(ours, $hash, data, $runs);
        contest(concat!(stringify!($hash), ", ", $name), $runs, their_whole, our_whole);
        contest(concat!(stringify!($hash), ", ", $name, " in pieces"), $runs, their_pieces, our_pieces);
    };
}

fn main() {
    both!(Sha256HashValue, 3000, "3000 bytes", 1000);
    both!(Sha256HashValue, 30_000, "30 kB", 200);
    both!(Sha256HashValue, 64 << 20, "64 MiB", 1);
    both!(Sha512HashValue, 64 << 20, "64 MiB", 1);
}
