//! SHA-1 and SHA-2 against the answers of other implementations.

use std::collections::BTreeSet;

use jlanes_reference as r;
use jlanes_testing::corpus;

fn digest(algorithm: &str, message: &[u8]) -> Vec<u8> {
    match algorithm {
        "sha1" => r::sha1(message).to_vec(),
        "sha224" => r::sha224(message).to_vec(),
        "sha256" => r::sha256(message).to_vec(),
        "sha384" => r::sha384(message).to_vec(),
        "sha512" => r::sha512(message).to_vec(),
        "sha512_224" => r::sha512_224(message).to_vec(),
        "sha512_256" => r::sha512_256(message).to_vec(),
        other => panic!("no reference for {other}"),
    }
}

#[test]
fn reference_gives_the_known_answers() {
    let mut algorithms = BTreeSet::new();
    for record in corpus("sha") {
        let algorithm = record.text("alg");
        let name = record.name();
        assert_eq!(digest(algorithm, &record.message()), record.hex("digest_hex"), "{name}");
        algorithms.insert(algorithm.to_owned());
    }
    assert_eq!(algorithms.len(), 7, "{algorithms:?}");
}
