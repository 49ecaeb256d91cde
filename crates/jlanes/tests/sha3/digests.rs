//! Tests of Keccak's functions with a fixed output length.

use std::fmt::Debug;

use jlanes::{
    Backend, Digest,
    digest::{
        FixedOutputReset, Output, Reset,
        common::{BlockSizeUser, hazmat::SerializableState},
    },
    multi::{Lanes, MultiDigest, Scheduler},
};
use jlanes_core::{hash::HashFunction, kernel::HasKernels};
use jlanes_reference as reference;
use jlanes_testing::{algorithm_name, backends, message};

use crate::lengths;

macro_rules! hashers {
    ($($name:ident, $hasher:ident;)*) => {
        $(mod $name {
            use super::*;

            #[test]
            fn one_message() {
                one::<jlanes::$hasher, sha3::$hasher>(|data| reference::$name(data).to_vec());
            }

            #[test]
            fn states() {
                states_move::<jlanes::$hasher, sha3::$hasher>();
            }

            #[test]
            fn many_messages() {
                many::<jlanes::$hasher>();
            }

            #[test]
            fn in_pieces() {
                scheduled::<jlanes::$hasher>();
            }

            #[test]
            fn hashed_again() {
                again::<jlanes::$hasher>();
            }

            #[test]
            fn names() {
                assert_eq!(algorithm_name::<jlanes::$hasher>(), stringify!($hasher));
                assert_eq!(algorithm_name::<jlanes::$hasher>(), algorithm_name::<sha3::$hasher>());
            }
        })*
    };
}
hashers! {
    sha3_224, Sha3_224;
    sha3_256, Sha3_256;
    sha3_384, Sha3_384;
    sha3_512, Sha3_512;
    keccak224, Keccak224;
    keccak256, Keccak256;
    keccak384, Keccak384;
    keccak512, Keccak512;
    keccak256full, Keccak256Full;
}

/// Whole, in two pieces cut anywhere, and after a reset.
fn one<H, P>(reference: impl Fn(&[u8]) -> Vec<u8>)
where
    H: Digest + FixedOutputReset + Reset + BlockSizeUser + Clone + Debug,
    P: Digest<OutputSize = H::OutputSize> + BlockSizeUser<BlockSize = H::BlockSize> + Debug,
{
    assert_eq!(format!("{:?}", H::new()), format!("{:?}", P::new()));
    let mut used = H::new();
    for len in lengths() {
        let data = message(len as u64, len);
        let digest = P::digest(&data);
        assert_eq!(digest[..], reference(&data), "{len} bytes: the oracles differ");
        assert_eq!(H::digest(&data), digest, "{len} bytes");
        let (head, tail) = data.split_at(len * 3 / 7);
        Digest::update(&mut used, head);
        let clone = used.clone();
        Digest::update(&mut used, tail);
        assert_eq!(used.finalize_reset(), digest, "{len} bytes in pieces");
        assert_eq!(clone.chain_update(tail).finalize(), digest, "a clone, {len} bytes");
        Digest::update(&mut used, b"forgotten");
        Digest::reset(&mut used);
    }
}

fn states_move<H, P>()
where
    H: Digest + SerializableState + BlockSizeUser,
    P: Digest<OutputSize = H::OutputSize>
        + SerializableState<SerializedStateSize = H::SerializedStateSize>,
{
    let block = H::block_size();
    let text = message(5, 3 * block);
    let digest = P::digest(&text);
    for cut in 0..=2 * block + 1 {
        let (head, tail) = text.split_at(cut);
        let ours = H::new().chain_update(head).serialize();
        let theirs = P::new().chain_update(head).serialize();
        assert_eq!(ours, theirs, "after {cut} bytes");
        let there = P::deserialize(&ours).expect("a state of ours").chain_update(tail);
        assert_eq!(there.finalize(), digest, "to the peer after {cut} bytes");
        let here = H::deserialize(&theirs).expect("a state of theirs").chain_update(tail);
        assert_eq!(here.finalize(), digest, "from the peer after {cut} bytes");
    }
    let mut state = H::new().serialize();
    state[200] = u8::try_from(block).expect("blocks are short");
    assert!(H::deserialize(&state).is_err(), "a whole block is not pending");
}

/// Batches of one length and of many, with a prefix, as records and as pairs.
fn many<H>()
where
    H: MultiDigest<Backend = Backend>,
    Backend: HasKernels<<H::Hash as HashFunction>::Compression>,
{
    let text = message(1, 5000);
    for backend in backends::<Backend>() {
        for len in lengths() {
            let messages: Vec<&[u8]> = (0..19).map(|i| &text[i..][..len]).collect();
            let digests: Vec<Output<H>> = messages.iter().map(H::digest).collect();
            for count in [1, 2, 3, 4, 5, 7, 8, 9, 19] {
                let mut out = vec![Output::<H>::default(); count];
                Lanes::<H>::new().on(backend).digest(&messages[..count], &mut out);
                assert_eq!(out, digests[..count], "{backend}, {count} of {len} bytes");
            }
        }
        for seed in 0..10 {
            let lens = message(seed, 80);
            let len = |i: usize| usize::from(lens[2 * i]) * usize::from(lens[2 * i + 1] % 9);
            let messages: Vec<&[u8]> = (0..40).map(|i| &text[i..][..len(i)]).collect();
            let digests: Vec<Output<H>> = messages.iter().map(H::digest).collect();
            let mut out = vec![Output::<H>::default(); messages.len()];
            Lanes::<H>::new().on(backend).digest(&messages, &mut out);
            assert_eq!(out, digests, "{backend}, seed {seed}");
        }
    }
    let messages: Vec<&[u8]> = (0..21).map(|i| &text[i..][..i * 13]).collect();
    let mut out = vec![Output::<H>::default(); messages.len()];
    for prefix in [0, 1, 71, 72, 136, 137, 200, 336] {
        Lanes::<H>::new().prefix(&text[..prefix]).digest(&messages, &mut out);
        for (message, digest) in messages.iter().zip(&out) {
            let whole = H::new_with_prefix(&text[..prefix]).chain_update(message);
            assert_eq!(*digest, whole.finalize(), "a prefix of {prefix} bytes");
        }
    }
    for width in [1, 32, 64, 135, 136, 137, 168] {
        Lanes::<H>::new().nodes(&text[..21 * width], width, &mut out);
        for (record, digest) in text.chunks(width).zip(&out) {
            assert_eq!(*digest, H::digest(record), "records of {width} bytes");
        }
    }
    let right: Vec<&[u8]> = messages.iter().rev().copied().collect();
    Lanes::<H>::new().pairs(&messages, &right, &mut out);
    for (i, digest) in out.iter().enumerate() {
        assert_eq!(*digest, H::digest([messages[i], right[i]].concat()), "pair {i}");
    }
}

/// Messages that take lanes as they come.
fn scheduled<H: MultiDigest>() {
    let messages: Vec<Vec<u8>> = (0..40).map(|i| message(i, (i * i * 61 % 599) as usize)).collect();
    let mut scheduler = Scheduler::<H, (usize, &[u8])>::new();
    for (i, message) in messages.iter().enumerate() {
        scheduler.submit((i, message));
    }
    let mut seen = 0;
    for (i, digest) in scheduler.drain() {
        let Ok(digest) = digest;
        assert_eq!(digest, H::digest(&messages[i]), "message {i}");
        seen += 1;
    }
    assert_eq!(seen, messages.len());
}

/// Digests of digests, which do not leave the lanes.
fn again<H: MultiDigest>() {
    let text = message(3, 400);
    let messages: Vec<&[u8]> = (0..21).map(|i| &text[i..][..17 * i]).collect();
    let mut out = vec![Output::<H>::default(); messages.len()];
    Lanes::<H>::new().double(&messages, &mut out);
    for (message, digest) in messages.iter().zip(&out) {
        assert_eq!(*digest, H::digest(H::digest(message)));
    }
    for prefix in [0, 5, 72, 104, 136, 144] {
        let prefix = &text[..prefix];
        let mut chained = out.clone();
        Lanes::<H>::new().prefix(prefix).chains(&mut chained, 3);
        for (digest, chained) in out.iter().zip(&chained) {
            let step = |digest: &Output<H>| H::new_with_prefix(prefix).chain_update(digest);
            let thrice = step(&step(&step(digest).finalize()).finalize()).finalize();
            assert_eq!(*chained, thrice, "a prefix of {} bytes", prefix.len());
        }
    }
}

/// FIPS 202's examples, and the hash of the empty string that every Ethereum client knows.
#[test]
fn known_answers() {
    let hex =
        |digest: &[u8]| -> String { digest.iter().map(|byte| format!("{byte:02x}")).collect() };
    assert_eq!(
        hex(&jlanes::Sha3_224::digest(b"abc")),
        "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"
    );
    assert_eq!(
        hex(&jlanes::Sha3_256::digest(b"")),
        "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"
    );
    assert_eq!(
        hex(&jlanes::Keccak256::digest(b"")),
        "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
    );
    assert_eq!(
        hex(&jlanes::Sha3_512::digest([0xa3; 200])),
        "e76dfad22084a8b1467fcf2ffa58361bec7628edf5f3fdc0e4805dc48caeeca8\
         1b7c13c30adf52a3659584739a2df46be589c51ca1a4a8416df6545a1ce8ba00"
    );
}

#[cfg(feature = "oid")]
#[test]
fn object_identifiers_are_the_peers() {
    use jlanes::digest::const_oid::AssociatedOid;
    assert_eq!(jlanes::Sha3_224::OID, sha3::Sha3_224::OID);
    assert_eq!(jlanes::Sha3_256::OID, sha3::Sha3_256::OID);
    assert_eq!(jlanes::Sha3_384::OID, sha3::Sha3_384::OID);
    assert_eq!(jlanes::Sha3_512::OID, sha3::Sha3_512::OID);
}

#[cfg(feature = "zeroize")]
#[test]
fn hashers_wipe_themselves() {
    use jlanes::digest::zeroize::ZeroizeOnDrop;
    fn check(hasher: impl ZeroizeOnDrop + Digest + Clone) {
        let hasher = hasher.chain_update(b"secret");
        drop(hasher.clone());
        assert_eq!(hasher.finalize()[..], sha3::Sha3_256::digest(b"secret")[..]);
    }
    check(jlanes::Sha3_256::new());
}
