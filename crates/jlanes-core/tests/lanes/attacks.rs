//! SHA-1 with detection: messages of collision attacks in lanes.

use digest::Digest;
use jlanes_core::{
    batch::{Start, list},
    engine::Engine,
    hash::Output,
    hashes::sha1::checked::{CheckedCompression, FLAGS, FOUND, Sha1WithFlags},
};
use jlanes_testing::{corpus, message};

use crate::called::On;

/// An attack in each lane, among messages that are harmless, shorter, and longer.
pub(crate) fn found_in_lanes<E: Engine<CheckedCompression>>(engine: E) {
    let known = corpus("sha1_collisions");
    for (record, count) in known.iter().flat_map(|record| [1, 3, 4, 9].map(|n| (record, n))) {
        let attack = record.message();
        let equal = message(9, attack.len());
        for (at, more) in (0..count).flat_map(|at| [0, 1, 64].map(|more| (at, more))) {
            let longer = [&equal[..], &message(10, more)].concat();
            let one = |i: usize| if i == at { &attack[..] } else { &longer };
            let mut out = vec![Output::<Sha1WithFlags>::default(); count];
            let start = Start::new();
            list::digest::<Sha1WithFlags, _, 1>(engine, &start, |i| [one(i)], &mut out);
            for (i, digest) in out.iter().enumerate() {
                let (digest, flags) = digest.split_at(4 * FLAGS);
                let found = u32::from(i == at) * FOUND;
                assert_eq!(flags, found.to_be_bytes(), "{} in {at}, {i} of {count}", record.name());
                if i == at {
                    assert_eq!(digest, record.hex("safe_hash_hex"), "{}", record.name());
                } else {
                    assert_eq!(digest, &sha1::Sha1::digest(one(i))[..], "{i} of {count}");
                }
            }
        }
    }
}

#[test]
fn attacks() {
    found_in_lanes(On::<4>::default());
}
