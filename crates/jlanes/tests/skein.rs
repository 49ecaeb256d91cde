//! Skein's hashers against RustCrypto's `skein`, and batches against hashers.

use jlanes::{
    Digest,
    digest::{
        KeyInit, Mac,
        common::hazmat::SerializableState,
        consts::{U1, U20, U28, U32, U48, U64, U128, U200},
    },
    skein::{Skein256, Skein512, Skein512Mac, Skein1024},
};
use jlanes_testing::{corpus, message, paint};
use proptest::prelude::*;

#[path = "common/batches.rs"]
mod batches;

use batches::batch_matches;

/// `H` and its peer `P` agree, in one piece and in two, and so do their serialized states.
fn linear_matches<H, P>(name: &str)
where
    H: Digest + SerializableState,
    P: Digest<OutputSize = H::OutputSize>
        + SerializableState<SerializedStateSize = H::SerializedStateSize>,
{
    for len in 0..400 {
        let data = paint(len, len);
        let digest = P::digest(&data);
        assert_eq!(H::digest(&data), digest, "{name}, {len} bytes");
        let (left, right) = data.split_at(len * 2 / 3);
        let (mut hasher, mut peer) = (H::new(), P::new());
        hasher.update(left);
        peer.update(left);
        let state = hasher.serialize();
        assert_eq!(state, peer.serialize(), "{name}, state after {} bytes", left.len());
        let mut hasher = H::deserialize(&state).expect("a state just written");
        hasher.update(right);
        assert_eq!(hasher.finalize(), digest, "{name}, {len} bytes in pieces");
    }
}

#[test]
fn hashers_match_the_crate_skein() {
    linear_matches::<Skein256, skein::Skein256<U32>>("256-256");
    linear_matches::<Skein256<U20>, skein::Skein256<U20>>("256-160");
    linear_matches::<Skein256<U64>, skein::Skein256<U64>>("256-512");
    linear_matches::<Skein512, skein::Skein512<U64>>("512-512");
    linear_matches::<Skein512<U1>, skein::Skein512<U1>>("512-8");
    linear_matches::<Skein512<U28>, skein::Skein512<U28>>("512-224");
    linear_matches::<Skein512<U200>, skein::Skein512<U200>>("512-1600");
    linear_matches::<Skein1024, skein::Skein1024<U128>>("1024-1024");
    linear_matches::<Skein1024<U48>, skein::Skein1024<U48>>("1024-384");
}

/// Messages too long to hash: the test sets the position of a state, the first word of its serialized
/// form. `H` and its peer continue from it alike.
fn positions_match<H, P>(block: usize)
where
    H: Digest + SerializableState,
    P: Digest<OutputSize = H::OutputSize>
        + SerializableState<SerializedStateSize = H::SerializedStateSize>,
{
    // a block is held back, so two are the least that leave a state behind
    let mut state = H::new_with_prefix(message(1, block + 1)).serialize();
    for bytes in [1 << 29, 1 << 32, 1 << 61_u64] {
        for position in [bytes - 2 * block as u64, bytes] {
            state[..8].copy_from_slice(&position.to_le_bytes());
            for tail in [0, 1, block - 2, block - 1, block, 3 * block + 5] {
                let rest = message(2, tail);
                let ours = H::deserialize(&state).expect("ours").chain_update(&rest);
                let theirs = P::deserialize(&state).expect("theirs").chain_update(&rest);
                assert_eq!(ours.serialize(), theirs.serialize(), "{position}, {tail} bytes");
                assert_eq!(ours.finalize(), theirs.finalize(), "{position}, {tail} bytes");
            }
        }
    }
}

#[test]
fn positions_around_powers_of_two_match_the_crate_skein() {
    positions_match::<Skein256, skein::Skein256<U32>>(32);
    positions_match::<Skein512, skein::Skein512<U64>>(64);
    positions_match::<Skein1024, skein::Skein1024<U128>>(128);
}

fn batches_match(messages: &[Vec<u8>]) {
    batch_matches::<Skein256>(messages);
    batch_matches::<Skein256<U48>>(messages);
    batch_matches::<Skein512>(messages);
    batch_matches::<Skein512<U20>>(messages);
    batch_matches::<Skein1024>(messages);
    batch_matches::<Skein1024<U200>>(messages);
}

#[test]
fn equal_lengths_match_on_every_backend() {
    for len in [0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000] {
        for count in [1, 2, 3, 5, 8, 9, 17] {
            batches_match(&(0..count).map(|i| paint(len, i)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn unequal_lengths_match_on_every_backend() {
    for count in 0..40 {
        batches_match(&(0..count).map(|i| paint(i * i * 7 % 1000, i)).collect::<Vec<_>>());
    }
}

#[test]
fn macs_match_known_answers() {
    let mut seen = 0;
    for record in corpus("skein") {
        let plain_mac = record.has("key_hex")
            && ["pers_hex", "pk_hex", "kdf_hex", "nonce_hex", "tree"]
                .iter()
                .all(|f| !record.has(f));
        let bits: usize = record.number("msg_bits");
        if !plain_mac || !bits.is_multiple_of(8) {
            continue;
        }
        if (record.number::<u16>("state"), record.number::<u32>("out_bits")) != (512, 512) {
            continue;
        }
        seen += 1;
        let data = message(record.number("msg_seed"), bits / 8);
        let key = record.hex("key_hex");
        let mut mac = <Skein512Mac as KeyInit>::new_from_slice(&key).expect("any key length");
        mac.update(&data);
        let tag = mac.finalize_reset().into_bytes();
        assert_eq!(tag[..], record.hex("digest_hex"), "{}", record.name());
        mac.update(&data);
        mac.verify(&tag).expect("the same tag after a reset");
    }
    assert!(seen > 0);
}

proptest! {
    #[test]
    fn any_chunks_give_the_same_digest(
        chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..8),
    ) {
        let mut hasher = Skein512::<U32>::new();
        for chunk in &chunks {
            hasher.update(chunk);
        }
        let whole = skein::Skein512::<U32>::digest(chunks.concat());
        prop_assert_eq!(hasher.clone().finalize(), whole);
        prop_assert_eq!(hasher.finalize_reset(), whole);
        prop_assert_eq!(hasher.finalize(), Skein512::<U32>::digest(b""));
    }
}
