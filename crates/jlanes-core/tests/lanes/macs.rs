//! HMAC and PBKDF2, by their definitions over the reference.

use jlanes_core::{hash::Output, kernel::HasKernels};
use jlanes_testing::{message, paint};

use crate::{Function, backend, block, by_value, edges, expected, outs};

for_every_function!(tags_under_one_key, tags_under_a_key_each, keys_of_passwords);

/// `H(K ^ opad || H(K ^ ipad || text))`.
fn tag<H: Function>(key: &[u8], text: &[u8]) -> Output<H> {
    let mut key = if key.len() > block::<H>() { expected::<H>(key).to_vec() } else { key.to_vec() };
    // RustCrypto's `SimpleHmac` cuts digests that are longer than blocks
    key.resize(block::<H>(), 0);
    let pad = |byte: u8| key.iter().map(|key| key ^ byte).collect::<Vec<_>>();
    let inner = expected::<H>(&[&pad(0x36), text].concat());
    expected::<H>(&[&pad(0x5c), &inner[..]].concat())
}

/// A key of `len` bytes.
fn derived<H: Function>(password: &[u8], salt: &[u8], rounds: u32, len: usize) -> Vec<u8> {
    let mut key = Vec::new();
    for number in 1_u32.. {
        if key.len() >= len {
            break;
        }
        let mut u = tag::<H>(password, &[salt, &number.to_be_bytes()].concat());
        let mut sum = u.clone();
        for _ in 1..rounds {
            u = tag::<H>(password, &u);
            sum.iter_mut().zip(&u).for_each(|(sum, u)| *sum ^= u);
        }
        key.extend(sum);
    }
    key.truncate(len);
    key
}

pub(crate) fn tags_under_one_key<H: Function>() {
    let text = message(6, 700);
    for key in edges::<H>() {
        let key = paint(key, 30);
        for (prefix, least) in [(0, 0), (0, 1), (9, 0), (block::<H>(), 0)] {
            let prefix = paint(prefix, 60);
            for count in [1, 5, 20] {
                let one = |i: usize| &text[i..][..least + i * i * 61 % 290];
                let mut out = outs::<H>(count);
                by_value::hmac::<H, _>(backend::<H>(), &key, &prefix, one, &mut out);
                for (i, found) in out.iter().enumerate() {
                    let expected = tag::<H>(&key, &[&prefix, one(i)].concat());
                    assert_eq!(*found, expected, "{i} of {count}, a key of {}", key.len());
                }
            }
        }
    }
}

pub(crate) fn tags_under_a_key_each<H: Function>() {
    let text = message(7, 700);
    let edges = edges::<H>();
    for prefix in [0, 9] {
        let prefix = paint(prefix, 60);
        for count in [0, 1, 9, 128, 150] {
            let key = |i: usize| &text[i..][..edges[i % edges.len()]];
            let one = |i: usize| &text[i..][..i * i * 61 % 290];
            let mut out = outs::<H>(count);
            by_value::hmac_keyed::<H, _>(backend::<H>(), key, &prefix, one, &mut out);
            for (i, found) in out.iter().enumerate() {
                let expected = tag::<H>(key(i), &[&prefix, one(i)].concat());
                assert_eq!(*found, expected, "{i} of {count}");
            }
        }
    }
}

pub(crate) fn keys_of_passwords<H: Function>() {
    keys::<H, _>(backend::<H>());
}

pub(crate) fn keys<H: Function, B: HasKernels<H::Compression>>(backend: B) {
    let text = message(8, 700);
    let edges = edges::<H>();
    for (rounds, count) in [(0, 1), (1, 1), (2, 20), (5, 3)] {
        for (prefix, len) in [(0, 20), (3, 0), (3, 64), (0, 70), (0, 129)] {
            let prefix = paint(prefix, 60);
            let password = |i: usize| &text[i..][..edges[i % edges.len()]];
            let salt = |i: usize| &text[i + 1..][..i % 30];
            let len = |i: usize| len + i % 2;
            let mut keys: Vec<_> = (0..count).map(|i| vec![0; len(i)]).collect();
            let mut outs: Vec<_> = keys.iter_mut().map(Vec::as_mut_slice).collect();
            by_value::pbkdf2::<H, _>(backend, password, (&prefix, salt), rounds, &mut outs);
            for (i, key) in keys.iter().enumerate() {
                let salt = [&prefix, salt(i)].concat();
                let expected = derived::<H>(password(i), &salt, rounds, len(i));
                assert_eq!(*key, expected, "{i} of {count}, {rounds} rounds");
            }
        }
    }
}
