//! Threefish against known answers.

use jlanes_core::hashes::skein::threefish::Threefish;
use jlanes_testing::{Record, corpus};

fn words<const W: usize>(bytes: &[u8]) -> [u64; W] {
    let (words, rest) = bytes.as_chunks();
    assert!(words.len() == W && rest.is_empty());
    core::array::from_fn(|i| u64::from_le_bytes(words[i]))
}

fn cipher(record: &Record) -> Vec<u64> {
    let (key, plain) = (record.hex("key_hex"), record.hex("plain_hex"));
    let tweak = words(&record.hex("tweak_hex"));
    match record.number("state") {
        256u16 => Threefish::<4>::encrypt(&words(&key), tweak, words(&plain)).to_vec(),
        512 => Threefish::<8>::encrypt(&words(&key), tweak, words(&plain)).to_vec(),
        _ => Threefish::<16>::encrypt(&words(&key), tweak, words(&plain)).to_vec(),
    }
}

#[test]
fn threefish_matches_known_answers() {
    for record in corpus("threefish") {
        let bytes: Vec<u8> = cipher(&record).iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(bytes, record.hex("cipher_hex"), "{}", record.name());
    }
}
