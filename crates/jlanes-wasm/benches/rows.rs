//! jlanes compared with other crates in WebAssembly.
//!
//! README.md has the command. Each figure is the least of many short runs that take turns, because
//! other programs only make a run slower.

use std::{hint::black_box, time::Instant};

use jlanes::{
    Blake2b512, Blake2s256, Blake3, Digest, Keccak256, Md5, Sha1, Sha256, Sha512,
    digest::Output,
    multi::{BatchDigest, Lanes},
};

/// Runs of each contestant.
const ROUNDS: usize = 60;
/// Bytes that a run hashes at least.
const RUN: usize = 1 << 18;

type Messages<'a> = &'a [Vec<u8>];

/// Nanoseconds of each of two functions on the same messages.
fn contest(messages: Messages<'_>, ours: &dyn Fn(), theirs: &dyn Fn()) -> [f64; 2] {
    let bytes: usize = messages.iter().map(|message| message.len().max(64)).sum();
    let repeats = RUN.div_ceil(bytes);
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        for (best, run) in best.iter_mut().zip([ours, theirs]) {
            let begun = Instant::now();
            (0..repeats).for_each(|_| run());
            *best = best.min(begun.elapsed().as_secs_f64() * 1e9 / repeats as f64);
        }
    }
    best
}

fn row(name: &str, messages: Messages<'_>, ours: &dyn Fn(), theirs: &dyn Fn()) {
    let [ours, theirs] = contest(messages, ours, theirs);
    let bytes: usize = messages.iter().map(Vec::len).sum();
    let speed = |nanoseconds: f64| bytes as f64 * 1e3 / nanoseconds;
    let (a, b) = (speed(ours), speed(theirs));
    println!("{name:28} {a:7.0} MB/s, crate {b:7.0} MB/s: {:.2}", theirs / ours);
}

fn messages(count: usize, len: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| (0..len).map(|j| (i * 31 + j * 7) as u8).collect()).collect()
}

/// Batches, and one message, of jlanes's `H` and the function of a crate.
fn rows<H: BatchDigest + Digest, D: AsRef<[u8]>>(name: &str, theirs: impl Fn(&[u8]) -> D) {
    for (count, len) in [(1024, 64), (1000, 1000), (16, 65536), (1, 65536), (1, 64)] {
        let messages = messages(count, len);
        assert_eq!(*H::digest(&messages[0]), *theirs(&messages[0]).as_ref());
        let ours = || {
            if count == 1 {
                black_box(H::digest(&messages[0]));
            } else {
                black_box(Lanes::<H>::new().digests(&messages));
            }
        };
        let theirs = || {
            if count == 1 {
                black_box(theirs(&messages[0]));
            } else {
                let digests: Vec<_> = messages.iter().map(|message| theirs(message)).collect();
                black_box(digests);
            }
        };
        row(&format!("{name}, {count} x {len} B"), &messages, &ours, &theirs);
    }
}

/// Nodes of a tree: records of two digests.
fn nodes() {
    let records = messages(1024, 64);
    let bytes = records.concat();
    let ours = || {
        let mut out = vec![Output::<Sha256>::default(); records.len()];
        Lanes::<Sha256>::new().nodes(black_box(&bytes), 64, &mut out);
        black_box(out);
    };
    let theirs = || {
        let digests: Vec<_> = bytes.chunks(64).map(sha2::Sha256::digest).collect();
        black_box(digests);
    };
    row("SHA-256, 1024 nodes", &records, &ours, &theirs);
}

fn main() {
    // cargo passes `--bench`
    let only = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let all: [(&str, &dyn Fn()); 9] = [
        ("nodes", &nodes),
        ("sha256", &|| rows::<Sha256, _>("SHA-256", |m| sha2::Sha256::digest(m))),
        ("sha512", &|| rows::<Sha512, _>("SHA-512", |m| sha2::Sha512::digest(m))),
        ("sha1", &|| rows::<Sha1, _>("SHA-1", |m| sha1::Sha1::digest(m))),
        ("md5", &|| rows::<Md5, _>("MD5", |m| md5::Md5::digest(m))),
        ("blake2s", &|| rows::<Blake2s256, _>("BLAKE2s", |m| blake2::Blake2s256::digest(m))),
        ("blake3", &|| rows::<Blake3, _>("BLAKE3", |m| *blake3::hash(m).as_bytes())),
        ("keccak", &|| rows::<Keccak256, _>("Keccak-256", |m| sha3::Keccak256::digest(m))),
        ("blake2b", &|| {
            rows::<Blake2b512, _>("BLAKE2b", |m| blake2::Blake2b512::digest(m));
        }),
    ];
    for (name, run) in all {
        if only.is_empty() || only == name {
            run();
        }
    }
}
