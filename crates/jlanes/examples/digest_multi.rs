//! The cost of the traits that RustCrypto discusses: nanoseconds a message by `digest_multi` / by
//! `Lanes::digest`, and one by one by RustCrypto's crate, of messages of one length in the cache.
//!
//! `cargo run --release -p jlanes --features digest-multi --example digest_multi` on an AMD EPYC (Zen 4), the
//! fastest of nine runs on 2026-11-29, with other work on the machine. RustCrypto's Keccak takes twice as long
//! in some runs.
//!
//! | hash | bytes | 2 messages | 4 | 8 | 16 | RustCrypto |
//! |---|---|---|---|---|---|---|
//! | SHA-256 | 64 | 112 / 66 | 87 / 51 | 74 / 44 | 43 / 36 | 87 |
//! | SHA-256 | 1024 | 392 / 356 | 369 / 342 | 329 / 318 | 284 / 290 | 614 |
//! | SHA-256 | 65536 | 18110 / 18040 | 18048 / 18036 | 14577 / 14574 | 14762 / 14800 | 36078 |
//! | SHA-512 | 64 | 171 / 177 | 86 / 85 | 59 / 59 | 58 / 52 | 257 |
//! | SHA-512 | 1024 | 961 / 909 | 470 / 449 | 415 / 399 | 411 / 391 | 1917 |
//! | SHA-512 | 65536 | 46717 / 46473 | 23337 / 23253 | 21804 / 21683 | 21876 / 21840 | 106552 |
//! | SHA3-256 | 64 | 241 / 217 | 116 / 105 | 88 / 83 | 88 / 79 | 336 |
//! | SHA3-256 | 1024 | 1145 / 1006 | 555 / 500 | 492 / 461 | 492 / 452 | 2697 |
//! | SHA3-256 | 65536 | 52977 / 52789 | 26665 / 26480 | 26131 / 25503 | 26310 / 25494 | 162233 |
//! | BLAKE2b | 64 | 172 / 166 | 82 / 80 | 53 / 50 | 52 / 44 | 127 |
//! | BLAKE2b | 1024 | 784 / 713 | 385 / 353 | 317 / 294 | 312 / 288 | 901 |
//! | BLAKE2b | 65536 | 40912 / 40785 | 20445 / 20391 | 17008 / 16963 | 17032 / 17003 | 56938 |
//!
//! In two calls, messages of a block or two lose to one: states pass through memory. Two such messages of
//! BLAKE2b or SHA-256 are slower than RustCrypto's, four are not.

use std::{array, hint::black_box, time::Instant};

use jlanes::{
    Lanes,
    digest::{
        Digest, Output,
        array::Array,
        common::{Block, BlockSizeUser},
    },
    digest_multi::{MultiDigest, MultiFixedOutputCore, MultiUpdateCore},
    multi,
};

/// Rounds in which the three take turns.
const ROUNDS: usize = 31;
/// Bytes that each hashes in a round, about.
const BYTES: usize = 1 << 20;

/// The median of nanoseconds a message in each round.
fn in_turns<const N: usize>(
    messages: usize,
    len: usize,
    mut jobs: [&mut dyn FnMut(); N],
) -> [f64; N] {
    let times = (BYTES / (messages * len.max(256))).max(1);
    let mut rounds = [[0.0; N]; ROUNDS];
    for round in &mut rounds {
        for (job, nanoseconds) in jobs.iter_mut().zip(round) {
            let start = Instant::now();
            (0..times).for_each(|_| job());
            *nanoseconds = start.elapsed().as_nanos() as f64 / (times * messages) as f64;
        }
    }
    array::from_fn(|job| {
        let mut each = rounds.map(|round| round[job]);
        each.sort_by(f64::total_cmp);
        each[ROUNDS / 2]
    })
}

/// Nanoseconds a message by each, of `MSGS` messages of `BLOCKS` blocks and `TAIL` bytes.
fn measure<H, P, const MSGS: usize, const BLOCKS: usize, const TAIL: usize>() -> [f64; 3]
where
    H: multi::MultiDigest + BlockSizeUser,
    P: Digest<OutputSize = H::OutputSize>,
{
    let len = BLOCKS * H::block_size() + TAIL;
    let messages: [Vec<u8>; MSGS] =
        array::from_fn(|i| (0..len).map(|at| (at * 7 + i) as u8).collect());
    let parts = messages.each_ref().map(|message| {
        let (blocks, tail) = Array::slice_as_chunks(message);
        let blocks: &[Block<H>; BLOCKS] = blocks.try_into().expect("as many blocks");
        let tail: &[u8; TAIL] = tail.try_into().expect("as many bytes");
        (blocks, tail)
    });
    let (blocks, tails) = (parts.map(|(blocks, _)| blocks), parts.map(|(_, tail)| tail));
    let [mut by_core, mut by_lanes, mut by_one] =
        array::from_fn(|_| array::from_fn(|_| Output::<H>::default()));
    let times = in_turns(
        MSGS,
        len,
        [
            &mut || {
                let mut core = H::multi_core::<MSGS>();
                core.update_blocks(black_box(&blocks));
                core.finalize_fixed_core(&tails, &mut by_core);
            },
            &mut || Lanes::<H>::new().digest(black_box(&messages), &mut by_lanes),
            &mut || {
                for (message, digest) in black_box(&messages).iter().zip(&mut by_one) {
                    *digest = P::digest(message);
                }
            },
        ],
    );
    assert!(by_core == by_one && by_lanes == by_one);
    times
}

fn line(name: &str, len: usize, times: [[f64; 3]; 4]) {
    print!("| {name} | {len} |");
    for [core, lanes, _] in times {
        print!(" {core:.0} / {lanes:.0} |");
    }
    let fastest = times.map(|[.., one]| one).into_iter().fold(f64::INFINITY, f64::min);
    println!(" {fastest:.0} |");
}

macro_rules! lines {
    ($($name:literal $hasher:ty, $peer:ty, $block:literal;)*) => {$(
        lines!(@of $name $hasher, $peer, $block, 64);
        lines!(@of $name $hasher, $peer, $block, 1024);
        lines!(@of $name $hasher, $peer, $block, 65536);
    )*};
    (@of $name:literal $hasher:ty, $peer:ty, $block:literal, $len:literal) => {
        line($name, $len, [
            measure::<$hasher, $peer, 2, { $len / $block }, { $len % $block }>(),
            measure::<$hasher, $peer, 4, { $len / $block }, { $len % $block }>(),
            measure::<$hasher, $peer, 8, { $len / $block }, { $len % $block }>(),
            measure::<$hasher, $peer, 16, { $len / $block }, { $len % $block }>(),
        ]);
    };
}

fn main() {
    println!("| hash | bytes | 2 messages | 4 | 8 | 16 | RustCrypto |");
    println!("|---|---|---|---|---|---|---|");
    lines! {
        "SHA-256" jlanes::Sha256, sha2::Sha256, 64;
        "SHA-512" jlanes::Sha512, sha2::Sha512, 128;
        "SHA3-256" jlanes::Sha3_256, sha3::Sha3_256, 136;
        "BLAKE2b" jlanes::Blake2b512, blake2::Blake2b512, 128;
    }
}
