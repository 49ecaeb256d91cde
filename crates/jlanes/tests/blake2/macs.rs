//! Keyed BLAKE2 against the crate `blake2`, batches of tags against single ones, and HMAC.

use hmac::SimpleHmac;
use jlanes::{
    Blake2b512, Blake2bMac, Blake2bMac512, Blake2s256, Blake2sMac, Blake2sMac256,
    digest::{
        FixedOutput, FixedOutputReset, KeyInit, Mac, Output, Reset,
        consts::{U20, U32},
    },
    multi::Lanes,
};
use jlanes_testing::{message, paint};

/// Lengths around the edges of blocks.
const LENS: [usize; 14] = [0, 1, 31, 63, 64, 65, 127, 128, 129, 191, 192, 256, 257, 600];

/// Compares tags under keys of every length up to `longest`; an empty and a longer key are errors.
fn keys_match<H, P>(longest: usize)
where
    H: Mac + KeyInit + FixedOutputReset,
    P: Mac<OutputSize = H::OutputSize> + KeyInit,
{
    for size in 1..=longest {
        let key = message(size as u64, size);
        for len in LENS {
            let text = paint(len, size);
            let mut mac = <H as KeyInit>::new_from_slice(&key).expect("our key");
            let peer = <P as KeyInit>::new_from_slice(&key).expect("their key");
            let tag = peer.chain_update(&text).finalize().into_bytes();
            Mac::update(&mut mac, &text);
            assert_eq!(mac.finalize_reset().into_bytes(), tag, "{size} and {len} bytes");
            let (left, right) = text.split_at(len / 2);
            Mac::update(&mut mac, left);
            Mac::update(&mut mac, right);
            mac.verify(&tag).expect("the same tag after a reset");
        }
    }
    assert!(<H as KeyInit>::new_from_slice(b"").is_err());
    let key = message(0, longest + 1);
    assert!(<H as KeyInit>::new_from_slice(&key).is_err());
    assert!(<P as KeyInit>::new_from_slice(&key).is_err());
}

#[test]
fn tags_match_the_crate_blake2() {
    keys_match::<Blake2bMac512, blake2::Blake2bMac512>(64);
    keys_match::<Blake2bMac<U20>, blake2::Blake2bMac<U20>>(64);
    keys_match::<Blake2sMac256, blake2::Blake2sMac256>(32);
}

#[test]
fn all_parameters_match_the_crate_blake2() {
    for size in 0..=16 {
        let (salt, persona) = (message(1, size), message(2, 16 - size));
        for key in [None, Some(&[7; 64][..]), Some(b"key")] {
            let ours = Blake2bMac::<U32>::new_with_salt_and_personal(key, &salt, &persona);
            let theirs =
                blake2::Blake2bMac::<U32>::new_with_salt_and_personal(key, &salt, &persona);
            let mut ours = ours.expect("our lengths").chain_update(b"text");
            let theirs =
                theirs.expect("their lengths").chain_update(b"text").finalize().into_bytes();
            assert_eq!(ours.clone().finalize().into_bytes(), theirs);
            Reset::reset(&mut ours);
            assert_eq!(ours.chain_update(b"text").finalize().into_bytes(), theirs);
        }
    }
}

#[test]
fn lengths_that_blake2_does_not_know_are_errors() {
    let new = Blake2sMac::<U20>::new_with_salt_and_personal;
    assert!(new(Some(&[0; 32]), &[0; 8], &[0; 8]).is_ok());
    assert!(new(Some(&[]), &[], &[]).is_err());
    assert!(new(Some(&[0; 33]), &[], &[]).is_err());
    assert!(new(None, &[0; 9], &[]).is_err());
    assert!(new(None, &[], &[0; 9]).is_err());
}

#[test]
fn a_mac_shows_nothing() {
    let mac = Blake2bMac512::new_from_slice(b"key").expect("a key");
    let peer = blake2::Blake2bMac512::new_from_slice(b"key").expect("a key");
    assert_eq!(format!("{mac:?}"), format!("{peer:?}"));
}

/// The tags of many messages by a MAC.
type Tags<M> = fn(&M, &[&[u8]], &mut [Output<M>]);

/// Compares the tags of a batch with single tags, from a new MAC and after a prefix.
fn many_match<M: Mac + FixedOutput + Clone>(mac: &M, tags: Tags<M>) {
    for prefix in [0, 1, 63, 64, 65, 128, 129] {
        let mac = mac.clone().chain_update(paint(prefix, 3));
        for count in [0, 1, 2, 5, 16, 50] {
            for equal in [true, false] {
                let len = |i: usize| if equal { LENS[count % 14] } else { LENS[i * 5 % 14] };
                let texts: Vec<_> = (0..count).map(|i| paint(len(i), i)).collect();
                let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
                let mut out = vec![Output::<M>::default(); count];
                tags(&mac, &texts, &mut out);
                for (text, tag) in texts.iter().zip(&out) {
                    let alone = mac.clone().chain_update(text).finalize().into_bytes();
                    assert_eq!(*tag, alone, "{prefix} and {} bytes", text.len());
                }
            }
        }
    }
}

#[test]
fn tags_of_many_messages_match() {
    many_match(&Blake2bMac512::new_from_slice(&[5; 64]).expect("a key"), |mac, texts, out| {
        mac.tags(texts, out);
    });
    many_match(&Blake2sMac256::new_from_slice(b"key").expect("a key"), |mac, texts, out| {
        mac.tags(texts, out);
    });
    let unkeyed = Blake2sMac::<U20>::new_with_salt_and_personal(None, b"salt", b"persona");
    many_match(&unkeyed.expect("lengths"), |mac, texts, out| {
        mac.tags(texts, out);
    });
}

/// HMAC and PBKDF2 over BLAKE2 are those of `SimpleHmac`.
macro_rules! hmacs {
    ($($name:ident: $hash:ty, $size:literal;)*) => {$(
        #[test]
        fn $name() {
            let tag = |key: &[u8], text: &[u8]| {
                let mac = SimpleHmac::<$hash>::new_from_slice(key).expect("keys of any length");
                mac.chain_update(text).finalize().into_bytes()
            };
            for len in [0, 64, 65, 128, 129] {
                let key = message(1, len);
                let texts: Vec<_> = (0..18).map(|i| message(i, 20 * i as usize)).collect();
                let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
                let mut out = vec![Default::default(); 18];
                Lanes::<$hash>::new().hmac(&key, &texts, &mut out);
                assert!(texts.iter().zip(&out).all(|(text, out)| tag(&key, text) == *out));
                Lanes::<$hash>::new().hmac_keyed(&[&key[..]; 18], &texts, &mut out);
                assert!(texts.iter().zip(&out).all(|(text, out)| tag(&key, text) == *out));

                let mut derived = [0; $size];
                Lanes::<$hash>::new().pbkdf2(&[&key], &[b"salt"], 2, &mut [&mut derived]);
                let first = tag(&key, b"salt\0\0\0\x01");
                let second = tag(&key, &first);
                assert!((0..$size).all(|i| derived[i] == first[i] ^ second[i]), "{len} bytes");
            }
        }
    )*};
}
hmacs! {
    blake2b_in_hmac: Blake2b512, 64;
    blake2s_in_hmac: Blake2s256, 32;
}
