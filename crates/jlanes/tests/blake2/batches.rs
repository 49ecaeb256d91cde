//! Tests of BLAKE2 on many messages, against hashers.

use jlanes::{
    Blake2b, Blake2b512, Blake2s, Blake2s256,
    digest::{
        Output,
        consts::{U1, U20, U29},
    },
    multi::{Lanes, MultiDigest, Scheduler},
};
use jlanes_testing::paint;

use crate::common_batches::batch_matches;

fn batches_match(messages: &[Vec<u8>]) {
    batch_matches::<Blake2b512>(messages);
    batch_matches::<Blake2b<U20>>(messages);
    batch_matches::<Blake2b<U29>>(messages);
    batch_matches::<Blake2s256>(messages);
    batch_matches::<Blake2s<U1>>(messages);
}

#[test]
fn equal_lengths_match_on_every_backend() {
    for len in [0, 1, 63, 64, 65, 127, 128, 129, 255, 256, 257, 384, 385, 1000] {
        for count in [1, 2, 3, 5, 8, 9, 17, 40] {
            batches_match(&(0..count).map(|i| paint(len, i)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn unequal_lengths_match_on_every_backend() {
    for count in 0..40 {
        batches_match(&(0..count).map(|i| paint(i * i * 7 % 1000, i)).collect::<Vec<_>>());
    }
}

/// The bytes before messages, and the neighbours on both sides.
fn other_forms<H: MultiDigest>() {
    for len in [0, 1, 32, 64, 128, 200] {
        let (left, right): (Vec<_>, Vec<_>) =
            (0..19).map(|i| (paint(len, i), paint(300 - len, i + 50))).unzip();
        let left: Vec<&[u8]> = left.iter().map(Vec::as_slice).collect();
        let right: Vec<&[u8]> = right.iter().map(Vec::as_slice).collect();
        let mut out = vec![Output::<H>::default(); 19];
        Lanes::<H>::new().pairs(&left, &right, &mut out);
        for i in 0..19 {
            assert_eq!(out[i], H::new_with_prefix(left[i]).chain_update(right[i]).finalize());
        }
        let prefix = paint(len, 99);
        Lanes::<H>::new().prefix(&prefix).digest(&right, &mut out);
        for i in 0..19 {
            assert_eq!(out[i], H::new_with_prefix(&prefix).chain_update(right[i]).finalize());
        }
        Lanes::<H>::new().nodes(&left.concat(), len, &mut out);
        assert!((0..19).all(|i| out[i] == H::digest(left[i])), "nodes of {len} bytes");
        Lanes::<H>::new().double(&left, &mut out);
        assert!((0..19).all(|i| out[i] == H::digest(H::digest(left[i]))), "{len} bytes twice");
        let twice = out.clone();
        Lanes::<H>::new().chains(&mut out, 2);
        assert!((0..19).all(|i| out[i] == H::digest(H::digest(&twice[i]))), "chains");
        let mut scheduler = Scheduler::<H, _>::new();
        (0..19).for_each(|i| scheduler.submit((i, &right[i][..right[i].len() * i / 18])));
        for (i, digest) in scheduler.drain() {
            let text = &right[i][..right[i].len() * i / 18];
            assert_eq!(digest.expect("memory has no errors"), H::digest(text));
        }
    }
}

#[test]
fn other_batches_match() {
    other_forms::<Blake2b512>();
    other_forms::<Blake2s256>();
    other_forms::<Blake2s<U20>>();
}
