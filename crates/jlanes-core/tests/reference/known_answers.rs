//! The corpora: what other implementations and the standards say.

use std::collections::BTreeSet;

use jlanes_core::reference as r;
use jlanes_testing::corpus;

fn digest(algorithm: &str, message: &[u8]) -> Vec<u8> {
    match algorithm {
        "md5" => r::md5(message).to_vec(),
        "ripemd160" => r::ripemd160(message).to_vec(),
        "hash160" => r::ripemd160(&r::sha256(message)).to_vec(),
        "sm3" => r::sm3(message).to_vec(),
        other => panic!("no reference for {other}"),
    }
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

#[test]
fn md5_ripemd160_and_sm3() {
    check_digests("md", 4);
}
