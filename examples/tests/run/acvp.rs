//! NIST's answers for SLH-DSA, which are for the standard's internal functions: keys of known seeds, and
//! signatures of messages as they are.

use jlanes_testing::corpus;
use sha2::{Digest, Sha256};

#[path = "../../examples/slh_dsa/hashes.rs"]
mod hashes;
#[path = "../../examples/slh_dsa/key.rs"]
mod key;
#[path = "../../examples/slh_dsa/params.rs"]
mod params;

#[test]
fn slh_dsa_keys_and_signatures_are_nists() {
    for record in corpus("slh_dsa") {
        let set = record.text("set");
        let params = params::SETS.into_iter().find(|params| params.name == set).expect("a set");
        let secret = record.hex("sk_hex");
        let seeds: Vec<&[u8]> = secret.chunks(params.n).collect();
        let key = key::Key::generate(params, [seeds[0], seeds[1], seeds[2]]);
        assert_eq!(key.to_bytes(), secret, "{}", record.name());
        if record.has("msg_hex") {
            let hedged = record.has("random_hex").then(|| record.hex("random_hex"));
            let signature = key.sign(&record.hex("msg_hex"), hedged.as_deref().unwrap_or(seeds[2]));
            let digest = Sha256::digest(signature).to_vec();
            assert_eq!(digest, record.hex("signature_sha256_hex"), "{}", record.name());
        }
    }
}
