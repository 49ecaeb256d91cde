//! The corpora: known answers of other implementations and of the standards.

use std::collections::BTreeSet;

use jlanes_reference as r;
use jlanes_testing::{Record, corpus};

fn digest(algorithm: &str, message: &[u8]) -> Vec<u8> {
    match algorithm {
        "hash160" => r::ripemd160(&r::sha256(message)).to_vec(),
        "sha3_224" => r::sha3_224(message).to_vec(),
        "sha3_256" => r::sha3_256(message).to_vec(),
        "sha3_384" => r::sha3_384(message).to_vec(),
        "sha3_512" => r::sha3_512(message).to_vec(),
        "keccak224" => r::keccak224(message).to_vec(),
        "keccak256" => r::keccak256(message).to_vec(),
        "keccak384" => r::keccak384(message).to_vec(),
        "keccak512" => r::keccak512(message).to_vec(),
        other => match PLAIN.iter().find(|(name, _)| *name == other) {
            Some((_, reference)) => reference(message),
            None => panic!("no reference for {other}"),
        },
    }
}

macro_rules! plain {
    (() $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        const PLAIN: &[(&str, fn(&[u8]) -> Vec<u8>)] =
            &[$((stringify!($name), |message| r::$name(message).to_vec()),)*];
    };
}
jlanes_testing::plain_hashes!(plain, ());

fn output(record: &Record) -> Vec<u8> {
    let mut out = vec![0; record.number("out_len")];
    let message = &record.message();
    let name = || record.input("name");
    let custom = || record.input("custom");
    let domain = || record.number("domain");
    let size = || record.number("block_size");
    match record.text("alg") {
        "shake128" => r::shake128(message, &mut out),
        "shake256" => r::shake256(message, &mut out),
        "cshake128" => r::cshake128(message, &name(), &custom(), &mut out),
        "cshake256" => r::cshake256(message, &name(), &custom(), &mut out),
        "turboshake128" => r::turboshake128(message, domain(), &mut out),
        "turboshake256" => r::turboshake256(message, domain(), &mut out),
        "kt128" => r::kt128(message, &custom(), &mut out),
        "kt256" => r::kt256(message, &custom(), &mut out),
        "parallelhash128" => r::parallelhash128(message, size(), &custom(), &mut out),
        "parallelhash256" => r::parallelhash256(message, size(), &custom(), &mut out),
        "parallelhashxof128" => r::parallelhashxof128(message, size(), &custom(), &mut out),
        "parallelhashxof256" => r::parallelhashxof256(message, size(), &custom(), &mut out),
        blake2 @ ("blake2b" | "blake2s") => {
            let [key, salt, personalization] = ["key", "salt", "personal"].map(|n| record.input(n));
            let p = r::Blake2 { key: &key, salt: &salt, personalization: &personalization };
            let hash = if blake2 == "blake2b" { r::blake2b } else { r::blake2s };
            hash(&p, message, &mut out);
        }
        other => panic!("no reference for {other}"),
    }
    out
}

/// KMAC and TupleHash.
fn keyed_or_tuple(record: &Record) -> Vec<u8> {
    let (mut out, custom) = (vec![0; record.number("out_len")], record.input("custom"));
    let algorithm = record.text("alg");
    if algorithm.starts_with("kmac") {
        let (key, message) = (record.hex("key_hex"), record.message());
        match algorithm {
            "kmac128" => r::kmac128(&key, &message, &custom, &mut out),
            "kmac256" => r::kmac256(&key, &message, &custom, &mut out),
            "kmacxof128" => r::kmacxof128(&key, &message, &custom, &mut out),
            "kmacxof256" => r::kmacxof256(&key, &message, &custom, &mut out),
            other => panic!("no reference for {other}"),
        }
    } else {
        let items = record.items();
        let items: Vec<_> = items.iter().map(Vec::as_slice).collect();
        match algorithm {
            "tuplehash128" => r::tuplehash128(&items, &custom, &mut out),
            "tuplehash256" => r::tuplehash256(&items, &custom, &mut out),
            "tuplehashxof128" => r::tuplehashxof128(&items, &custom, &mut out),
            "tuplehashxof256" => r::tuplehashxof256(&items, &custom, &mut out),
            other => panic!("no reference for {other}"),
        }
    }
    out
}

fn check_digests(name: &str, algorithms: usize) {
    let mut seen = BTreeSet::new();
    for record in corpus(name).iter().filter(|record| record.has("digest_hex")) {
        let algorithm = record.text("alg");
        let digest = digest(algorithm, &record.message());
        assert_eq!(digest, record.hex("digest_hex"), "{}", record.name());
        seen.insert(algorithm.to_owned());
    }
    assert_eq!(seen.len(), algorithms, "{seen:?}");
}

fn check_outputs(name: &str, algorithms: usize) {
    check(name, algorithms, output);
}

fn check(name: &str, algorithms: usize, output: fn(&Record) -> Vec<u8>) {
    let mut seen = BTreeSet::new();
    for record in corpus(name) {
        record.assert_output(&output(&record));
        seen.insert(record.text("alg").to_owned());
    }
    assert_eq!(seen.len(), algorithms, "{seen:?}");
}

#[test]
fn plain_hashes_and_hash160() {
    check_digests("md", PLAIN.len() + 1);
}

#[test]
fn sha3_and_keccak() {
    check_digests("sha3", 8);
}

#[test]
fn shake_and_cshake() {
    check_outputs("shake", 4);
}

#[test]
fn turboshake() {
    check_outputs("turboshake", 2);
}

#[test]
fn kangarootwelve() {
    check_outputs("kt", 2);
}

#[test]
fn parallelhash() {
    check_outputs("parallelhash", 4);
}

#[test]
fn sp800_185() {
    check("sp800_185", 8, keyed_or_tuple);
}

#[test]
fn blake2b() {
    check_outputs("blake2b", 1);
}

#[test]
fn blake2s() {
    check_outputs("blake2s", 1);
}
