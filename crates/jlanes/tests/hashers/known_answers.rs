//! The corpora: digests, HMAC (RFC 2104) and PBKDF2 (RFC 8018) that other tools computed.

use hmac::{Hmac, KeyInit, Mac};
use jlanes::Backend;
use jlanes_testing::{Record, backends, corpus};

use crate::table::Hasher;

for_every_hasher!(digests_are_known, batches_are_known, hmac_is_known, pbkdf2_is_known);

/// The field with the answer of each kind of record.
const DIGEST: &str = "digest_hex";
pub(crate) const HMAC: &str = "tag_hex";
pub(crate) const PBKDF2: &str = "dk_hex";

/// The corpora of hashers; `md` has all kinds of records.
const CORPORA: [&str; 6] = ["sha", "md", "hmac", "hmac_others", "pbkdf2", "pbkdf2_others"];

/// The records of hasher `H` that have this answer, of which there is at least one.
pub(crate) fn records<H: Hasher>(answer: &str) -> Vec<Record> {
    let mut records: Vec<_> = CORPORA.into_iter().flat_map(corpus).collect();
    let field = if answer == DIGEST { "alg" } else { "hash" };
    records.retain(|record| record.has(answer) && record.text(field) == H::CORPUS);
    assert!(!records.is_empty(), "no {answer} of {} in {CORPORA:?} of tests/data", H::CORPUS);
    records
}

fn digests_are_known<H: Hasher>() {
    for record in records::<H>(DIGEST) {
        let digest = H::digest(record.message());
        assert_eq!(digest[..], record.hex("digest_hex"), "{}", record.name());
    }
}

/// The whole corpus in one batch, since its messages are as unequal as can be.
fn batches_are_known<H: Hasher>() {
    let records = records::<H>(DIGEST);
    let messages: Vec<_> = records.iter().map(Record::message).collect();
    let messages: Vec<_> = messages.iter().map(Vec::as_slice).collect();
    for backend in backends::<Backend>() {
        for (record, digest) in records.iter().zip(H::many(backend, &messages)) {
            assert_eq!(digest[..], record.hex("digest_hex"), "{backend}: {}", record.name());
        }
    }
}

fn hmac_is_known<H: Hasher>() {
    for record in records::<H>(HMAC) {
        let message = if record.has("msg_hex") { record.hex("msg_hex") } else { record.message() };
        let mac = Hmac::<H>::new_from_slice(&record.hex("key_hex")).expect("keys of any length");
        let tag = mac.chain_update(message).finalize().into_bytes();
        let length = record.number::<usize>("tag_bytes");
        assert_eq!(tag[..length], record.hex("tag_hex"), "{}", record.name());
    }
}

fn pbkdf2_is_known<H: Hasher>() {
    for record in records::<H>(PBKDF2) {
        let mut key = vec![0; record.number("dk_len")];
        let (password, salt) = (record.hex("password_hex"), record.hex("salt_hex"));
        pbkdf2::pbkdf2_hmac::<H>(&password, &salt, record.number("iterations"), &mut key);
        assert_eq!(key, record.hex("dk_hex"), "{}", record.name());
    }
}
