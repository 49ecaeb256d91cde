//! Tests of parameters: each algorithm takes its own and refuses others, and hashers, lanes and schedulers agree
//! with the types.

use jlanes::{
    Algorithm, Backend, Blake2bVar, Blake2sVar, Digest, Sha1,
    algorithm::{AnyHash, Blake2, Blake3, Key, ParameterError, Parameters, Skein, Xof},
    digest::{ExtendableOutput, Update},
    merkle::{self, DmVerity, Format, FsVerity, Version},
    multi::Messages,
    skein::{Skein256, SkeinConfig, TreeParams},
    tree::{Kt128, MhSha1, MhSha256},
};
use jlanes_testing::message;

fn algorithm(name: &str) -> Algorithm {
    name.parse().unwrap()
}

/// Checks all ways to hash against `digest`.
fn check(hash: &AnyHash, digest: impl Fn(&[u8]) -> Vec<u8>) {
    let texts: Vec<_> = (0..20).map(|i| message(i, 431 * i as usize)).collect();
    let texts: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
    let expected: Vec<_> = texts.iter().map(|text| digest(text)).collect();
    for backend in [Backend::detect(), Backend::portable()] {
        let lanes = hash.lanes().unwrap().on(backend);
        assert_eq!(lanes.digests(Messages::slices(&texts)), expected.concat(), "{hash:?}");
        let mut hasher = hash.hasher_on(backend).unwrap();
        for (text, expected) in texts.iter().zip(&expected) {
            hasher.update(text);
            assert_eq!(*hasher.finalize_reset(), **expected, "{hash:?}");
        }
        let mut scheduler = lanes.scheduler();
        texts.iter().copied().enumerate().for_each(|text| scheduler.submit(text));
        while !scheduler.is_empty() {
            for (i, digest) in scheduler.step() {
                assert_eq!(*digest.unwrap(), *expected[i], "{hash:?}");
            }
        }
    }
}

#[test]
fn blake2_with_salt_and_personalization() {
    let (salt, person) = (b"salt", b"person");
    let given = Parameters::<Blake2>::new()
        .key(b"key".to_vec())
        .salt(salt.to_vec())
        .personalization(person.to_vec());
    check(&algorithm("blake2b-160").with(given.clone()).unwrap(), |text| {
        let hasher =
            Blake2bVar::with_params(Backend::detect(), 20, Some(b"key"), salt, person).unwrap();
        let mut out = vec![0; 20];
        hasher.chain(text).finalize_variable(&mut out).unwrap();
        out
    });
    check(&algorithm("blake2s").with(given).unwrap(), |text| {
        let hasher =
            Blake2sVar::with_params(Backend::detect(), 32, Some(b"key"), salt, person).unwrap();
        let mut out = vec![0; 32];
        hasher.chain(text).finalize_variable(&mut out).unwrap();
        out
    });
    let long = Parameters::<Blake2>::new().salt(vec![1; 9]);
    let blake2s = algorithm("blake2s");
    assert_eq!(blake2s.with(long.clone()), Err(ParameterError::TooLong(blake2s)));
    assert!(algorithm("blake2b").with(long).is_ok());
}

#[test]
fn skein_with_all_arguments() {
    let given = Parameters::<Skein>::new()
        .key(b"key".to_vec())
        .personalization(b"person".to_vec())
        .public_key(Vec::new())
        .key_id(b"id".to_vec())
        .nonce(b"nonce".to_vec());
    let builder = SkeinConfig::<Skein256>::builder()
        .key(b"key")
        .personalization(b"person")
        .public_key(b"")
        .key_id(b"id")
        .nonce(b"nonce");
    let config = builder.clone().build().unwrap();
    check(&algorithm("skein256").with(given.clone()).unwrap(), |text| config.hash(text).into());
    let config = builder.tree(TreeParams::new(1, 2, 3).unwrap()).build().unwrap();
    let tree = algorithm("skein256-tree:1.2.3").with(given).unwrap();
    check(&tree, |text| config.hash(text).into());
    #[cfg(feature = "rayon")]
    {
        let text = message(1, 1 << 20);
        let mut hasher = tree.hasher_on(Backend::detect()).unwrap();
        hasher.update(&text[..1000]);
        hasher.par_update(&text[1000..1 << 19]);
        hasher.update(&text[1 << 19..]);
        assert_eq!(hasher.finalize(), config.hash(&text));
    }
}

#[test]
fn customization() {
    let given = Parameters::<Xof>::new().customization(b"my application".to_vec());
    let hash = algorithm("kt128-400").with(given).unwrap();
    let digest = |text: &[u8]| {
        let mut out = vec![0; 50];
        Kt128::with_backend(Backend::detect(), b"my application")
            .chain(text)
            .finalize_xof_into(&mut out);
        out
    };
    check(&hash, digest);
    let mut xofs = hash.lanes().unwrap().xofs(Messages::slices(&[b"text"])).unwrap();
    let mut out = [[0; 50]];
    xofs.squeeze(&mut out);
    assert_eq!(out[0], *digest(b"text"));
}

#[test]
fn trees() {
    let salted = Parameters::<FsVerity>::new().salt(b"salt".to_vec()).block_size(1024);
    for (name, is_sha512) in [("fsverity-sha256", false), ("fsverity-sha512", true)] {
        let hash = algorithm(name).with(salted.clone()).unwrap();
        assert_eq!(hash.algorithm().to_string(), format!("{name}-1024"));
        check(&hash, |text| match is_sha512 {
            true => FsVerity::sha512(1024, b"salt").unwrap().digest(text).unwrap().to_vec(),
            false => FsVerity::sha256(1024, b"salt").unwrap().digest(text).unwrap().to_vec(),
        });
    }
    let in_memory = Parameters::memory_order;
    check(&algorithm("mh-sha1").with(in_memory()).unwrap(), |text| {
        MhSha1::to_memory_order(MhSha1::digest(text)).to_vec()
    });
    check(&algorithm("mh-sha256").with(in_memory()).unwrap(), |text| {
        MhSha256::to_memory_order(MhSha256::digest(text)).to_vec()
    });
}

#[test]
fn hmac() {
    for name in ["sha512", "blake2b-160", "skein256-1000"] {
        let hash = algorithm(name).with(Key::Hmac(b"key".to_vec())).unwrap();
        let lanes = algorithm(name).lanes().unwrap();
        check(&hash, |text| {
            let mut tag = vec![0; lanes.output_size()];
            lanes.hmac(b"key", Messages::slices(&[text]), &mut tag).unwrap();
            tag
        });
        // no HMAC of HMAC
        let tags = hash.lanes().unwrap().hmac(b"key", Messages::slices(&[]), &mut []);
        assert!(tags.is_err(), "{name}");
    }
}

#[test]
fn default_values_do_not_count() {
    for (name, given) in [
        ("sha256", Parameters::default()),
        ("blake2b", Parameters::<Blake2>::new().salt(Vec::new()).any()),
        ("blake3", Parameters::<Blake3>::new().seek(0).any()),
        ("kt128", Parameters::<Xof>::new().customization(Vec::new()).any()),
        ("fsverity-sha256", Parameters::<FsVerity>::new().block_size(4096).any()),
        (
            "dmverity-sha256",
            Parameters::<DmVerity>::new()
                .block_size(4096)
                .hash_block_size(4096)
                .version(Version::V1)
                .salt(Vec::new())
                .any(),
        ),
        ("skein512", Parameters::<Skein>::new().key(None).nonce(None).any()),
    ] {
        assert_eq!(algorithm(name).with(given), Ok(algorithm(name).into()), "{name}");
    }
    let empty = Parameters::<Skein>::new().nonce(Vec::new());
    assert_ne!(algorithm("skein512").with(empty), Ok(algorithm("skein512").into()));
}

#[test]
fn parameters_of_other_algorithms() {
    let unused = [
        ("sha256", Parameters::<Blake2>::new().salt(b"salt".to_vec()).any()),
        ("skein512", Parameters::<FsVerity>::new().salt(b"salt".to_vec()).any()),
        ("shake128-256", Parameters::<Xof>::new().customization(b"string".to_vec()).any()),
        ("blake2b", Parameters::<Blake3>::derive_key("context").any()),
        ("mh-sha1", Parameters::<DmVerity>::new().block_size(4096).any()),
        ("fsverity-sha256", Parameters::<DmVerity>::new().hash_block_size(4096).any()),
    ];
    for (name, given) in unused {
        let algorithm = algorithm(name);
        assert_eq!(algorithm.with(given.clone()), Err(ParameterError::Unused(algorithm)));
        assert_eq!(algorithm.with(given.for_algorithm(algorithm)), Ok(algorithm.into()));
    }
    let block = Parameters::<FsVerity>::new().block_size(2048);
    let fsverity = algorithm("fsverity-sha256-1024");
    assert_eq!(fsverity.with(block), Err(ParameterError::Contradiction(fsverity)));
    for (name, size) in
        [("fsverity-sha256", 1000), ("dmverity-sha1", 256), ("dmverity-sha512", 1 << 20)]
    {
        let error =
            algorithm(name).with(Parameters::<DmVerity>::new().block_size(size)).unwrap_err();
        assert!(matches!(error, ParameterError::Format(merkle::Error::BlockSize { .. })), "{name}");
    }
    let salt = Parameters::<Blake2>::new().salt(b"salt".to_vec());
    let hmac = Parameters::from(Key::Hmac(b"key".to_vec())).and(salt);
    let blake2b = algorithm("blake2b");
    assert_eq!(blake2b.with(hmac), Err(ParameterError::Unused(blake2b)));
    for name in ["btv2", "kt128", "blake3", "jlanes8-sha256"] {
        let error = algorithm(name).with(Key::Hmac(b"key".to_vec())).unwrap_err();
        assert_eq!(error.to_string(), format!("HMAC is not defined for {name}"));
    }
}

#[test]
fn dmverity() {
    let given = Parameters::<DmVerity>::new()
        .block_size(1024)
        .hash_block_size(512)
        .salt(b"salt".to_vec())
        .version(Version::V0);
    let hash = algorithm("dmverity-sha1").with(given).unwrap();
    assert!(hash.hasher_on(Backend::detect()).is_err());
    let format = hash.dmverity().unwrap();
    let data = message(1, 16 << 10);
    let expected = DmVerity::with_blocks::<Sha1>(1024, 512, b"salt").unwrap();
    let expected = expected.version(Version::V0).digest(&data).unwrap();
    assert_eq!(format.digest(&data).unwrap().root, expected.root);
}

#[test]
fn keys_are_not_shown() {
    let hash = algorithm("blake2b").with(Key::Own(b"secret".to_vec())).unwrap();
    assert!(format!("{hash:?}").contains("Own(..)"), "{hash:?}");
}
