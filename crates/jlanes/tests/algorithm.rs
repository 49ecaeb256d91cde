//! Algorithms by name: the grammar, and that each name is the type that it stands for.

#![allow(clippy::unwrap_used, reason = "a failing helper is a failing test")]

use std::io::{self, ErrorKind, Read};

use jlanes::{
    Algorithm, AlgorithmError, Backend, Digest, Md5, Ripemd160, Sha1, Sha256, Sha384, Sha512,
    Sha512_256, Sm3,
    digest::consts::{U4, U32, U33, U130},
    merkle,
    skein::{Skein256, Skein512, Skein1024, SkeinConfig, TreeParams},
    tree::{GenericJLanes, GenericJLanesRaw, JLanes, JLanesRaw, MhSha1, MhSha256},
};
use jlanes_core::reference;
use jlanes_testing::{backends, message};
use proptest::prelude::*;

fn hash() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "md5",
            "ripemd160",
            "sm3",
            "sha1",
            "sha224",
            "sha256",
            "sha384",
            "sha512",
            "sha512-224",
            "sha512-256",
            "sha3-224",
            "sha3-512",
            "keccak256",
        ])
        .prop_map(str::to_owned),
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
        (1usize..).prop_map(|part| format!("s3-sha256:{part}")),
        (1usize..).prop_map(|leaf| format!("rfc6962-sha256:{leaf}")),
        (prop::sample::select(vec!["shake128", "shake256", "kt128", "kt256"]), 65usize..500)
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
            "mh-sha1",
            "mh-sha256",
            "btv2",
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
fn what_is_no_name_is_a_typed_error() {
    let error = |name: &str| name.parse::<Algorithm>().unwrap_err();
    for name in
        ["", "sha", "sha3", "sha256 ", "md4", "jlanes", "jlanes8", "jlanes8-btv2", "raw", "kt128:8"]
    {
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
        "parallelhash128",
        "parallelhash128-256",
        "parallelhash128:",
        "parallelhashxof256:01",
    ] {
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
    for name in ["s3-sha256:0", "rfc6962-sha256:0", "fsverity-sha256-512", "fsverity-sha256-1000"] {
        assert!(matches!(error(name), AlgorithmError::Size(_)), "{name}");
    }
}

#[test]
fn what_is_no_digest_says_so() {
    for name in
        ["jpointers-sha256", "jpointers-skein512-raw", "btv2", "dmverity-sha1", "s3-sha256:9"]
    {
        let algorithm: Algorithm = name.parse().unwrap();
        let Err(error) = algorithm.hasher() else { panic!("{name} has a hasher") };
        assert_eq!(error.to_string(), format!("{name} is no digest of a message"));
    }
}

/// Expects that `name` digests as `digest` does, on every backend, in pieces, and again after
/// resets.
fn check(name: &str, digest: impl Fn(&[u8]) -> Vec<u8>) {
    let algorithm: Algorithm = name.parse().unwrap();
    for len in [0, 1, 63, 64, 200, 4096, 40_000] {
        let data = message(7, len);
        let expected = digest(&data);
        assert_eq!(expected.len(), algorithm.output_size(), "{name}");
        let mut plain = algorithm.hasher().unwrap();
        let finished = std::thread::spawn({
            let data = data.clone();
            move || {
                plain.update(&data);
                plain.finalize()
            }
        });
        assert_eq!(*finished.join().unwrap(), *expected, "{name}, {len} bytes");
        for backend in backends::<Backend>() {
            let mut hasher = algorithm.hasher_on(backend).unwrap();
            hasher.update(b"forgotten");
            hasher.reset();
            for piece in data.chunks(77) {
                hasher.update(piece);
            }
            let twin = hasher.box_clone();
            assert_eq!(*hasher.finalize_reset(), *expected, "{name}, {len} bytes, {backend}");
            assert_eq!(*twin.finalize(), *expected, "{name}, {len} bytes, {backend}, cloned");
            hasher.update(&data);
            assert_eq!(*hasher.finalize(), *expected, "{name}, {len} bytes, {backend}, again");
        }
    }
}

fn by<D: Digest>(data: &[u8]) -> Vec<u8> {
    D::digest(data).to_vec()
}

#[test]
fn hashes_are_their_types() {
    check("sha1", by::<sha1::Sha1>);
    check("sha256", by::<sha2::Sha256>);
    check("sha384", by::<sha2::Sha384>);
    check("sha512-256", by::<sha2::Sha512_256>);
    check("md5", by::<md5::Md5>);
    check("ripemd160", by::<ripemd::Ripemd160>);
    check("rmd160", by::<ripemd::Ripemd160>);
    check("sm3", by::<sm3::Sm3>);
    check("skein256", by::<Skein256>);
    check("skein512-264", by::<Skein512<U33>>);
    check("skein1024-32", by::<Skein1024<U4>>);
}

#[test]
fn sha3_and_its_relatives_are_their_types() {
    check("sha3-224", by::<sha3::Sha3_224>);
    check("sha3-256", by::<sha3::Sha3_256>);
    check("sha3-384", by::<sha3::Sha3_384>);
    check("sha3-512", by::<sha3::Sha3_512>);
    check("keccak224", by::<sha3::Keccak224>);
    check("keccak256", by::<sha3::Keccak256>);
    check("keccak384", by::<sha3::Keccak384>);
    check("keccak512", by::<sha3::Keccak512>);
    let xof = |f: fn(&[u8], &mut [u8]), bytes| {
        move |data: &[u8]| {
            let mut out = vec![0; bytes];
            f(data, &mut out);
            out
        }
    };
    check("shake128-256", xof(reference::shake128, 32));
    check("shake256-1600", xof(reference::shake256, 200));
    check("kt128", xof(|data, out| reference::kt128(data, b"", out), 32));
    check("kt256", xof(|data, out| reference::kt256(data, b"", out), 64));
    check("parallelhash128:7", |data| {
        let mut out = vec![0; 32];
        reference::parallelhash128(data, 7, b"", &mut out);
        out
    });
    check("parallelhash256-800:100", |data| {
        let mut out = vec![0; 100];
        reference::parallelhash256(data, 100, b"", &mut out);
        out
    });
    check("parallelhashxof128-8:1000", |data| {
        let mut out = vec![0; 1];
        reference::parallelhashxof128(data, 1000, b"", &mut out);
        out
    });
    check("parallelhashxof256:1", |data| {
        let mut out = vec![0; 64];
        reference::parallelhashxof256(data, 1, b"", &mut out);
        out
    });
    check("kt128-8", xof(|data, out| reference::kt128(data, b"", out), 1));
    check("jlanes3-sha3-256", |data| {
        let mut hasher = GenericJLanes::<sha3::Sha3_256>::new(3, 8).unwrap();
        hasher.update(data);
        hasher.finalize().to_vec()
    });
    check("jlanes9-keccak512-raw", |data| {
        let mut hasher = GenericJLanesRaw::<sha3::Keccak512>::new(9, 8).unwrap();
        hasher.update(data);
        hasher.finalize().to_vec()
    });
}

#[test]
fn trees_are_their_types() {
    check("jlanes1-sha1", by::<JLanes<Sha1, 1>>);
    check("jlanes8-sha256", by::<JLanes<Sha256, 8>>);
    check("jlanes17-sha512-256-raw", by::<JLanesRaw<Sha512_256, 17>>);
    check("jlanes4-skein512", by::<JLanes<Skein512, 4>>);
    check("jlanes4-skein512-256", by::<JLanes<Skein512<U32>, 4>>);
    check("mh-sha1", by::<MhSha1>);
    check("mh-sha256", by::<MhSha256>);
    check("glacier", |data| merkle::glacier(data).unwrap().to_vec());
    check("dropbox", |data| merkle::dropbox(data).unwrap().to_vec());
    check("fsverity-sha512-1024", |data| {
        merkle::fsverity::<Sha512>(data, 1024, b"").unwrap().to_vec()
    });
    check("rfc6962-sha256:100", |data| merkle::rfc6962::<Sha256>(data, 100).unwrap().to_vec());
    let tree = TreeParams::new(1, 2, 3).unwrap();
    let config = SkeinConfig::<Skein256>::builder().tree(tree).output_bits(264).build().unwrap();
    check("skein256-264-tree:1.2.3", |data| config.hash(data).into_vec());
    check("jlanes5-sha384", by::<JLanes<Sha384, 5>>);
    check("jlanes40-md5", by::<JLanes<Md5, 40>>);
    check("jlanes32-md5-raw", by::<JLanesRaw<Md5, 32>>);
    check("jlanes7-ripemd160", by::<JLanes<Ripemd160, 7>>);
    check("jlanes16-sm3", by::<JLanes<Sm3, 16>>);
}

/// Lengths of output that no vector code is compiled for, against a hasher a lane of any digest.
#[test]
fn lanes_over_skein_take_any_length_of_output() {
    let lanes = |j, data: &[u8]| {
        let mut hasher = GenericJLanes::<Skein512<U33>>::new(j, 8).unwrap();
        hasher.update(data);
        hasher.finalize().to_vec()
    };
    check("jlanes3-skein512-264", |data| lanes(3, data));
    check("jlanes256-skein512-264", |data| lanes(256, data));
    check("jlanes2-skein256-1040-raw", |data| {
        let mut hasher = GenericJLanesRaw::<Skein256<U130>>::new(2, 8).unwrap();
        hasher.update(data);
        hasher.finalize().to_vec()
    });
}

#[cfg(feature = "blake2")]
#[test]
fn blake2_has_any_length_and_gnus_tags() {
    use jlanes_core::reference::{Blake2, blake2b, blake2s};

    for (name, tag, size) in [
        ("blake2b", "BLAKE2b", 64),
        ("blake2b-8", "BLAKE2b-8", 1),
        ("blake2b-256", "BLAKE2b-256", 32),
        ("blake2b-264", "BLAKE2b-264", 33),
        ("blake2s", "BLAKE2s", 32),
        ("blake2s-128", "BLAKE2s-128", 16),
    ] {
        let algorithm: Algorithm = name.parse().unwrap();
        assert_eq!((algorithm.to_string(), algorithm.tag()), (name.to_owned(), tag.to_owned()));
        for spelling in [tag.to_owned(), tag.to_ascii_uppercase(), tag.replace('-', "_")] {
            assert_eq!(spelling.parse(), Ok(algorithm), "{spelling}");
        }
        let reference = if name.contains("2b") { blake2b } else { blake2s };
        let digest = |data: &[u8]| {
            let mut digest = vec![0; size];
            reference(&Blake2::default(), data, &mut digest);
            digest
        };
        check(name, digest);
        let lanes = algorithm.lanes().unwrap();
        let mut digests = vec![0; 2 * size];
        let messages = jlanes::multi::Messages::offsets(b"onetwo", &[0, 3, 6]).unwrap();
        lanes.digest(messages, &mut digests);
        assert_eq!(digests, [digest(b"one"), digest(b"two")].concat(), "{name}");
    }
    assert_eq!("blake2b-512".parse::<Algorithm>().map(|a| a.to_string()), Ok("blake2b".to_owned()));
    let error = |name: &str| name.parse::<Algorithm>().unwrap_err();
    for name in ["blake2", "blake2x", "blake2bp", "blake2b512"] {
        assert_eq!(error(name), AlgorithmError::Unknown, "{name}");
    }
    for name in ["blake2b-0", "blake2s-9"] {
        assert_eq!(error(name), AlgorithmError::OutputBits, "{name}");
    }
    for name in ["blake2b-", "blake2b-08", "blake2s-x"] {
        assert_eq!(error(name), AlgorithmError::Number, "{name}");
    }
    assert_eq!(error("blake2b-520"), AlgorithmError::LongerThan(512));
    assert_eq!(error("blake2s-264"), AlgorithmError::LongerThan(256));
}

#[test]
fn copies_of_hashers_go_on_by_themselves_on_other_threads() {
    let data = message(7, 100_000);
    for name in [
        "sha256",
        "skein512-160",
        "skein256-tree:1.1.255",
        "jlanes3-sha512",
        "mh-sha1",
        "jlanes3-skein512-136",
        "fsverity-sha256",
        "glacier",
    ] {
        let algorithm: Algorithm = name.parse().unwrap();
        let mut hasher = algorithm.hasher_on(Backend::detect()).unwrap();
        hasher.update(&data[..70_000]);
        let mut copy = hasher.clone_box();
        hasher.update(b"what the copy does not see");
        let tail = &data[70_000..];
        let copied = std::thread::scope(|scope| {
            let other = scope.spawn(move || {
                copy.update(tail);
                copy.finalize()
            });
            other.join().unwrap()
        });
        let mut whole = algorithm.hasher().unwrap();
        whole.update(&data);
        assert_eq!(copied, whole.finalize(), "{name}");
        assert_ne!(copied, hasher.finalize(), "{name}");
    }
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

#[test]
fn readers_have_the_digests_of_what_they_read() {
    struct Slow<'a>(&'a [u8], usize);
    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            match self.1 % 3 {
                0 => Err(ErrorKind::Interrupted.into()),
                _ if self.0.is_empty() && self.1 > 1_000_000 => Err(ErrorKind::TimedOut.into()),
                _ => {
                    let len = buffer.len().min(777);
                    self.0.read(&mut buffer[..len])
                }
            }
        }
    }
    let messages: Vec<_> = (0..60).map(|i| message(i, 1500 * i as usize % 40_009)).collect();
    for name in ["sha1", "sha512", "skein512-136", "jlanes2-sha256", "glacier"] {
        for backend in backends::<Backend>() {
            let algorithm: Algorithm = name.parse().unwrap();
            let lanes = algorithm.lanes().unwrap().on(backend).prefix(b"which readers do not have");
            // the last one fails
            let readers = messages.iter().map(|m| Slow(m, 0)).chain([Slow(b"", 1_000_000)]);
            let mut digests = vec![None; messages.len() + 1];
            lanes.digest_readers(readers.map(|reader| Box::new(reader) as _), |i, digest| {
                let digest = digest.map(<[u8]>::to_vec).map_err(|error| error.kind());
                assert_eq!(digests[i].replace(digest), None, "{name}: twice");
            });
            assert_eq!(digests.pop().unwrap(), Some(Err(ErrorKind::TimedOut)));
            for (message, digest) in messages.iter().zip(digests) {
                let mut hasher = algorithm.hasher_on(Backend::portable()).unwrap();
                hasher.update(message);
                assert_eq!(digest.unwrap().unwrap(), *hasher.finalize(), "{name} on {backend}");
            }
        }
    }
}

/// Algorithms without a type that has lanes: lengths of output that are unusual, XOFs, trees.
const OTHERS: [&str; 10] = [
    "blake2b-8",
    "blake2b-160",
    "blake2s-128",
    "shake128-256",
    "shake256-4000",
    "kt128",
    "kt256-80",
    "skein512-160",
    "skein1024-2048",
    "jlanes3-sha256",
];

#[test]
fn many_messages_have_their_own_digests() {
    let texts: Vec<_> = (0..150).map(|i| message(i, 977 * i as usize % 1201)).collect();
    let texts: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
    for name in OTHERS {
        let algorithm: Algorithm = name.parse().unwrap();
        for prefix in [&b""[..], b"prefix"] {
            let expected: Vec<_> = texts
                .iter()
                .flat_map(|text| {
                    let mut hasher = algorithm.hasher_on(Backend::portable()).unwrap();
                    hasher.update(prefix);
                    hasher.update(text);
                    hasher.finalize()
                })
                .collect();
            for backend in backends::<Backend>() {
                let lanes = algorithm.lanes().unwrap().on(backend).prefix(prefix);
                let mut digests = vec![0; expected.len()];
                lanes.digest(jlanes::multi::Messages::slices(&texts), &mut digests);
                assert!(digests == expected, "{name} on {backend}");
                #[cfg(feature = "rayon")]
                {
                    digests.fill(0);
                    lanes.parallel().digest(jlanes::multi::Messages::slices(&texts), &mut digests);
                    assert!(digests == expected, "{name} on {backend}, parallel");
                }
            }
        }
    }
}

/// PBKDF2 written out, by HMAC on one message at a time.
#[test]
fn keys_are_derived_with_outputs_of_any_length() {
    for name in ["skein256-160", "skein512-512"] {
        let algorithm: Algorithm = name.parse().unwrap();
        let (lanes, size) = (algorithm.lanes().unwrap(), algorithm.output_size());
        let hmac = |password: &[u8], text: &[u8]| {
            let mut tag = vec![0; size];
            lanes.hmac(password, jlanes::multi::Messages::slices(&[text]), &mut tag).unwrap();
            tag
        };
        let (passwords, salts) = ([&b"one"[..], b"", &[7; 200]], [&b"salt"[..], b"pepper", b""]);
        let width = size + 3;
        let mut keys = vec![0; 3 * width];
        let [all_passwords, all_salts] =
            [&passwords, &salts].map(|all| jlanes::multi::Messages::slices(all));
        lanes.pbkdf2(all_passwords, all_salts, 3, width, &mut keys).unwrap();
        for ((password, salt), key) in passwords.iter().zip(salts).zip(keys.chunks(width)) {
            for (number, part) in (1u32..).zip(key.chunks(size)) {
                let first = hmac(password, &[salt, &number.to_be_bytes()].concat());
                let second = hmac(password, &first);
                let third = hmac(password, &second);
                let sum = (0..size).map(|i| first[i] ^ second[i] ^ third[i]);
                assert!(sum.zip(part).all(|(sum, byte)| sum == *byte), "{name}, part {number}");
            }
        }
    }
}

#[cfg(feature = "blake2")]
#[test]
fn blake2_has_a_key_of_its_own() {
    let texts: Vec<_> = (0..100).map(|i| message(i, 13 * i as usize)).collect();
    let texts: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
    for (name, longest) in
        [("blake2b", 64), ("blake2b-200", 64), ("blake2s", 32), ("blake2s-8", 32)]
    {
        let algorithm: Algorithm = name.parse().unwrap();
        let jlanes::algorithm::Kind::Blake2(blake2) = algorithm.kind() else { panic!("{name}") };
        let size = algorithm.output_size();
        for key_len in [1, longest] {
            let key = message(5, key_len);
            for backend in backends::<Backend>() {
                let lanes = algorithm.lanes().unwrap().on(backend).keyed(&key).unwrap();
                let lanes = lanes.prefix(b"prefix");
                let mut tags = vec![0; size * texts.len()];
                lanes.digest(jlanes::multi::Messages::slices(&texts), &mut tags);
                for (text, tag) in texts.iter().zip(tags.chunks(size)) {
                    let mut hasher = blake2.hasher_on(Some(&key), Backend::portable());
                    hasher.update(b"prefix");
                    hasher.update(text);
                    assert_eq!(tag, &*hasher.finalize(), "{name} on {backend}");
                }
                lanes.digest_readers([Box::new(texts[9]) as _].into_iter(), |_, tag| {
                    let mut hasher = blake2.hasher_on(Some(&key), Backend::portable());
                    hasher.update(texts[9]);
                    assert_eq!(tag.unwrap(), &*hasher.finalize(), "{name} on {backend}");
                });
                assert!(
                    lanes.hmac(&key, jlanes::multi::Messages::slices(&texts), &mut tags).is_err()
                );
            }
        }
        let lanes = algorithm.lanes().unwrap();
        assert!(lanes.clone().keyed(b"").is_err());
        assert!(lanes.keyed(&vec![0; longest + 1]).is_err());
    }
    assert!(Algorithm::SHA256.lanes().unwrap().keyed(b"key").is_err());
}
