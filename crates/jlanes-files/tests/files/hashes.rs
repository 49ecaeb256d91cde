//! Algorithms with keys and other parameters, and formats with more than a digest.

use std::{
    io,
    sync::{Arc, Mutex},
};

use jlanes::{
    Algorithm, Backend,
    algorithm::{BaseHash, Fixed, Key, Parameters, Skein},
    merkle::{BitTorrent, DmVerity, ETag, Format, FsVerity, S3},
};
use jlanes_files::{Computation, DirHash, Engine, FileResult, Input};

use crate::paint;

/// Lengths of files: empty, small, and longer than the buffers.
const LENS: [usize; 5] = [0, 100, 4096, 300_000, 5 << 20];

fn results(computation: impl Into<Computation>) -> Vec<io::Result<Box<[u8]>>> {
    results_of(&Engine::new(), computation)
}

fn results_of(engine: &Engine, computation: impl Into<Computation>) -> Vec<io::Result<Box<[u8]>>> {
    let inputs = LENS.map(|len| Input::reader(format!("{len}"), io::Cursor::new(paint(len))));
    let mut results = Vec::new();
    let each = |hashed: FileResult| {
        results.push(hashed.digests.map(|mut digests| digests.remove(0)));
        Ok(())
    };
    engine.digests([computation.into()], inputs, each).unwrap();
    results
}

#[test]
fn keys_and_parameters() {
    let key = || b"a key of thirty-two bytes, or so".to_vec();
    let salted = Parameters::<FsVerity>::new().salt(b"salt".to_vec());
    for (name, parameters) in [
        ("sha256", Key::Hmac(key()).into()),
        ("blake2b-160", Key::Hmac(key()).into()),
        ("blake2s", Key::Own(key()).into()),
        ("blake3", Key::Own(key()).into()),
        ("skein512-200", Key::Own(key()).into()),
        ("skein512-tree:1.2.255", Key::Own(key()).into()),
        ("fsverity-sha256", salted.any()),
        ("jpointers-sha512", Parameters::leaf()),
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
    let parameters = Parameters::<DmVerity>::new().salt(b"salt".to_vec());
    let hash = "dmverity-sha256".parse::<Algorithm>().unwrap().with(parameters).unwrap();
    let format = hash.dmverity().unwrap().with_tree();
    // the trees as well
    let trees = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&trees);
    let keep = Engine::new().on_dmverity_tree(move |tree| {
        kept.lock().unwrap().push(tree.to_vec());
        Ok(())
    });
    let kept = results_of(&keep, hash.clone());
    let mut expected_trees = Vec::new();
    for ((len, root), kept) in LENS.into_iter().zip(results(hash)).zip(kept) {
        match format.digest(&paint(len)) {
            Ok(verity) => {
                assert_eq!(*root.unwrap(), verity.root[..], "{len} bytes");
                assert_eq!(*kept.unwrap(), verity.root[..], "{len} bytes");
                expected_trees.push(verity.tree);
            }
            Err(_) => assert!(root.is_err() && kept.is_err(), "{len} bytes"),
        }
    }
    assert_eq!(*trees.lock().unwrap(), expected_trees);
    // no other format has a tree; an error of `keep` is the digest's
    let refuse = Engine::new().on_dmverity_tree(|_| Err(io::Error::other("no room")));
    assert!(results_of(&refuse, Algorithm::SHA256).iter().all(Result::is_ok));
    let dmverity = "dmverity-sha1".parse::<Computation>().unwrap();
    for (with, without) in results_of(&refuse, dmverity.clone()).iter().zip(results(dmverity)) {
        let error = with.as_ref().unwrap_err().to_string();
        assert_eq!(error == "no room", without.is_ok(), "{error}");
    }
}

#[test]
fn a_file_has_no_digest_of_many_files() {
    let list: Algorithm = "jpointers-sha256".parse().unwrap();
    for computation in [
        list.into(),
        Computation::Directory(DirHash::H1),
        Computation::Directory(DirHash::GitSha256),
    ] {
        for result in results(computation.clone()) {
            let error = result.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::Unsupported, "{computation}: {error}");
        }
    }
}

#[test]
fn names_are_those_of_one_computation() {
    // a new variant has to be added here
    let listed = |computation: &Computation| match computation {
        Computation::Digest(_) | Computation::Directory(DirHash::H1 | DirHash::GitSha256) => true,
        #[cfg(feature = "checksums")]
        Computation::Checksum(checksum) => checksum.is_listed(),
    };
    let names = ["sha256", "jlanes8-sha512-raw", "s3-sha256:8388608", "jpointers-sha1", "h1"];
    let mut all: Vec<Computation> = names.iter().map(|name| name.parse().unwrap()).collect();
    all.push(Computation::Directory(DirHash::GitSha256));
    all.extend(Fixed::all().map(|hash| Algorithm::from(BaseHash::Fixed(hash)).into()));
    #[cfg(feature = "checksums")]
    all.extend(jlanes_files::Checksum::all().map(Computation::from));
    for computation in all {
        let name = computation.to_string();
        for name in [name.to_ascii_uppercase(), name] {
            assert_eq!(name.parse(), Ok(computation.clone()), "{name}");
        }
        assert_eq!(computation.is_listed(), listed(&computation), "{computation}");
        assert_eq!(computation.plain(), computation);
        assert_eq!(computation.bits(), 8 * computation.output_size() as u64);
        assert_eq!(computation.key(), None);
    }
    let parameters = Parameters::<Skein>::new().key(b"key".to_vec()).nonce(b"\x0a\xbc".to_vec());
    let skein = "skein512-128".parse::<Algorithm>().unwrap().with(parameters).unwrap();
    let skein = Computation::from(skein);
    assert_eq!(skein.to_string(), "mac-skein512-128+nonce=0abc");
    assert_eq!(skein.tag(), "MAC-SKEIN512-128+NONCE=0ABC");
    assert_eq!(skein.plain().to_string(), "skein512-128");
}
