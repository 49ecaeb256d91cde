//! Tests of pairs, double digests and chains.

use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
};

use jlanes::{
    Backend, Digest, Ripemd160, Sha256, Sha512,
    digest::{Output, consts::U64},
    multi::{Lanes, MultiDigest, TweakedChains},
    skein::{Skein256, Skein512},
};
use jlanes_testing::{Record, backends, corpus, message};

use crate::table::{Hasher, expected};

/// Known answers in one batch, and batches of any size compared with both hashes alone.
#[test]
fn hash160_is_one_hash_of_the_other() {
    let mut records = corpus("md");
    records.retain(|record| record.has("alg") && record.text("alg") == "hash160");
    assert!(!records.is_empty());
    let known: Vec<_> = records.iter().map(Record::message).collect();
    let text = message(3, 2000);
    for backend in backends::<Backend>() {
        let many = |messages: &[&[u8]]| {
            let inner = Lanes::<Sha256>::new().on(backend).digests(messages);
            Lanes::<Ripemd160>::new().on(backend).digests(&inner)
        };
        let known: Vec<_> = known.iter().map(Vec::as_slice).collect();
        for (record, digest) in records.iter().zip(many(&known)) {
            assert_eq!(digest[..], record.hex("digest_hex"), "{backend}: {}", record.name());
        }
        for count in [0, 1, 2, 15, 17, 33, 511, 512, 513, 1100] {
            let messages: Vec<_> = (0..count).map(|i| &text[i..][..i % 150]).collect();
            for (message, digest) in messages.iter().zip(many(&messages)) {
                let expected = ripemd::Ripemd160::digest(sha2::Sha256::digest(message));
                assert_eq!(digest, expected, "{backend}, {count} messages");
            }
        }
    }
}

for_every_hasher!(pairs, double_digests, nodes, chains, tweaked_chains);

/// From no message to more than two groups of lanes.
pub(crate) const COUNTS: [usize; 7] = [0, 1, 2, 15, 16, 17, 33];

/// The digests of the digests, `steps` times.
fn again<H: Digest>(digest: &Output<H>, steps: u64) -> Output<H> {
    (0..steps).fold(digest.clone(), |digest, _| H::digest(&digest))
}

fn pairs<H: Hasher>() {
    // halves of one length, which have a path of their own, and of any
    let lengths: [fn(usize) -> (usize, usize); 5] = [
        |_| (32, 32),
        |i| (32 - usize::from(i == 20), 32),
        |_| (64, 0),
        |_| (20, 131),
        |i| (i * 37 % 200, i * 61 % 300),
    ];
    for lengths in lengths {
        for count in COUNTS {
            let texts: Vec<_> = (0..count).map(|i| message(i as u64, 600)).collect();
            let halves = |i: usize| {
                let (left, right) = lengths(i);
                (&texts[i][..left], &texts[i][left..][..right])
            };
            let (left, right): (Vec<_>, Vec<_>) = (0..count).map(halves).unzip();
            let mut out = vec![Default::default(); count];
            Lanes::<H>::new().pairs(&left, &right, &mut out);
            for i in 0..count {
                let whole = [left[i], right[i]].concat();
                assert_eq!(out[i], expected::<H>(&whole), "pair {i} of {count}");
            }
        }
    }
}

fn double_digests<H: Hasher>() {
    for count in COUNTS {
        let messages: Vec<_> = (0..count).map(|i| message(i as u64, i * i * 7 % 400)).collect();
        let messages: Vec<_> = messages.iter().map(Vec::as_slice).collect();
        let mut out = vec![Default::default(); count];
        Lanes::<H>::new().double(&messages, &mut out);
        for (message, digest) in messages.iter().zip(out) {
            assert_eq!(digest, again::<H::Peer>(&expected::<H>(message), 1));
        }
    }
}

fn nodes<H: Hasher>() {
    for count in COUNTS {
        for width in [0, 1, 31, 32, 55, 56, 63, 64, 80, 128, 300] {
            let nodes = message(width as u64, count * width);
            let records = |i: usize| &nodes[i * width..][..width];
            let mut out = vec![Default::default(); count];
            Lanes::<H>::new().nodes(&nodes, width, &mut out);
            let mut doubled = out.clone();
            Lanes::<H>::new().double_nodes(&nodes, width, &mut doubled);
            for (i, (digest, doubled)) in out.iter().zip(&doubled).enumerate() {
                let first = expected::<H>(records(i));
                assert_eq!(*digest, first, "record {i} of {count}, {width} bytes each");
                assert_eq!(*doubled, again::<H::Peer>(&first, 1), "twice, {width} bytes each");
            }
        }
    }
}

fn chains<H: Hasher>() {
    for backend in backends::<Backend>() {
        for count in COUNTS {
            for steps in [0, 1, 2, 7] {
                let first: Vec<_> = (0..count).map(|i| H::Peer::digest([i as u8])).collect();
                let mut digests = first.clone();
                Lanes::<H>::new().on(backend).chains(&mut digests, steps);
                for (first, digest) in first.iter().zip(digests) {
                    let last = again::<H::Peer>(first, steps);
                    assert_eq!(digest, last, "{backend}: {steps} steps of {count} chains");
                }
            }
        }
    }
}

/// Chains of any numbers of steps, with values that are prefixes of digests.
fn tweaked_chains<H: Hasher>() {
    let write = |chain: usize, step: u64, tweak: &mut [u8]| {
        tweak.copy_from_slice(&message(1000 * chain as u64 + step, tweak.len()));
    };
    type Steps = fn(usize) -> Range<u64>;
    let lengths: [Steps; 4] = [|_| 0..3, |i| i as u64 % 4..7, |i| 2..i as u64 % 5, |_| 9..9];
    let size = H::Peer::output_size();
    for backend in backends::<Backend>() {
        for (count, value, tweak, prefix) in
            [(0, 1, 0, 0), (1, size, 22, 64), (17, 16, 22, 64), (40, size, 0, 3), (300, 7, 150, 0)]
        {
            for steps in lengths {
                let first: Vec<_> = (0..count).map(|i| message(i as u64, value)).collect();
                let (prefix, mut values) = (message(9, prefix), first.clone());
                let chains = TweakedChains { steps: &steps, size: tweak, tweak: &write };
                let lanes = Lanes::<H>::new().on(backend).prefix(&prefix);
                lanes.tweaked_chains(&chains, &mut values);
                for (i, (mut expected, value)) in first.into_iter().zip(values).enumerate() {
                    for step in steps(i) {
                        let mut text = vec![0; tweak];
                        write(i, step, &mut text);
                        let digest = H::Peer::digest([&prefix[..], &text, &expected].concat());
                        let kept = expected.len();
                        expected.copy_from_slice(&digest[..kept]);
                    }
                    assert_eq!(value, expected, "{backend}: chain {i} of {count}");
                }
            }
        }
    }
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "a panic there ends the program")]
fn values_that_do_not_match_panic() {
    let chains = TweakedChains { steps: &|_| 0..1, size: 0, tweak: &|_, _, _| () };
    for lens in [[0, 0], [33, 33], [16, 17]] {
        let mut values = lens.map(|len| vec![0; len]);
        let batch = || Lanes::<Sha256>::new().tweaked_chains(&chains, &mut values);
        assert!(catch_unwind(AssertUnwindSafe(batch)).is_err(), "{lens:?}");
    }
}

/// Hashes with digests that are not states as they are, one with digests of two blocks.
#[test]
fn skein() {
    fn check<H: MultiDigest>() {
        let first: Vec<_> = (0..18_u8).map(|i| H::digest([i])).collect();
        let mut digests = first.clone();
        Lanes::<H>::new().chains(&mut digests, 3);
        for (first, digest) in first.iter().zip(digests) {
            assert_eq!(digest, again::<H>(first, 3));
        }
    }
    check::<Skein512>();
    check::<Skein256<U64>>();
}

#[test]
fn prefixes_that_are_no_blocks() {
    let prefix = message(1, 200);
    for len in [0, 1, 64, 128, 129, 200] {
        let first: Vec<_> = (0..18_u8).map(|i| Sha512::digest([i])).collect();
        let mut digests = first.clone();
        Lanes::<Sha512>::new().prefix(&prefix[..len]).chains(&mut digests, 2);
        for (first, digest) in first.iter().zip(digests) {
            let step = |digest: &[u8]| sha2::Sha512::digest([&prefix[..len], digest].concat());
            assert_eq!(digest, step(&step(first)), "a prefix of {len} bytes");
        }
    }
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "a panic there ends the program")]
fn pairs_that_do_not_match_panic() {
    let texts: [&[u8]; 3] = [b"a", b"b", b"c"];
    for (left, right, digests) in [(2, 3, 2), (3, 2, 2), (2, 2, 3)] {
        let mut out = vec![Output::<Sha256>::default(); digests];
        let batch = || Lanes::<Sha256>::new().pairs(&texts[..left], &texts[..right], &mut out);
        assert!(catch_unwind(AssertUnwindSafe(batch)).is_err(), "{left}, {right}, {digests}");
    }
}
