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
    let kmac = |kmac: fn(&[u8], &[u8], &[u8], &mut [u8]), out: &mut [u8]| {
        kmac(&record.hex("key_hex"), &record.message(), &custom, out);
    };
    let tuple = |tuple_hash: fn(&[&[u8]], &[u8], &mut [u8]), out: &mut [u8]| {
        let items = record.items();
        tuple_hash(&items.iter().map(Vec::as_slice).collect::<Vec<_>>(), &custom, out);
    };
    match record.text("alg") {
        "kmac128" => kmac(r::kmac128, &mut out),
        "kmac256" => kmac(r::kmac256, &mut out),
        "kmacxof128" => kmac(r::kmacxof128, &mut out),
        "kmacxof256" => kmac(r::kmacxof256, &mut out),
        "tuplehash128" => tuple(r::tuplehash128, &mut out),
        "tuplehash256" => tuple(r::tuplehash256, &mut out),
        "tuplehashxof128" => tuple(r::tuplehashxof128, &mut out),
        "tuplehashxof256" => tuple(r::tuplehashxof256, &mut out),
        other => panic!("no reference for {other}"),
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
