//! BLAKE3 by its name.

use jlanes::{
    Algorithm, AlgorithmError, Backend, Blake3, Digest,
    algorithm::{Blake3Mode, Kind},
    multi::Messages,
};
use jlanes_testing::backends;

use crate::{CONTEXT, KEY, Of, text};

#[test]
fn names() {
    for (name, tag, size) in [
        ("blake3", "BLAKE3", 32),
        ("blake3-8", "BLAKE3-8", 1),
        ("blake3-512", "BLAKE3-512", 64),
        ("blake3-1048", "BLAKE3-1048", 131),
    ] {
        let algorithm: Algorithm = name.parse().unwrap();
        assert_eq!((algorithm.to_string(), algorithm.tag()), (name.to_owned(), tag.to_owned()));
        assert_eq!(algorithm.output_size(), size);
        assert_eq!(tag.parse(), Ok(algorithm));
        let mut hasher = algorithm.hasher().unwrap();
        hasher.update(b"abc");
        let mut expected = vec![0; size];
        blake3::Hasher::new().update(b"abc").finalize_xof().fill(&mut expected);
        assert_eq!(*hasher.finalize(), expected);
    }
    let parse = |name: &str| name.parse::<Algorithm>();
    assert_eq!(parse("BLAKE3-256").map(|algorithm| algorithm.to_string()), Ok("blake3".to_owned()));
    assert_eq!(parse("blake3-0"), Err(AlgorithmError::OutputBits));
    assert_eq!(parse("blake3-12"), Err(AlgorithmError::OutputBits));
    assert_eq!(parse("blake3-"), Err(AlgorithmError::Number));
    for name in ["blake32", "blake3x", "blake3:1", "jlanes8-blake3", "hmac-blake3"] {
        assert!(parse(name).is_err(), "{name}");
    }
}

#[test]
fn modes_and_keys() {
    let data = text(4000);
    let messages: Vec<_> = (0..30).map(|i| &data[i..][..i * 131]).collect();
    for (name, size) in [("blake3", 32), ("blake3-800", 100)] {
        let algorithm: Algorithm = name.parse().unwrap();
        let Kind::Blake3(function) = algorithm.kind() else { panic!("{name}") };
        for backend in backends::<Backend>() {
            for of in Of::ALL {
                let mode = match of {
                    Of::Hash => Blake3Mode::Hash,
                    Of::Keyed => Blake3Mode::Keyed(KEY),
                    Of::DeriveKey => Blake3Mode::DeriveKey(CONTEXT),
                };
                let mut expected = vec![0; size * messages.len()];
                for (message, out) in messages.iter().zip(expected.chunks_mut(size)) {
                    of.peer().update(message).finalize_xof().fill(out);
                    let mut hasher = function.hasher_on(mode, backend);
                    hasher.update(message);
                    assert_eq!(*hasher.finalize(), *out, "{of:?}, {backend}");
                }
                let mut out = vec![0; expected.len()];
                function.digest_many_on(mode, backend, &messages, &mut out);
                assert!(out == expected, "{of:?}, {backend}");
                if let Of::Keyed = of {
                    out.fill(0);
                    let lanes = algorithm.lanes().unwrap().on(backend).keyed(KEY).unwrap();
                    lanes.digest(Messages::slices(&messages), &mut out);
                    assert!(out == expected, "{backend}");
                    let mut scheduler =
                        algorithm.lanes().unwrap().on(backend).keyed(KEY).unwrap().scheduler();
                    messages.iter().copied().enumerate().for_each(|m| scheduler.submit(m));
                    while !scheduler.is_empty() {
                        for (i, tag) in scheduler.step() {
                            assert_eq!(*tag.unwrap(), expected[i * size..][..size], "{backend}");
                        }
                    }
                }
            }
        }
        assert!(algorithm.lanes().unwrap().keyed(&KEY[..31]).is_err());
        assert!(algorithm.lanes().unwrap().hmac(b"key", Messages::slices(&[]), &mut []).is_err());
    }
}

#[cfg(feature = "rayon")]
#[test]
fn one_large_message_on_all_cores() {
    let data = text(1 << 20);
    let mut hasher = "blake3".parse::<Algorithm>().unwrap().hasher_on(Backend::detect()).unwrap();
    hasher.par_update(&data);
    assert_eq!(*hasher.finalize(), *Blake3::digest(&data));
}
