//! The grammar of names, and the algorithm of each name.

use jlanes::{
    Algorithm, AlgorithmError,
    algorithm::{Fixed, Key, Kind, S3Checksum, Strength},
    multi::Messages,
};
use proptest::prelude::*;

fn hash() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(Fixed::all().collect::<Vec<_>>()).prop_map(|hash| hash.to_string()),
        skein(),
    ]
}

fn skein() -> impl Strategy<Value = String> {
    let state = prop::sample::select(vec![256, 512, 1024]);
    (state, prop::option::of(1usize..200)).prop_map(|(state, bytes)| match bytes {
        Some(bytes) if 8 * bytes != state => format!("skein{state}-{}", 8 * bytes),
        _ => format!("skein{state}"),
    })
}

fn s3() -> impl Strategy<Value = S3Checksum> {
    prop::sample::select(S3Checksum::all().collect::<Vec<_>>())
}

/// Names in their shortest form.
fn name() -> impl Strategy<Value = String> {
    let raw = prop::sample::select(vec!["", "-raw"]);
    let pair = prop::sample::select(vec!["256", "512"]);
    prop_oneof![
        hash(),
        (skein(), 1u8.., 1u8.., 2u8..)
            .prop_map(|(skein, yl, yf, ym)| format!("{skein}-tree:{yl}.{yf}.{ym}")),
        (1..=256, hash(), raw.clone()).prop_map(|(j, hash, raw)| format!("jlanes{j}-{hash}{raw}")),
        (hash(), raw).prop_map(|(hash, raw)| format!("jpointers-{hash}{raw}")),
        (pair.clone(), 10..=16).prop_map(|(bits, log)| match log {
            12 => format!("fsverity-sha{bits}"),
            _ => format!("fsverity-sha{bits}-{}", 1 << log),
        }),
        pair.prop_map(|bits| format!("dmverity-sha{bits}")),
        s3().prop_map(|name| format!("s3-{name}")),
        (s3().prop_filter("a composite", |it| it.has_composite()), 1usize..)
            .prop_map(|(name, part)| format!("s3-{name}:{part}")),
        (1usize..).prop_map(|part| format!("etag:{part}")),
        (1usize..).prop_map(|leaf| format!("rfc6962-sha256:{leaf}")),
        (
            prop::sample::select(vec![
                "shake128",
                "shake256",
                "kt128",
                "kt256",
                "kmac128",
                "kmacxof256",
                "tuplehash256",
                "tuplehashxof128",
                "blake3"
            ]),
            65usize..500
        )
            .prop_map(|(name, bytes)| format!("{name}-{}", 8 * bytes)),
        (
            prop::sample::select(vec!["parallelhash128", "parallelhashxof256"]),
            65usize..500,
            1usize..
        )
            .prop_map(|(name, bytes, block)| format!("{name}-{}:{block}", 8 * bytes)),
        (1usize..).prop_map(|block| format!("parallelhash256:{block}")),
        prop::sample::select(vec![
            "kt128",
            "kt256",
            "kmac256",
            "kmacxof128",
            "tuplehash128",
            "mh-sha1",
            "mh-sha256",
            "btv2",
            "sha256tree",
            "glacier",
            "dropbox"
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #[test]
    fn names_round_trip_in_any_spelling(name in name(), upper: bool, underscore: bool) {
        let mut spelling = name.clone();
        if upper {
            spelling.make_ascii_uppercase();
        }
        if underscore {
            spelling = spelling.replace('-', "_");
        }
        let algorithm: Algorithm = spelling.parse().unwrap();
        prop_assert_eq!(algorithm.to_string(), name);
        prop_assert_eq!(algorithm.tag().parse(), Ok(algorithm));
        prop_assert!(!algorithm.tag().contains(|c: char| c.is_ascii_lowercase()));
    }

    #[test]
    fn no_string_panics(name in "\\PC*") {
        if let Ok(algorithm) = name.parse::<Algorithm>() {
            prop_assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
    }
}

#[test]
fn an_algorithm_is_as_strong_as_its_hash() {
    for (name, broken) in [
        ("md5", true),
        ("sha1", true),
        ("sha1dc", true),
        ("mh-sha1", true),
        ("dmverity-sha1", true),
        ("jlanes8-md5", true),
        ("jpointers-sha1-raw", true),
        ("etag:8m", true),
        ("ripemd160", false),
        ("sm3", false),
        ("sha512-224", false),
        ("keccak256full", false),
        ("skein256-tree:1.1.2", false),
        ("s3-sha256:8m", false),
        ("fsverity-sha512", false),
        ("shake128-8", false),
        ("blake2s", false),
        ("blake3", false),
    ] {
        let algorithm: Algorithm = name.parse().unwrap();
        let strength = if broken { Strength::Broken } else { Strength::CollisionResistant };
        assert_eq!(algorithm.strength(), strength, "{name}");
    }
    let keyed = "md5".parse::<Algorithm>().unwrap().with(Key::Hmac(b"key".to_vec())).unwrap();
    assert_eq!(keyed.strength(), Strength::CollisionResistant);
}

#[test]
fn names_that_others_use_are_taken() {
    for (spelling, name) in [
        ("SHA-256", "sha256"),
        ("sha-1", "sha1"),
        ("SHA2-384", "sha384"),
        ("SHA-512/256", "sha512-256"),
        ("sha2-512/224", "sha512-224"),
        ("RIPEMD-160", "ripemd160"),
        ("RMD160", "ripemd160"),
        ("MD-5", "md5"),
        ("SM-3", "sm3"),
        ("SHA-3-256", "sha3-256"),
        ("Keccak-256", "keccak256"),
        ("SHAKE-128-256", "shake128-256"),
        ("BLAKE-3", "blake3"),
        ("KT-128", "kt128"),
        ("Skein-512-256", "skein512-256"),
        ("jlanes8-SHA-256", "jlanes8-sha256"),
        ("jlanes8-Skein-512-256-raw", "jlanes8-skein512-256-raw"),
        ("K12", "kt128"),
        ("KangarooTwelve-512", "kt128-512"),
        ("BLAKE2b512", "blake2b"),
        ("blake2s128", "blake2s-128"),
        ("s3-sha256:8M", "s3-sha256:8388608"),
        ("S3-CRC64NVME", "s3-crc64nvme"),
        ("S3_XXHASH128:5g", "s3-xxhash128:5368709120"),
        ("rfc6962-sha256:64k", "rfc6962-sha256:65536"),
        ("parallelhash128:1g", "parallelhash128:1073741824"),
        ("fsverity-sha256-4K", "fsverity-sha256"),
    ] {
        let algorithm: Algorithm = spelling.parse().unwrap();
        assert_eq!(algorithm.to_string(), name, "{spelling}");
    }
    for name in [
        "sha-",
        "-sha256",
        "sha--256",
        "md--5",
        "jlanes-8-sha256k",
        "sha2-",
        "sha2-1",
        "sha-512/255",
        "s3-sha384",
        "s3-sha-256",
        "s3-xxh64",
        "s3-",
        "s3-sha256:k",
        "s3-sha256:8kk",
        "sha256k",
    ] {
        assert!(name.parse::<Algorithm>().is_err(), "{name}");
    }
    let error = "s3-sha256:17179869184g".parse::<Algorithm>();
    assert_eq!(error, Err(AlgorithmError::Number), "more than 64 bits");
}

#[test]
fn what_is_no_name_is_a_typed_error() {
    let error = |name: &str| name.parse::<Algorithm>().unwrap_err();
    for name in [
        "",
        "sha",
        "sha3",
        "sha256 ",
        "md4",
        "jlanes",
        "jlanes8",
        "jlanes8-btv2",
        "raw",
        "kt128:8",
        "kmac",
        "kmac512",
        "kmac128:8",
        "tuplehash",
    ] {
        assert_eq!(error(name), AlgorithmError::Unknown, "{name:?}");
    }
    for name in
        ["sha256-raw", "sha256-tree:1.1.2", "jlanes4-skein512-tree:1.1.2", "dmverity-sha384"]
    {
        error(name);
    }
    for name in [
        "jlanes08-sha1",
        "jlanes+8-sha1",
        "jlanes-sha1",
        "s3-sha256:",
        "s3-sha256:-1",
        "skein512-tree:1.1",
        "skein512-tree:1.1.2.3",
        "skein512-tree:1.1.256",
        "skein512-",
        "s3-sha256:99999999999999999999",
        "fsverity-sha256-",
        "shake128",
        "shake256-",
        "kt128-",
        "kmac128-",
        "parallelhash128",
        "parallelhash128-256",
        "parallelhash128:",
        "parallelhashxof256:01",
    ] {
        assert_eq!(error(name), AlgorithmError::Number, "{name}");
    }
    for name in
        ["etag:8MiB", "s3-sha256:8x", "fsverity-sha256-4kb", "parallelhash128:1-1", "s3-crc32:1 "]
    {
        assert_eq!(error(name), AlgorithmError::Unit, "{name}");
    }
    for name in ["etag:x", "etag:M", "etag:-8M"] {
        assert_eq!(error(name), AlgorithmError::Number, "{name}");
    }
    for name in ["skein512-0", "skein512-9", "shake128-0", "kt256-9"] {
        assert_eq!(error(name), AlgorithmError::OutputBits, "{name}");
    }
    for name in ["skein512-72057594037927936", "skein256-8388616", "jlanes2-skein512-8388616"] {
        assert_eq!(error(name), AlgorithmError::OutputTooLong, "{name}");
    }
    assert_eq!("skein256-8388608".parse().map(Algorithm::output_size), Ok(1 << 20));
    for name in ["jlanes0-sha1", "jlanes257-sha1"] {
        assert!(matches!(error(name), AlgorithmError::Lanes(_)), "{name}");
    }
    for name in
        ["skein512-tree:0.1.2", "skein512-tree:1.0.2", "skein512-tree:1.1.1", "skein512-tree:0.0.0"]
    {
        assert!(matches!(error(name), AlgorithmError::Tree(_)), "{name}");
    }
    assert_eq!(
        error("s3-crc64nvme:8m").to_string(),
        "S3 has crc64nvme of whole objects, without a size of parts"
    );
    for name in [
        "s3-crc32:0",
        "s3-sha256:0",
        "rfc6962-sha256:0",
        "fsverity-sha256-512",
        "fsverity-sha256-1000",
    ] {
        assert!(matches!(error(name), AlgorithmError::Size(_)), "{name}");
    }
}

#[test]
fn what_is_no_digest_says_so() {
    for (name, instead) in [
        ("jpointers-sha256", "jlanes::tree::JPointers"),
        ("jpointers-skein512-raw", "jlanes::tree::JPointersRaw"),
        ("btv2", "jlanes::merkle::BitTorrent"),
        ("dmverity-sha1", "jlanes::merkle::DmVerity"),
        ("s3-sha256:9", "jlanes::merkle::S3"),
        ("s3-crc32", "jlanes-files"),
        ("s3-xxhash128:9", "jlanes-files"),
        ("etag:9", "jlanes::merkle::ETag"),
        ("tuplehash256", "jlanes::algorithm::AnyHash::tuple_digest"),
    ] {
        let algorithm: Algorithm = name.parse().unwrap();
        let Err(error) = algorithm.hasher() else { panic!("{name} has a hasher") };
        let message = format!("{name} is no digest of a message; {instead} computes it");
        assert_eq!(error.to_string(), message);
        assert_eq!(algorithm.digest_into(b"", &mut []), Err(error));
    }
}

#[test]
fn s3_has_ten_checksums() {
    let mut sizes = Vec::new();
    for checksum in S3Checksum::all() {
        let whole: Algorithm = format!("s3-{checksum}").parse().unwrap();
        assert_eq!(whole.kind(), Kind::S3 { checksum, part: None });
        assert_eq!(whole.output_size(), checksum.output_size());
        sizes.push(checksum.output_size());
        // a hash of the whole object is that hash under another name
        let Some(hash) = checksum.hash() else {
            assert_eq!(whole.strength(), Strength::Checksum, "{checksum}");
            assert!(whole.hasher().is_err(), "{checksum}");
            continue;
        };
        let hash = hash.to_string().parse::<Algorithm>().unwrap();
        assert_eq!((hash.output_size(), hash.strength()), (whole.output_size(), whole.strength()));
        let messages = [&b"one"[..], b"another"];
        let digests = |it: Algorithm| it.lanes().unwrap().digests(Messages::slices(&messages));
        assert_eq!(digests(whole), digests(hash), "{checksum}");
        let key = whole.with(Key::Hmac(b"key".to_vec()));
        assert!(key.is_err(), "{checksum}");
    }
    sizes.sort_unstable();
    assert_eq!(sizes, [4, 4, 8, 8, 8, 16, 16, 20, 32, 64]);
}

#[test]
fn a_digest_needs_its_room() {
    for name in ["sha256", "blake3", "blake2s", "skein512-256", "fsverity-sha256", "kt128"] {
        let algorithm: Algorithm = name.parse().unwrap();
        let panics = std::panic::catch_unwind(|| algorithm.digest_into(b"abc", &mut [0; 31]));
        assert!(panics.is_err(), "{name}");
        let (mut hasher, mut digest) = (algorithm.hasher().unwrap(), [0; 32]);
        hasher.update(b"abc");
        assert!(hasher.finalize_into_reset(&mut [0; 31]).is_err(), "{name}");
        algorithm.digest_into(b"abc", &mut digest).unwrap();
        assert_eq!(*hasher.finalize(), digest, "{name}: the message is still there");
    }
}

#[test]
#[cfg(feature = "sha1dc")]
#[should_panic(expected = "a digest and flags")]
fn outputs_of_another_length_are_no_results() {
    let _ = jlanes::algorithm::Sha1Results::result(&[0; 20]);
}

#[test]
fn blocks_are_those_of_the_hash_at_work() {
    for (name, bytes) in [
        ("sha1", 64),
        ("sha512-256", 128),
        ("skein1024-256", 128),
        ("skein256-tree:1.1.255", 32),
        ("jlanes8-sha384", 128),
        ("jpointers-skein512", 64),
        ("fsverity-sha512", 128),
        ("dmverity-sha1", 64),
        ("mh-sha1", 64),
        ("btv2", 64),
    ] {
        assert_eq!(name.parse::<Algorithm>().unwrap().block_size(), bytes, "{name}");
    }
}
