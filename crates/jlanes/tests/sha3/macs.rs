//! HMAC and PBKDF2 over SHA-3, against RustCrypto's crates.

use hmac::{KeyInit, Mac, SimpleHmac};
use jlanes::{
    Digest,
    digest::{FixedOutput, Output, common::BlockSizeUser},
    multi::{Lanes, MultiDigest},
};
use jlanes_testing::message;

macro_rules! hashers {
    ($($name:ident, $hasher:ident;)*) => {
        $(mod $name {
            #[test]
            fn hmac() {
                super::tags::<jlanes::$hasher, sha3::$hasher>();
            }

            #[test]
            fn pbkdf2() {
                super::keys::<jlanes::$hasher, sha3::$hasher>();
            }
        })*
    };
}
hashers! {
    sha3_224, Sha3_224;
    sha3_256, Sha3_256;
    sha3_384, Sha3_384;
    sha3_512, Sha3_512;
    keccak256, Keccak256;
}

fn tag<H: Digest + BlockSizeUser>(key: &[u8], message: &[u8]) -> Output<H> {
    let mac = SimpleHmac::<H>::new_from_slice(key).expect("keys of any length");
    mac.chain_update(message).finalize().into_bytes()
}

fn tags<H, P>()
where
    H: MultiDigest + BlockSizeUser,
    P: Digest<OutputSize = H::OutputSize> + BlockSizeUser,
{
    let block = H::block_size();
    let text = message(7, 700);
    let messages: Vec<&[u8]> = (0..19).map(|i| &text[i..][..36 * i]).collect();
    let mut out = vec![Output::<H>::default(); messages.len()];
    for len in [0, 1, 32, block - 1, block, block + 1, 3 * block] {
        let key = message(len as u64, len);
        assert_eq!(tag::<H>(&key, &text), tag::<P>(&key, &text), "a key of {len} bytes");
        Lanes::<H>::new().hmac(&key, &messages, &mut out);
        for (message, out) in messages.iter().zip(&out) {
            assert_eq!(*out, tag::<P>(&key, message), "a key of {len} bytes");
        }
    }
    let keys: Vec<Vec<u8>> = (0..19).map(|i| message(i, 17 * i as usize)).collect();
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    Lanes::<H>::new().hmac_keyed(&keys, &messages, &mut out);
    for (i, out) in out.iter().enumerate() {
        assert_eq!(*out, tag::<P>(keys[i], messages[i]), "key {i}");
    }
}

fn keys<H, P>()
where
    H: MultiDigest + BlockSizeUser,
    P: Digest<OutputSize = H::OutputSize> + BlockSizeUser + Clone + Sync + FixedOutput,
{
    let passwords: Vec<Vec<u8>> = (0..11).map(|i| message(i, 20 * i as usize)).collect();
    let passwords: Vec<&[u8]> = passwords.iter().map(Vec::as_slice).collect();
    let salts = vec![b"a salt".as_slice(); passwords.len()];
    let mut keys: Vec<Vec<u8>> = (0..11).map(|i| vec![0; 1 + 15 * i]).collect();
    let mut outs: Vec<&mut [u8]> = keys.iter_mut().map(Vec::as_mut_slice).collect();
    Lanes::<H>::new().pbkdf2(&passwords, &salts, 5, &mut outs);
    for (i, key) in keys.iter().enumerate() {
        let mut expected = vec![0; key.len()];
        pbkdf2::pbkdf2::<SimpleHmac<P>>(passwords[i], b"a salt", 5, &mut expected)
            .expect("a key of any length");
        assert_eq!(*key, expected, "password {i}");
    }
}
