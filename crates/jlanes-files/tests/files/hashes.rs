//! Algorithms with keys and other parameters, and formats with more than a digest.

use std::{
    io,
    sync::{Arc, Mutex},
};

use jlanes::{
    Algorithm, Backend, Sha256,
    algorithm::{AnyHash, Key, Parameters},
    merkle::{BitTorrent, ETag, Format, S3},
};
use jlanes_files::{Engine, Hashed, Input, dmverity_hasher};

use crate::paint;

/// Lengths of files: empty, small, and longer than the buffers.
const LENS: [usize; 5] = [0, 100, 4096, 300_000, 5 << 20];

fn results(hash: impl Into<AnyHash>) -> Vec<io::Result<Box<[u8]>>> {
    let inputs = LENS.map(|len| Input::reader(format!("{len}"), io::Cursor::new(paint(len))));
    let mut results = Vec::new();
    let each = |hashed: Hashed| {
        results.push(hashed.digests.map(|mut digests| digests.remove(0)));
        Ok(())
    };
    Engine::new().digests([hash.into()], inputs, each).unwrap();
    results
}

#[test]
fn keys_and_parameters() {
    let key = || b"a key of thirty-two bytes, or so".to_vec();
    let mut salted = Parameters::default();
    salted.salt = Some(b"salt".to_vec());
    let mut leaf = Parameters::default();
    leaf.leaf = true;
    for (name, parameters) in [
        ("sha256", Key::Hmac(key()).into()),
        ("blake2b-160", Key::Hmac(key()).into()),
        ("blake2s", Key::Own(key()).into()),
        ("blake3", Key::Own(key()).into()),
        ("skein512-200", Key::Own(key()).into()),
        ("skein512-tree:1.2.255", Key::Own(key()).into()),
        ("fsverity-sha256", salted),
        ("jpointers-sha512", leaf),
    ] {
        let hash = name.parse::<Algorithm>().unwrap().with(parameters).unwrap();
        for (len, digest) in LENS.into_iter().zip(results(hash.clone())) {
            let mut hasher = hash.hasher_on(Backend::portable()).unwrap();
            hasher.update(&paint(len));
            assert_eq!(digest.unwrap(), hasher.finalize(), "{name} of {len} bytes");
        }
    }
}

#[test]
fn formats_with_parts() {
    for part in [1000, 100_000] {
        let digests = results(format!("s3-sha256:{part}").parse::<Algorithm>().unwrap());
        for (len, digest) in LENS.into_iter().zip(digests) {
            let composite = S3::new(part).unwrap().digest(&paint(len)).unwrap();
            let expected = [&composite.digest[..], &composite.parts.to_be_bytes()].concat();
            assert_eq!(*digest.unwrap(), *expected, "{len} bytes in parts of {part}");
        }
        let digests = results(format!("etag:{part}").parse::<Algorithm>().unwrap());
        for (len, digest) in LENS.into_iter().zip(digests) {
            let tag = ETag::new(part).unwrap().digest(&paint(len)).unwrap();
            let expected = [&tag.digest[..], &tag.parts.to_be_bytes()].concat();
            assert_eq!(*digest.unwrap(), *expected, "{len} bytes in parts of {part}");
        }
    }
}

#[test]
fn formats_without_a_digest_for_some_files() {
    let roots = results("btv2".parse::<Algorithm>().unwrap());
    for (len, root) in LENS.into_iter().zip(roots) {
        match BitTorrent::default().digest(&paint(len)) {
            Ok(expected) => assert_eq!(*root.unwrap(), expected.root[..], "{len} bytes"),
            Err(_) => assert!(root.is_err(), "{len} bytes"),
        }
    }
    let mut parameters = Parameters::default();
    parameters.salt = Some(b"salt".to_vec());
    let hash = "dmverity-sha256".parse::<Algorithm>().unwrap().with(parameters).unwrap();
    let format = hash.parameters().dmverity::<Sha256>().unwrap().with_tree();
    for (len, root) in LENS.into_iter().zip(results(hash.clone())) {
        let expected = format.digest(&paint(len));
        match &expected {
            Ok(verity) => assert_eq!(*root.unwrap(), verity.root[..], "{len} bytes"),
            Err(_) => assert!(root.is_err(), "{len} bytes"),
        }
        // the tree as well
        let tree = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&tree);
        let keep = move |tree: &[u8]| {
            kept.lock().unwrap().extend_from_slice(tree);
            Ok(())
        };
        let mut hasher = dmverity_hasher(&hash, Backend::detect(), false, keep).unwrap();
        hasher.update(&paint(len));
        assert_eq!(hasher.finish().is_ok(), expected.is_ok());
        assert_eq!(*tree.lock().unwrap(), expected.map_or(Vec::new(), |verity| verity.tree));
    }
    let sha256 = Algorithm::SHA256.into();
    assert!(dmverity_hasher(&sha256, Backend::detect(), false, |_| Ok(())).is_none());
}
