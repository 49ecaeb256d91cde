//! The corpora: what other implementations and the standards say.

use std::collections::BTreeSet;

use jlanes_core::reference as r;
use jlanes_testing::{Record, corpus};

fn digest(algorithm: &str, message: &[u8]) -> Vec<u8> {
    match algorithm {
        "md5" => r::md5(message).to_vec(),
        "ripemd160" => r::ripemd160(message).to_vec(),
        "hash160" => r::ripemd160(&r::sha256(message)).to_vec(),
        "sm3" => r::sm3(message).to_vec(),
        other => panic!("no reference for {other}"),
    }
}

fn output(record: &Record) -> Vec<u8> {
    let mut out = vec![0; record.number("out_len")];
    let message = &record.message();
    match record.text("alg") {
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

fn check_digests(name: &str, algorithms: usize) {
    let mut seen = BTreeSet::new();
    for record in corpus(name) {
        let algorithm = record.text("alg");
        let digest = digest(algorithm, &record.message());
        assert_eq!(digest, record.hex("digest_hex"), "{}", record.name());
        seen.insert(algorithm.to_owned());
    }
    assert_eq!(seen.len(), algorithms, "{seen:?}");
}

fn check_outputs(name: &str, algorithms: usize) {
    let mut seen = BTreeSet::new();
    for record in corpus(name) {
        record.assert_output(&output(&record));
        seen.insert(record.text("alg").to_owned());
    }
    assert_eq!(seen.len(), algorithms, "{seen:?}");
}

#[test]
fn md5_ripemd160_and_sm3() {
    check_digests("md", 4);
}

#[test]
fn blake2b() {
    check_outputs("blake2b", 1);
}

#[test]
fn blake2s() {
    check_outputs("blake2s", 1);
}
