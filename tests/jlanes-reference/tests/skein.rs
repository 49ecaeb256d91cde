//! The Skein reference against known answers of other implementations.

use jlanes_reference::skein::Skein;
use jlanes_testing::{corpus, message};

#[test]
fn reference_matches_known_answers() {
    for record in corpus("skein") {
        let bits: usize = record.number("msg_bits");
        let data = message(record.number("msg_seed"), bits.div_ceil(8));
        let argument = |field| record.optional_hex(field);
        let key = argument("key_hex").unwrap_or_default();
        let (personalization, public_key) = (argument("pers_hex"), argument("pk_hex"));
        let (key_identifier, nonce) = (argument("kdf_hex"), argument("nonce_hex"));
        let tree = if record.has("tree") {
            let tree = record.record("tree");
            [tree.number("yl"), tree.number("yf"), tree.number("ym")]
        } else {
            [0; 3]
        };
        let skein = Skein {
            state_bytes: record.number::<usize>("state") / 8,
            output_bits: record.number("out_bits"),
            key: &key,
            personalization: personalization.as_deref(),
            public_key: public_key.as_deref(),
            key_identifier: key_identifier.as_deref(),
            nonce: nonce.as_deref(),
            tree,
        };
        let digest = skein.hash(&data, (bits % 8) as u32);
        assert_eq!(digest, record.hex("digest_hex"), "{}", record.name());
    }
}
