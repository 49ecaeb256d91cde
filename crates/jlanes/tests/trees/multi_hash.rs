//! Tests of ISA-L's multi-hash.

use jlanes::{
    Backend, Digest, Sha1, Sha256,
    tree::{MhSha256, MultiHash},
};
use jlanes_testing::{backends, corpus, message};

macro_rules! known {
    ($hash:ty, $name:literal) => {
        for record in corpus("mh").iter().filter(|record| record.text("alg") == $name) {
            for backend in backends::<Backend>() {
                let hasher = MultiHash::<$hash>::with_backend(backend);
                let digest = hasher.chain_update(record.message()).finalize();
                assert_eq!(digest[..], record.hex("digest_hex"), "{} on {backend}", record.name());
            }
        }
    };
}

#[test]
fn known_answers() {
    known!(Sha1, "mh_sha1");
    known!(Sha256, "mh_sha256");
}

#[test]
fn every_chunking_gives_the_same_digest() {
    let message = message(3, 3000);
    let whole = MhSha256::digest(&message);
    for size in 1..1500 {
        let mut hasher = MhSha256::new();
        message.chunks(size).for_each(|chunk| hasher.update(chunk));
        assert_eq!(hasher.finalize_reset(), whole, "pieces of {size} bytes");
        assert_eq!(hasher.chain_update(&message).finalize(), whole, "after {size}");
    }
}

#[test]
fn memory_order_reverses_the_bytes_of_words() {
    let digest = MhSha256::digest(b"words");
    let memory = MhSha256::to_memory_order(digest);
    for (word, reversed) in digest.chunks(4).zip(memory.chunks(4)) {
        assert!(word.iter().eq(reversed.iter().rev()));
    }
    assert_eq!(MhSha256::to_memory_order(memory), digest);
}
