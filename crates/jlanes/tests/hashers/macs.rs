//! HMAC and PBKDF2 in batches, against the corpora and RustCrypto's crates.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hmac::{Hmac, KeyInit, Mac, SimpleHmac};
use jlanes::{Backend, Sha256, digest::Output, multi::Lanes, skein::Skein512};
use jlanes_testing::{Record, backends, message};

use crate::{
    chains::COUNTS,
    known_answers::{HMAC, PBKDF2, records},
    table::Hasher,
};

for_every_hasher!(known_tags, known_keys, one_key, a_key_for_each, derived_keys,);

fn slices(texts: &[Vec<u8>]) -> Vec<&[u8]> {
    texts.iter().map(Vec::as_slice).collect()
}

fn tag<H: Hasher>(key: &[u8], text: &[u8]) -> Output<H> {
    let mac = Hmac::<H::Peer>::new_from_slice(key).expect("keys of any length");
    let mut tag = Output::<H>::default();
    tag.copy_from_slice(mac.chain_update(text).finalize().as_bytes());
    tag
}

fn key<H: Hasher>(password: &[u8], salt: &[u8], rounds: u32, len: usize) -> Vec<u8> {
    let mut key = vec![0; len];
    pbkdf2::pbkdf2_hmac::<H::Peer>(password, salt, rounds, &mut key);
    key
}

fn known_tags<H: Hasher>() {
    let records = records::<H>(HMAC);
    let keys: Vec<_> = records.iter().map(|record| record.hex("key_hex")).collect();
    let text = |record: &Record| {
        if record.has("msg_hex") { record.hex("msg_hex") } else { record.message() }
    };
    let texts: Vec<_> = records.iter().map(text).collect();
    let mut out = vec![Output::<H>::default(); records.len()];
    Lanes::<H>::new().hmac_keyed(&slices(&keys), &slices(&texts), &mut out);
    for (i, record) in records.iter().enumerate() {
        let mut alone = [Default::default()];
        Lanes::<H>::new().hmac(&keys[i], &[&texts[i]], &mut alone);
        assert_eq!(alone[0], out[i], "{}", record.name());
        let length = record.number::<usize>("tag_bytes");
        assert_eq!(out[i][..length], record.hex("tag_hex"), "{}", record.name());
    }
}

/// Records with equally many rounds in one batch.
fn known_keys<H: Hasher>() {
    let records = records::<H>(PBKDF2);
    let rounds_of = |record: &Record| record.number::<u32>("iterations");
    let mut all: Vec<_> = records.iter().map(rounds_of).collect();
    all.sort_unstable();
    all.dedup();
    for rounds in all {
        let records: Vec<_> = records.iter().filter(|r| rounds_of(r) == rounds).collect();
        let field = |name: &str| records.iter().map(|r| r.hex(name)).collect::<Vec<_>>();
        let (passwords, salts) = (field("password_hex"), field("salt_hex"));
        let mut keys: Vec<_> = records.iter().map(|r| vec![0; r.number("dk_len")]).collect();
        let mut outs: Vec<_> = keys.iter_mut().map(Vec::as_mut_slice).collect();
        Lanes::<H>::new().pbkdf2(&slices(&passwords), &slices(&salts), rounds, &mut outs);
        for (record, key) in records.iter().zip(keys) {
            assert_eq!(key, record.hex("dk_hex"), "{}", record.name());
        }
    }
}

fn one_key<H: Hasher>() {
    let block = H::block_size();
    for len in [0, 20, block, block + 1, 300] {
        let key = message(7, len);
        for count in COUNTS {
            // equal lengths, with the empty message among them, and unequal ones
            for step in [0, 13] {
                let texts: Vec<_> =
                    (0..count).map(|i| message(i as u64, (len + i * step) % 500)).collect();
                let tags: Vec<_> = texts.iter().map(|text| tag::<H>(&key, text)).collect();
                for backend in backends::<Backend>() {
                    let mut out = vec![Default::default(); count];
                    Lanes::<H>::new().on(backend).hmac(&key, &texts, &mut out);
                    assert_eq!(out, tags, "{backend}: {count} messages, a key of {len} bytes");
                }
            }
        }
    }
}

fn a_key_for_each<H: Hasher>() {
    // past the 64 keys that are prepared together
    for count in COUNTS.into_iter().chain([64, 65, 150]) {
        let keys: Vec<_> = (0..count).map(|i| message(i as u64, i * 17 % 300)).collect();
        let texts: Vec<_> = (0..count).map(|i| message(!0 - i as u64, i * 29 % 400)).collect();
        let tags: Vec<_> = keys.iter().zip(&texts).map(|(key, text)| tag::<H>(key, text)).collect();
        for backend in backends::<Backend>() {
            let mut out = vec![Default::default(); count];
            let keys = slices(&keys);
            Lanes::<H>::new().on(backend).hmac_keyed(&keys, &texts, &mut out);
            assert_eq!(out, tags, "{backend}: {count} messages");
        }
    }
}

fn derived_keys<H: Hasher>() {
    for (count, rounds) in COUNTS.into_iter().zip([1, 2, 3, 9, 5, 4, 2]).chain([(3, 0)]) {
        let passwords: Vec<_> = (0..count).map(|i| message(i as u64, i * 23 % 300)).collect();
        let salts: Vec<_> = (0..count).map(|i| message(!0 - i as u64, i * 5 % 90)).collect();
        // from no block to several
        let lengths: Vec<_> = (0..count).map(|i| i * 41 % 170).collect();
        let inputs = || passwords.iter().zip(&salts).zip(&lengths);
        let keys: Vec<_> = inputs().map(|((p, s), len)| key::<H>(p, s, rounds, *len)).collect();
        for backend in backends::<Backend>() {
            let mut derived: Vec<_> = lengths.iter().map(|len| vec![0; *len]).collect();
            let mut outs: Vec<_> = derived.iter_mut().map(Vec::as_mut_slice).collect();
            let (passwords, salts) = (slices(&passwords), slices(&salts));
            Lanes::<H>::new().on(backend).pbkdf2(&passwords, &salts, rounds, &mut outs);
            assert_eq!(derived, keys, "{backend}: {count} passwords, {rounds} rounds");
        }
    }
}

/// Skein treats the last block of a message differently, even where it is the key's.
#[test]
fn skein_is_simple_hmacs() {
    let tag = |key: &[u8], text: &[u8]| {
        let mac = SimpleHmac::<Skein512>::new_from_slice(key).expect("keys of any length");
        mac.chain_update(text).finalize().into_bytes()
    };
    for len in [0, 64, 65] {
        let key = message(1, len);
        let texts: Vec<_> = (0..18).map(|i| message(i, 10 * i as usize)).collect();
        let mut out = vec![Default::default(); 18];
        Lanes::<Skein512>::new().hmac(&key, &slices(&texts), &mut out);
        assert!(texts.iter().zip(&out).all(|(text, out)| tag(&key, text) == *out));
        Lanes::<Skein512>::new().hmac_keyed(&[&key[..]; 18], &slices(&texts), &mut out);
        assert!(texts.iter().zip(&out).all(|(text, out)| tag(&key, text) == *out));

        let mut derived = [0; 64];
        Lanes::<Skein512>::new().pbkdf2(&[&key], &[b"salt"], 2, &mut [&mut derived]);
        let first = tag(&key, b"salt\0\0\0\x01");
        let second = tag(&key, &first);
        assert!((0..64).all(|i| derived[i] == first[i] ^ second[i]), "a key of {len} bytes");
    }
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "a panic there ends the program")]
fn lists_that_do_not_match_panic() {
    let texts: [&[u8]; 3] = [b"a", b"b", b"c"];
    for (keys, messages, tags) in [(2, 2, 3), (2, 3, 2), (3, 2, 2)] {
        let (keys, messages) = (&texts[..keys], &texts[..messages]);
        let mut out = vec![Output::<Sha256>::default(); tags];
        let batch = || Lanes::<Sha256>::new().hmac_keyed(keys, messages, &mut out);
        assert!(catch_unwind(AssertUnwindSafe(batch)).is_err());
        let mut keys_out = vec![[0; 32]; tags];
        let mut outs: Vec<_> = keys_out.iter_mut().map(|key| &mut key[..]).collect();
        let batch = || Lanes::<Sha256>::new().pbkdf2(keys, messages, 1, &mut outs);
        assert!(catch_unwind(AssertUnwindSafe(batch)).is_err());
    }
    let mut out = [Output::<Sha256>::default(); 1];
    let batch = || Lanes::<Sha256>::new().hmac(b"key", &texts, &mut out);
    assert!(catch_unwind(AssertUnwindSafe(batch)).is_err());
}
