//! BLAKE3 by its name.

use jlanes::{
    Algorithm, AlgorithmError, Backend,
    algorithm::{Blake3, Key, ParameterError, Parameters},
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
        for of in Of::ALL {
            let parameters = match of {
                Of::Hash => Parameters::<Blake3>::new(),
                Of::Keyed => Parameters::<Blake3>::keyed(*KEY),
                Of::DeriveKey => Parameters::<Blake3>::derive_key(CONTEXT),
            };
            for seek in [0, 70] {
                let hash = algorithm.with(parameters.clone().seek(seek)).unwrap();
                let mut expected = vec![0; size * messages.len()];
                for (message, out) in messages.iter().zip(expected.chunks_mut(size)) {
                    let mut reader = of.peer().update(message).finalize_xof();
                    reader.set_position(seek);
                    reader.fill(out);
                }
                for backend in backends::<Backend>() {
                    let context = format!("{of:?} from {seek}, {backend}");
                    let lanes = hash.lanes().unwrap().on(backend);
                    let mut hasher = lanes.hasher();
                    for (message, digest) in messages.iter().zip(expected.chunks(size)) {
                        hasher.update(message);
                        assert_eq!(*hasher.finalize_reset(), *digest, "{context}");
                    }
                    let mut out = vec![0; expected.len()];
                    lanes.digest(Messages::slices(&messages), &mut out);
                    assert!(out == expected, "{context}");
                    let mut scheduler = lanes.scheduler();
                    messages.iter().copied().enumerate().for_each(|m| scheduler.submit(m));
                    while !scheduler.is_empty() {
                        for (i, tag) in scheduler.step() {
                            assert_eq!(*tag.unwrap(), expected[i * size..][..size], "{context}");
                        }
                    }
                }
            }
        }
        let short = algorithm.with(Key::Own(KEY[..31].to_vec())).unwrap_err();
        assert_eq!(short.to_string(), format!("{name} takes a key of 32 bytes, not of 31"));
        let both = Parameters::<Blake3>::keyed(*KEY).and(Parameters::<Blake3>::derive_key(CONTEXT));
        assert_eq!(algorithm.with(both), Err(ParameterError::Contradiction(algorithm)));
        assert!(algorithm.lanes().unwrap().hmac(b"key", Messages::slices(&[]), &mut []).is_err());
    }
}

/// It is no batch, but a hasher's own.
#[test]
fn one_message() {
    let algorithm: Algorithm = "blake3".parse().unwrap();
    for of in Of::ALL {
        let hash = match of {
            Of::Hash => algorithm.into(),
            Of::Keyed => algorithm.with(Parameters::<Blake3>::keyed(*KEY)).unwrap(),
            Of::DeriveKey => algorithm.with(Parameters::<Blake3>::derive_key(CONTEXT)).unwrap(),
        };
        for before in [0, 6, 64, 1000, 1024, 1025, 4096] {
            let prefix = text(before);
            for backend in backends::<Backend>() {
                let lanes = hash.lanes().unwrap().on(backend).prefix(&prefix);
                for len in [0, 1, 24, 25, 63, 64, 65, 1023, 1024, 1025, 2048, 70_000] {
                    let (message, mut out) = (text(len), [0; 32]);
                    lanes.digest(Messages::slices(&[&message[..]]), &mut out);
                    let expected = of.peer().update(&prefix).update(&message).finalize();
                    assert_eq!(out, *expected.as_bytes(), "{of:?} {before} {len} {backend}");
                }
            }
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn one_large_message_on_all_cores() {
    let data = text(1 << 20);
    let mut hasher = "blake3".parse::<Algorithm>().unwrap().hasher_on(Backend::detect()).unwrap();
    hasher.par_update(&data);
    assert_eq!(*hasher.finalize(), *<jlanes::Blake3 as jlanes::Digest>::digest(&data));
}
