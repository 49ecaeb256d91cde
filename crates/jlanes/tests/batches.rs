//! Batches of every shape, on every backend, against sha2.

use jlanes::{Backend, Digest, Sha256, digest::Output, multi};

/// Bytes with a period that no block or lane count divides.
fn paint(len: usize, seed: usize) -> Vec<u8> {
    (0..len).map(|i| ((i + seed) % 251) as u8).collect()
}

fn check(backend: Backend, messages: &[Vec<u8>]) {
    let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let mut out = vec![Output::<Sha256>::default(); slices.len()];
    multi::digest_many_with::<Sha256>(backend, &slices, &mut out);
    for (message, digest) in slices.iter().zip(&out) {
        assert_eq!(*digest, sha2::Sha256::digest(message), "{backend}, {} bytes", message.len());
    }
}

#[test]
fn equal_lengths_match_sha2_on_every_backend() {
    for backend in Backend::available() {
        for len in 0..300 {
            for count in [1, 2, 7, 16, 33] {
                let messages: Vec<_> = (0..count).map(|i| paint(len, i)).collect();
                check(backend, &messages);
            }
        }
    }
}

#[test]
fn prefixed_messages_match_sha2() {
    for prefix in [0, 1, 32, 63, 64, 65, 127, 128, 200] {
        let prefix = paint(prefix, 9);
        for len in [0, 1, 31, 32, 55, 56, 63, 64, 65, 127, 128, 191, 300] {
            let messages: Vec<_> = (0..19).map(|i| paint(len, i)).collect();
            let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let mut out = vec![Output::<Sha256>::default(); slices.len()];
            multi::digest_many_prefixed::<Sha256>(&prefix, &slices, &mut out);
            for (message, digest) in slices.iter().zip(&out) {
                let expected = sha2::Sha256::new().chain_update(&prefix).chain_update(message);
                assert_eq!(*digest, expected.finalize(), "{} + {len}", prefix.len());
            }
        }
    }
}

#[test]
fn unequal_lengths_match_sha2_on_every_backend() {
    for backend in Backend::available() {
        for count in 0..70 {
            let messages: Vec<_> = (0..count).map(|i| paint(i * i * 7 % 1000, i)).collect();
            check(backend, &messages);
        }
    }
}

#[test]
fn linear_matches_sha2() {
    for len in 0..1000 {
        let m = paint(len, 3);
        assert_eq!(Sha256::digest(&m), sha2::Sha256::digest(&m));
    }
}
