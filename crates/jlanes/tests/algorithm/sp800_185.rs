//! KMAC and TupleHash by their names.

use jlanes::{
    Algorithm, Backend,
    algorithm::{AnyHash, Key, Parameters, Xof},
    multi::Messages,
};
use jlanes_reference as reference;
use jlanes_testing::{backends, message};

/// KMAC by name with a key: one message, many after a prefix, in pieces, and outputs that are read on.
#[test]
fn kmac_has_a_key_of_its_own() {
    let texts: Vec<_> = (0..70).map(|i| message(i, 13 * i as usize)).collect();
    let texts: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
    type Reference = fn(&[u8], &[u8], &[u8], &mut [u8]);
    for (name, expected) in [
        ("kmac128", reference::kmac128 as Reference),
        ("kmac128-80", reference::kmac128),
        ("kmac256", reference::kmac256),
        ("kmac256-4000", reference::kmac256),
        ("kmacxof128", reference::kmacxof128),
        ("kmacxof256-2000", reference::kmacxof256),
    ] {
        let algorithm: Algorithm = name.parse().unwrap();
        assert!(algorithm.needs_key(), "{name}");
        let (size, key) = (algorithm.output_size(), message(5, 40));
        for custom in [b"".to_vec(), b"custom".to_vec()] {
            let parameters =
                Parameters::<Xof>::new().key(key.clone()).customization(custom.clone());
            let hash = algorithm.with(parameters).unwrap();
            let tag = |text: &[u8]| {
                let mut tag = vec![0; size];
                expected(&key, &[b"prefix", text].concat(), &custom, &mut tag);
                tag
            };
            let all: Vec<_> = texts.iter().map(|text| tag(text)).collect();
            for backend in backends::<Backend>() {
                let lanes = hash.lanes().unwrap().on(backend).prefix(b"prefix");
                assert_eq!(lanes.digests(Messages::slices(&texts)), all.concat(), "{name}");
                let mut hasher = hash.hasher_on(backend).unwrap();
                hasher.update(b"prefix");
                hasher.update(texts[9]);
                assert_eq!(*hasher.finalize_reset(), all[9], "{name} on {backend}");
                lanes.digest_readers([Box::new(texts[9]) as _].into_iter(), |_, tag| {
                    assert_eq!(*tag.unwrap(), all[9], "{name} on {backend}");
                });
                let xofs = lanes.xofs(Messages::slices(&texts));
                assert_eq!(xofs.is_ok(), name.starts_with("kmacxof"), "{name}");
                if let Ok(mut xofs) = xofs {
                    let mut outs = vec![vec![0; size]; texts.len()];
                    xofs.squeeze(&mut outs);
                    assert_eq!(outs, all, "{name} on {backend}");
                }
            }
        }
        let empty = algorithm.with(Key::Own(Vec::new())).unwrap_err().to_string();
        assert_eq!(empty, format!("{name} takes a key of at least one byte, not of 0"));
        let none = algorithm.hasher().err().unwrap().to_string();
        assert_eq!(none, format!("{name} needs a key"));
        assert!(algorithm.lanes().is_err() && algorithm.with(Key::Hmac(vec![1])).is_err());
    }
}

#[test]
fn tuples_by_name() {
    let items = ["one", "", "another"].map(str::as_bytes);
    type Reference = fn(&[&[u8]], &[u8], &mut [u8]);
    for (name, expected) in [
        ("tuplehash128", reference::tuplehash128 as Reference),
        ("tuplehash256-80", reference::tuplehash256),
        ("tuplehashxof128-4000", reference::tuplehashxof128),
        ("tuplehashxof256", reference::tuplehashxof256),
    ] {
        let algorithm: Algorithm = name.parse().unwrap();
        let mut digest = vec![0; algorithm.output_size()];
        expected(&items, b"custom", &mut digest);
        let parameters = Parameters::<Xof>::new().customization(b"custom".to_vec());
        let hash = algorithm.with(parameters).unwrap();
        assert_eq!(*hash.tuple_digest(&items).unwrap(), digest, "{name}");
        assert!(hash.lanes().is_err() && hash.hasher_on(Backend::portable()).is_err(), "{name}");
        assert!(algorithm.with(Key::Own(vec![1])).is_err(), "{name}");
    }
    let error = AnyHash::from(Algorithm::SHA256).tuple_digest(&items).unwrap_err();
    assert_eq!(error.to_string(), "sha256 is no digest of a tuple");
}
