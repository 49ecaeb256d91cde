//! HMAC (RFC 2104) and PBKDF2 (RFC 8018) over the references, against other implementations: this
//! ties the corpora to a second definition, since jlanes-core has no reference of the two.

use digest::block_api::BlockSizeUser;
use jlanes_reference as r;
use jlanes_testing::{Record, corpus};

/// A hash with its block size `B`.
struct Hash {
    block: usize,
    digest: fn(&[u8]) -> Vec<u8>,
}

fn hash(name: &str) -> Hash {
    match name {
        "sha3_224" => Hash { block: 144, digest: |m| r::sha3_224(m).to_vec() },
        "sha3_256" => Hash { block: 136, digest: |m| r::sha3_256(m).to_vec() },
        "sha3_384" => Hash { block: 104, digest: |m| r::sha3_384(m).to_vec() },
        "sha3_512" => Hash { block: 72, digest: |m| r::sha3_512(m).to_vec() },
        "blake2b512" => Hash { block: 128, digest: blake2b512 },
        "blake2s256" => Hash { block: 64, digest: blake2s256 },
        other => plain(other).unwrap_or_else(|| panic!("no reference for {other}")),
    }
}

macro_rules! plain {
    (() $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        fn plain(name: &str) -> Option<Hash> {
            match name {
                $(stringify!($name) => {
                    Some(Hash { block: <$peer>::block_size(), digest: |m| r::$name(m).to_vec() })
                })*
                _ => None,
            }
        }
    };
}
jlanes_testing::plain_hashes!(plain, ());

fn blake2b512(message: &[u8]) -> Vec<u8> {
    let mut digest = vec![0; 64];
    r::blake2b(&r::Blake2::default(), message, &mut digest);
    digest
}

fn blake2s256(message: &[u8]) -> Vec<u8> {
    let mut digest = vec![0; 32];
    r::blake2s(&r::Blake2::default(), message, &mut digest);
    digest
}

/// `H(K XOR opad, H(K XOR ipad, text))`.
fn hmac(hash: &Hash, key: &[u8], text: &[u8]) -> Vec<u8> {
    let mut k = if key.len() > hash.block { (hash.digest)(key) } else { key.to_vec() };
    k.resize(hash.block, 0);
    let pad = |byte: u8| k.iter().map(|k| k ^ byte).collect::<Vec<_>>();
    let inner = (hash.digest)(&[&pad(0x36), text].concat());
    (hash.digest)(&[pad(0x5c), inner].concat())
}

/// `T_1 || T_2 || ..`, cut to `dk_len` bytes.
fn pbkdf2(hash: &Hash, password: &[u8], salt: &[u8], c: u32, dk_len: usize) -> Vec<u8> {
    let mut dk = Vec::new();
    for i in 1_u32.. {
        if dk.len() >= dk_len {
            break;
        }
        let mut u = hmac(hash, password, &[salt, &i.to_be_bytes()].concat());
        let mut t = u.clone();
        for _ in 1..c {
            u = hmac(hash, password, &u);
            t.iter_mut().zip(&u).for_each(|(t, u)| *t ^= u);
        }
        dk.extend(t);
    }
    dk.truncate(dk_len);
    dk
}

/// The records of a corpus, and of that of plain hashes, which have this answer.
fn records(name: &str, answer: &str) -> Vec<Record> {
    let mut records = corpus(name);
    records.extend(corpus("md"));
    records.retain(|record| record.has(answer));
    records
}

#[test]
fn hmac_is_known() {
    for record in records("hmac_others", "tag_hex") {
        let tag = hmac(&hash(record.text("hash")), &record.hex("key_hex"), &record.message());
        assert_eq!(tag, record.hex("tag_hex"), "{}", record.name());
    }
}

#[test]
fn pbkdf2_is_known() {
    for record in records("pbkdf2_others", "dk_hex") {
        let (password, salt) = (record.hex("password_hex"), record.hex("salt_hex"));
        let (rounds, len) = (record.number("iterations"), record.number("dk_len"));
        let key = pbkdf2(&hash(record.text("hash")), &password, &salt, rounds, len);
        assert_eq!(key, record.hex("dk_hex"), "{}", record.name());
    }
}
