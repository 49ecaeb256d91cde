//! Project Wycheproof's vectors for HMAC and PBKDF2, in batches: right tags and keys, changed tags, and
//! truncated tags.

#![allow(clippy::unwrap_used)] // the helpers too are tests

use jlanes::{Algorithm, Backend, algorithm::AnyLanes, multi::Messages};
use wycheproof::{TestResult, mac, pbkdf2};

const HMAC: [(mac::TestName, &str); 12] = [
    (mac::TestName::HmacSha1, "sha1"),
    (mac::TestName::HmacSha224, "sha224"),
    (mac::TestName::HmacSha256, "sha256"),
    (mac::TestName::HmacSha384, "sha384"),
    (mac::TestName::HmacSha512, "sha512"),
    (mac::TestName::HmacSha512_224, "sha512-224"),
    (mac::TestName::HmacSha512_256, "sha512-256"),
    (mac::TestName::HmacSha3_224, "sha3-224"),
    (mac::TestName::HmacSha3_256, "sha3-256"),
    (mac::TestName::HmacSha3_384, "sha3-384"),
    (mac::TestName::HmacSha3_512, "sha3-512"),
    (mac::TestName::HmacSm3, "sm3"),
];

const PBKDF2: [(pbkdf2::TestName, &str); 5] = [
    (pbkdf2::TestName::Pbkdf2HmacSha1, "sha1"),
    (pbkdf2::TestName::Pbkdf2HmacSha224, "sha224"),
    (pbkdf2::TestName::Pbkdf2HmacSha256, "sha256"),
    (pbkdf2::TestName::Pbkdf2HmacSha384, "sha384"),
    (pbkdf2::TestName::Pbkdf2HmacSha512, "sha512"),
];

fn lanes(name: &str) -> AnyLanes {
    let algorithm: Algorithm = name.parse().expect("a name of the table");
    algorithm.lanes().expect("a hash")
}

#[test]
fn hmac() {
    let mut tried = [0; 2];
    for (set, name) in HMAC {
        let set = mac::TestSet::load(set).unwrap();
        let groups = set.test_groups.iter();
        let tests: Vec<_> = groups
            .flat_map(|group| group.tests.iter().map(move |test| (test, group.tag_size / 8)))
            .collect();
        let keys: Vec<&[u8]> = tests.iter().map(|(test, _)| &test.key[..]).collect();
        let messages: Vec<&[u8]> = tests.iter().map(|(test, _)| &test.msg[..]).collect();
        for backend in Backend::available() {
            let lanes = lanes(name).on(backend);
            let mut tags = vec![0; tests.len() * lanes.output_size()];
            lanes
                .hmac_keyed(Messages::slices(&keys), Messages::slices(&messages), &mut tags)
                .unwrap();
            for ((test, size), tag) in tests.iter().zip(tags.chunks(lanes.output_size())) {
                let is_right = tag.get(..*size) == Some(&test.tag[..]);
                let valid = test.result == TestResult::Valid;
                assert_eq!(
                    is_right, valid,
                    "{name} on {backend}: test {}, {}",
                    test.tc_id, test.comment
                );
                tried[usize::from(valid)] += 1;
            }
        }
    }
    assert!(tried.iter().all(|count| *count > 500), "wrong and right ones: {tried:?}");
}

/// The largest number of rounds in RFC 6070.
const MAX_ROUNDS: usize = 1 << 24;

#[test]
fn pbkdf2() {
    keys(|rounds| rounds != MAX_ROUNDS);
}

#[test]
#[ignore = "takes half a minute"]
fn pbkdf2_of_many_rounds() {
    keys(|rounds| rounds == MAX_ROUNDS);
}

/// Compares the keys of the tests with numbers of rounds that satisfy `which`; there must be at least
/// one.
fn keys(which: impl Fn(usize) -> bool) {
    let mut tried = 0;
    for (set, name) in PBKDF2 {
        let set = pbkdf2::TestSet::load(set).unwrap();
        let mut tests: Vec<_> = set.test_groups.iter().flat_map(|group| &group.tests).collect();
        assert!(tests.iter().all(|test| test.result == TestResult::Valid));
        tests.retain(|test| which(test.iteration_count));
        tried += tests.len();
        tests.sort_by_key(|test| (test.iteration_count, test.dk_len));
        for alike in
            tests.chunk_by(|a, b| (a.iteration_count, a.dk_len) == (b.iteration_count, b.dk_len))
        {
            let passwords: Vec<&[u8]> = alike.iter().map(|test| &test.password[..]).collect();
            let salts: Vec<&[u8]> = alike.iter().map(|test| &test.salt[..]).collect();
            let (rounds, width) = (alike[0].iteration_count.try_into().unwrap(), alike[0].dk_len);
            let mut keys = vec![0; alike.len() * width];
            lanes(name)
                .pbkdf2(
                    Messages::slices(&passwords),
                    Messages::slices(&salts),
                    rounds,
                    width,
                    &mut keys,
                )
                .unwrap();
            for (test, key) in alike.iter().zip(keys.chunks(width)) {
                assert_eq!(key, &test.dk[..], "{name}: test {}, {}", test.tc_id, test.comment);
            }
        }
    }
    assert!(tried > 0, "no keys");
}
