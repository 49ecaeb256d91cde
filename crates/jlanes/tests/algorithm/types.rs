//! Hashers by name are the types that the names stand for.

use jlanes::{
    Algorithm, AlgorithmError, Backend, Digest, Md5, Ripemd160, Sha1, Sha256, Sha384, Sha512_256,
    Sm3,
    digest::consts::{U4, U32, U33, U130},
    merkle::{Dropbox, Format, FsVerity, Glacier, Rfc6962, Sha256Tree},
    skein::{Skein256, Skein512, Skein1024, SkeinConfig, TreeParams},
    tree::{GenericJLanes, GenericJLanesRaw, JLanes, JLanesRaw, MhSha1, MhSha256},
};
use jlanes_reference as reference;
use jlanes_testing::{backends, message};

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
        let mut at_once = vec![0xee; expected.len()];
        algorithm.digest_into(&data, &mut at_once).unwrap();
        assert_eq!(at_once, expected, "{name}, {len} bytes at once");
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
    check("keccak256full", by::<sha3::Keccak256Full>);
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
    check("jlanes5-keccak256full", |data| {
        let mut hasher = GenericJLanes::<sha3::Keccak256Full>::new(5, 8).unwrap();
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
    check("sha256tree", |data| Sha256Tree::default().digest(data).unwrap().to_vec());
    check("glacier", |data| Glacier.digest(data).unwrap().to_vec());
    check("dropbox", |data| Dropbox.digest(data).unwrap().to_vec());
    check("fsverity-sha512-1024", |data| {
        FsVerity::sha512(1024, b"").unwrap().digest(data).unwrap().to_vec()
    });
    check("rfc6962-sha256:100", |data| {
        Rfc6962::chunks::<Sha256>(100).unwrap().digest(data).unwrap().to_vec()
    });
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

#[test]
fn blake2_has_any_length_and_gnus_tags() {
    use jlanes_reference::{Blake2, blake2b, blake2s};

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
    for name in ["blake2", "blake2x", "blake2bp", "blake2bx512"] {
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
        "sha256tree",
        "glacier",
    ] {
        let algorithm: Algorithm = name.parse().unwrap();
        let mut hasher = algorithm.hasher_on(Backend::detect()).unwrap();
        hasher.update(&data[..70_000]);
        let mut copy = hasher.clone();
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
