//! Tests of the hasher of SHA-1 with detection.

use jlanes::{
    Sha1, Sha1Checked,
    digest::{Digest, FixedOutputReset, Reset, common::hazmat::SerializableState},
};
use jlanes_testing::{corpus, message};

use crate::{attacks, ours, peer};

#[test]
fn known_attacks_are_found() {
    for record in corpus("sha1_collisions") {
        let message = record.message();
        let collision = Sha1Checked::try_digest(&message).unwrap_err();
        assert!(collision.is_safe_hash());
        assert_eq!(collision.digest()[..], record.hex("safe_hash_hex"), "{}", record.name());
        assert_eq!(Sha1Checked::digest(&message)[..], record.hex("safe_hash_hex"));
        let mut plain = Sha1Checked::builder().safe_hash(false).build();
        plain.update(&message);
        let collision = plain.try_finalize().unwrap_err();
        assert!(!collision.is_safe_hash());
        assert_eq!(collision.digest()[..], record.hex("digest_hex"), "{}", record.name());
        assert_eq!(Sha1::digest(&message)[..], record.hex("digest_hex"));
        // without the last byte of its blocks, it is harmless
        let harmless = &message[..message.len() - 1];
        assert_eq!(Sha1Checked::try_digest(harmless).is_err(), peer(harmless).1);
    }
}

#[test]
fn every_length_agrees_with_both_crates() {
    for len in (0..600).chain([1000, 4096, 100_000]) {
        let message = message(len as u64, len);
        let result = Sha1Checked::try_digest(&message);
        assert_eq!(ours(&result), peer(&message), "{len}");
        assert_eq!(result.unwrap(), Sha1::digest(&message), "{len}");
        let mut hasher = sha1dc::Hasher::new();
        hasher.update(&message);
        assert_eq!(*hasher.finalize().unwrap().as_bytes(), *Sha1::digest(&message), "{len}");
    }
    for attack in attacks() {
        assert_eq!(ours(&Sha1Checked::try_digest(&attack)), peer(&attack));
        assert!(Sha1Checked::try_digest(&attack).is_err());
    }
}

#[test]
fn options_are_those_of_sha1_checked() {
    let messages = attacks().into_iter().chain([Vec::new(), message(1, 64), message(2, 1000)]);
    for message in messages {
        for options in 0..8 {
            let [detect, filter, safe] = [1, 2, 4].map(|bit| options & bit != 0);
            let builder = Sha1Checked::builder();
            let builder = builder.detect_collision(detect).use_ubc(filter).safe_hash(safe);
            let mut hasher = builder.build();
            let builder = sha1_checked::Sha1::builder();
            let builder = builder.detect_collision(detect).use_ubc(filter).safe_hash(safe);
            let mut peer = builder.build();
            // a reset keeps the options
            hasher.update(&message);
            Reset::reset(&mut hasher);
            for (i, piece) in message.chunks(100).enumerate() {
                hasher.update(piece);
                peer.update(piece);
                if i == 1 {
                    let state = hasher.serialize();
                    hasher = Sha1Checked::deserialize(&state).unwrap();
                }
            }
            let finalized = hasher.clone().finalize_fixed_reset();
            let (result, theirs) = (hasher.try_finalize(), peer.try_finalize());
            assert_eq!(ours(&result), (theirs.hash().to_vec(), theirs.has_collision()));
            assert_eq!(finalized[..], theirs.hash()[..]);
            let mitigated = matches!(theirs, sha1_checked::CollisionResult::Mitigated(_));
            assert_eq!(result.is_err_and(|collision| collision.is_safe_hash()), mitigated);
        }
    }
}
