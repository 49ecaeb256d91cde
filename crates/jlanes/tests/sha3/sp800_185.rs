//! KMAC and TupleHash against the published answers and another implementation, alone and in batches.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jlanes::{
    Backend,
    digest::{
        ExtendableOutput, ExtendableOutputReset, FixedOutputReset, Key, KeyInit, Mac, Output,
        Reset, Update, XofReader, common::InvalidLength,
    },
    multi::Xofs,
    sha3::{Kmac, Kmac128, Kmac256, TupleHash, TupleHash128, TupleHash256, functions},
};
use jlanes_core::{
    hashes::keccak::cshake::{Customizable, Length, left_encode},
    kernel::HasKernels,
};
use jlanes_reference as reference;
use jlanes_testing::{Record, backends, corpus, message};
use proptest::prelude::*;
use tiny_keccak::{Hasher as _, IntoXof as _, Xof as _};

#[test]
fn known_answers() {
    for record in corpus("sp800_185") {
        for backend in backends::<Backend>() {
            match record.text("alg") {
                "kmac128" => kmac::<functions::CShake128>(&record, backend, Length::Fixed),
                "kmac256" => kmac::<functions::CShake256>(&record, backend, Length::Fixed),
                "kmacxof128" => kmac::<functions::CShake128>(&record, backend, Length::Any),
                "kmacxof256" => kmac::<functions::CShake256>(&record, backend, Length::Any),
                "tuplehash128" => tuple::<functions::CShake128>(&record, backend, Length::Fixed),
                "tuplehash256" => tuple::<functions::CShake256>(&record, backend, Length::Fixed),
                "tuplehashxof128" => tuple::<functions::CShake128>(&record, backend, Length::Any),
                "tuplehashxof256" => tuple::<functions::CShake256>(&record, backend, Length::Any),
                other => panic!("{other} in the corpus"),
            }
        }
    }
}

fn kmac<H: Customizable>(record: &Record, backend: Backend, length: Length)
where
    Backend: HasKernels<H::Compression>,
{
    let (key, custom) = (record.hex("key_hex"), record.input("custom"));
    let (message, mut out) = (record.message(), vec![0; record.number("out_len")]);
    let mut mac = Kmac::<H, _>::with_backend(backend, &key, &custom).expect("a key");
    let size = out.len();
    mac.fill(
        (length, &message[..message.len() / 2]),
        |_| &message[message.len() / 2..],
        (&mut out, size),
    );
    record.assert_output(&out);
    for piece in [1, 167, 1000] {
        message.chunks(piece).for_each(|piece| Update::update(&mut mac, piece));
        match length {
            Length::Fixed => mac.finalize_into_slice_reset(&mut out),
            Length::Any => mac.finalize_xof_reset().read(&mut out),
        }
        record.assert_output(&out);
    }
}

fn tuple<H: Customizable>(record: &Record, backend: Backend, length: Length)
where
    Backend: HasKernels<H::Compression>,
{
    let mut out = vec![0; record.number("out_len")];
    let mut hasher = TupleHash::<H, _>::with_backend(backend, &record.input("custom"));
    hasher.push(b"forgotten");
    hasher.reset();
    let hasher = hasher.chain(&record.items());
    match length {
        Length::Fixed => hasher.finalize_into_slice(&mut out),
        Length::Any => hasher.finalize_xof().read(&mut out),
    }
    record.assert_output(&out);
}

/// KMAC with an output of `size` bytes by the literal reference; KMACXOF if `length` is any.
fn other_kmac(
    strength: usize,
    key: &[u8],
    custom: &[u8],
    message: &[u8],
    size: usize,
    length: Length,
) -> Vec<u8> {
    let kmac = match (strength, length) {
        (128, Length::Fixed) => reference::kmac128,
        (_, Length::Fixed) => reference::kmac256,
        (128, Length::Any) => reference::kmacxof128,
        (_, Length::Any) => reference::kmacxof256,
    };
    let mut out = vec![0; size];
    kmac(key, message, custom, &mut out);
    if !fills_blocks(strength, [key].as_slice()) && !fills_blocks(strength, &[b"KMAC", custom]) {
        let mut mac = match strength {
            128 => tiny_keccak::Kmac::v128(key, custom),
            _ => tiny_keccak::Kmac::v256(key, custom),
        };
        mac.update(message);
        let mut tiny = vec![0; size];
        match length {
            Length::Fixed => mac.finalize(&mut tiny),
            Length::Any => mac.into_xof().squeeze(&mut tiny),
        }
        assert_eq!(tiny, out);
    }
    out
}

fn other_tuple(
    strength: usize,
    custom: &[u8],
    items: &[Vec<u8>],
    size: usize,
    length: Length,
) -> Vec<u8> {
    let tuple_hash = match (strength, length) {
        (128, Length::Fixed) => reference::tuplehash128,
        (_, Length::Fixed) => reference::tuplehash256,
        (128, Length::Any) => reference::tuplehashxof128,
        (_, Length::Any) => reference::tuplehashxof256,
    };
    let mut out = vec![0; size];
    tuple_hash(&items.iter().map(Vec::as_slice).collect::<Vec<_>>(), custom, &mut out);
    if !fills_blocks(strength, &[b"TupleHash", custom]) {
        let mut hasher = match strength {
            128 => tiny_keccak::TupleHash::v128(custom),
            _ => tiny_keccak::TupleHash::v256(custom),
        };
        items.iter().for_each(|item| hasher.update(item));
        let mut tiny = vec![0; size];
        match length {
            Length::Fixed => hasher.finalize(&mut tiny),
            Length::Any => hasher.into_xof().squeeze(&mut tiny),
        }
        assert_eq!(tiny, out);
    }
    out
}

/// Whether padded strings end with their last byte: tiny-keccak 2.0.2 adds a block of zeros then.
fn fills_blocks(strength: usize, strings: &[&[u8]]) -> bool {
    let length = |string: &&[u8]| left_encode(8 * string.len() as u128).1 + string.len();
    (2 + strings.iter().map(length).sum::<usize>()).is_multiple_of(200 - strength / 4)
}

fn texts(
    longest: usize,
    count: impl Into<prop::collection::SizeRange>,
) -> impl Strategy<Value = Vec<Vec<u8>>> {
    let text = (any::<u64>(), 0..longest).prop_map(|(seed, len)| message(seed, len));
    prop::collection::vec(text, count)
}

fn all_alone<H: Customizable + Copy>(
    strength: usize,
    backend: Backend,
    keys: &[Vec<u8>],
    messages: &[Vec<u8>],
    custom: &[u8],
    size: usize,
) where
    Backend: HasKernels<H::Compression>,
{
    for length in [Length::Fixed, Length::Any] {
        let mac = Kmac::<H, _>::with_backend(backend, &keys[0], custom).expect("a key");
        let mut out = vec![0; size * messages.len()];
        mac.fill((length, b"before "), |i| &messages[i], (&mut out, size));
        for (message, out) in messages.iter().zip(out.chunks(size.max(1))) {
            let message = [b"before ", &message[..]].concat();
            assert_eq!(out, other_kmac(strength, &keys[0], custom, &message, size, length));
        }
        let mut out = vec![0; size];
        let hasher = TupleHash::<H, _>::with_backend(backend, custom).chain(messages);
        match length {
            Length::Fixed => hasher.finalize_into_slice(&mut out),
            Length::Any => hasher.finalize_xof().read(&mut out),
        }
        assert_eq!(out, other_tuple(strength, custom, messages, size, length));
    }
    let mut tags = vec![Output::<Kmac<H, Backend>>::default(); messages.len()];
    let size = tags[0].len();
    let keyed =
        Kmac::<H, Backend>::tags_keyed(&keys[..messages.len()], custom, messages, &mut tags);
    assert_eq!(keyed, Ok(()));
    for (i, tag) in tags.iter().enumerate() {
        assert_eq!(
            **tag,
            other_kmac(strength, &keys[i], custom, &messages[i], size, Length::Fixed)
        );
    }
    let tuples: Vec<_> = messages.chunks(3).collect();
    let mut digests = vec![Default::default(); tuples.len()];
    TupleHash::<H, _>::with_backend(backend, custom).digests(&tuples, &mut digests);
    for (tuple, digest) in tuples.iter().zip(&digests) {
        assert_eq!(**digest, other_tuple(strength, custom, tuple, size, Length::Fixed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn batches_match_another_implementation(
        keys in texts(200, 80), messages in texts(600, 1..80_usize), custom in texts(200, 1), size in 1..200_usize,
    ) {
        let keys: Vec<_> = keys.into_iter().map(|key| [b"k", &key[..]].concat()).collect();
        for backend in backends::<Backend>() {
            all_alone::<functions::CShake128>(128, backend, &keys, &messages, &custom[0], size);
            all_alone::<functions::CShake256>(256, backend, &keys, &messages, &custom[0], size);
        }
    }
}

/// Keys around the end of the first block, alone and among short ones.
#[test]
fn long_keys() {
    for len in [1, 130, 131, 132, 133, 163, 164, 165, 168, 169, 400] {
        let keys = [message(1, len), message(2, 16), message(3, 32)];
        let mut tags = [Default::default(); 3];
        Kmac256::tags_keyed(&keys, b"", &["message"; 3], &mut tags).unwrap();
        let mut short = [Default::default(); 3];
        Kmac128::tags_keyed(&keys, b"", &["message"; 3], &mut short).unwrap();
        for (i, key) in keys.iter().enumerate() {
            assert_eq!(*tags[i], other_kmac(256, key, b"", b"message", 64, Length::Fixed), "{len}");
            assert_eq!(
                *short[i],
                other_kmac(128, key, b"", b"message", 32, Length::Fixed),
                "{len}"
            );
        }
    }
}

#[test]
fn an_empty_key_is_refused() {
    assert_eq!(Kmac128::new_from_slice(b"").unwrap_err(), InvalidLength);
    assert_eq!(Kmac256::new_with_customization(b"", b"custom").unwrap_err(), InvalidLength);
    let mut tags = [Default::default(); 2];
    let keyed = Kmac128::tags_keyed(&["key", ""], b"", &["", ""], &mut tags);
    assert_eq!((keyed, tags), (Err(InvalidLength), [Default::default(); 2]));
}

/// Of sizes that run on lanes, and of longer ones.
#[test]
fn outputs_are_whole() {
    let mac = Kmac128::new_with_customization(b"key", b"").unwrap();
    for (len, size) in [(0, 0), (1, 0), (31, 32), (33, 32), (299, 300), (301, 300)] {
        let mut out = vec![0; len];
        let fill = AssertUnwindSafe(|| {
            mac.fill((Length::Any, b""), |_| b"message", (&mut out, size));
        });
        assert!(catch_unwind(fill).is_err(), "{len} bytes of outputs of {size}");
    }
}

#[test]
fn the_traits_of_a_mac() {
    let key = message(1, 32);
    let mut mac = <Kmac256 as KeyInit>::new_from_slice(&key).unwrap();
    Mac::update(&mut mac, b"any ");
    let mut other = Mac::chain_update(mac.clone(), b"message");
    let tag = other.finalize_fixed_reset();
    assert_eq!(*tag, other_kmac(256, &key, b"", b"any message", 64, Length::Fixed));
    Mac::update(&mut other, b"any message");
    assert!(other.clone().verify(&tag).is_ok());
    assert!(other.clone().verify_truncated_left(&tag[..16]).is_ok());
    assert!(other.clone().chain_update(b".").verify(&tag).is_err());
    Reset::reset(&mut other);
    assert_eq!(other.finalize_fixed_reset(), mac_of(&key, b""));
    assert_eq!(format!("{mac:?}"), "KMAC256 { ... }");
    assert_eq!(format!("{:?}", TupleHash128::new()), "TupleHash128 { ... }");
    let fixed = Key::<Kmac128>::from([7; 16]);
    let mut one = [0; 32];
    Kmac128::new(&fixed).finalize_into_slice(&mut one);
    assert_eq!(one[..], other_kmac(128, &[7; 16], b"", b"", 32, Length::Fixed));
}

#[test]
fn wrong_tags_are_found() {
    let mac = Kmac256::new_with_customization(b"key", b"").unwrap();
    let texts: Vec<_> = (0..40).map(|i| message(i, 11 * i as usize)).collect();
    let mut tags = vec![Default::default(); texts.len()];
    mac.tags(&texts, &mut tags);
    assert!(mac.mismatches(&texts, &tags).is_empty());
    (tags[3][63], tags[39][0]) = (!tags[3][63], !tags[39][0]);
    assert_eq!(mac.mismatches(&texts, &tags), [3, 39]);
}

fn mac_of(key: &[u8], message: &[u8]) -> Output<Kmac256> {
    let mac = Kmac256::new_from_slice(key).expect("a key");
    Mac::chain_update(mac, message).finalize().into_bytes()
}

/// Outputs of KMACXOF go on together.
#[test]
fn outputs_are_read_on() {
    let mac = Kmac128::new_with_customization(b"a key", b"stream").unwrap();
    let readers =
        ["one", "another"].map(|message| Update::chain(mac.clone(), message).finalize_xof());
    let mut xofs: Xofs<jlanes::Shake128> = readers.into_iter().collect();
    let mut outs = [[0; 500]; 2];
    xofs.squeeze(&mut outs);
    assert_eq!(outs[1][..], other_kmac(128, b"a key", b"stream", b"another", 500, Length::Any));
}

#[test]
fn tuples_of_the_same_bytes_differ() {
    let digests = [
        TupleHash256::digest(&[""; 0]),
        TupleHash256::digest(&[""]),
        TupleHash256::digest(&["", ""]),
        TupleHash256::digest(&["ab", "c"]),
        TupleHash256::digest(&["a", "bc"]),
        TupleHash256::digest(&["abc"]),
    ];
    for (i, digest) in digests.iter().enumerate() {
        assert!(!digests[..i].contains(digest), "tuple {i}");
    }
}
