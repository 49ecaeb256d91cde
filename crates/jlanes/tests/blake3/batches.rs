//! Tests of BLAKE3 on many messages at once.

use jlanes::{
    Backend, Blake3, Digest,
    digest::{Output, Update},
    multi::{Lanes, Messages},
};
use jlanes_core::{function::Batch, hashes::blake3::hasher::Hasher};
use jlanes_testing::{backends, message};
use proptest::prelude::*;

use crate::{Of, lengths, text};

fn expected(of: Of, message: &[u8]) -> [u8; 32] {
    *of.peer().update(message).finalize().as_bytes()
}

fn check(messages: &[&[u8]]) {
    for of in Of::ALL {
        let expected: Vec<_> = messages.iter().map(|message| expected(of, message)).collect();
        for backend in backends::<Backend>() {
            let mut out = vec![Default::default(); messages.len()];
            Hasher::with_mode(backend, of.mode()).digest_many(&Batch::slices(messages), &mut out);
            for (i, (digest, expected)) in out.iter().zip(&expected).enumerate() {
                let len = messages[i].len();
                assert_eq!(digest[..], expected[..], "{of:?}, {backend}, {i}: {len} bytes");
            }
        }
    }
}

#[test]
fn equal_lengths() {
    let data = text(40_000);
    for count in [1, 2, 3, 5, 8, 9, 15, 16, 17, 33, 70] {
        for len in [0, 1, 31, 32, 63, 64, 65, 100, 128, 129, 1000, 1023, 1024, 1025, 2048, 2049] {
            let messages: Vec<_> = (0..count).map(|i| &data[i * 7..][..len]).collect();
            check(&messages);
        }
    }
    for count in [1, 3, 17] {
        for len in [3000, 16 << 10, 31 << 10] {
            let messages: Vec<_> = (0..count).map(|i| &data[i * 7..][..len]).collect();
            check(&messages);
        }
    }
}

#[test]
fn every_length_in_one_batch() {
    let texts: Vec<_> = lengths().map(text).collect();
    let mut messages: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    check(&messages);
    messages.reverse();
    check(&messages[..messages.len() / 3]);
}

#[test]
fn more_chunks_than_are_put_in_order_at_once() {
    let data = text(70 << 10);
    let messages: Vec<_> = (0..400).map(|i| &data[i..][..i * 173 % 20_000]).collect();
    let mut out = vec![Default::default(); messages.len()];
    Lanes::<Blake3>::new().digest(&messages, &mut out);
    for (message, digest) in messages.iter().zip(&out) {
        assert_eq!(digest[..], expected(Of::Hash, message), "{} bytes", message.len());
    }
}

fn of_lanes(messages: &[Vec<u8>], prefix: &[u8], digests: &[Output<Blake3>]) {
    assert_eq!(messages.len(), digests.len());
    for (message, digest) in messages.iter().zip(digests) {
        let whole = [prefix, message].concat();
        assert_eq!(digest[..], expected(Of::Hash, &whole), "{} bytes", whole.len());
    }
}

#[test]
fn every_job_of_the_handle() {
    for prefix in [0, 1, 64, 100, 1000, 1024, 1500] {
        let prefix = message(9, prefix);
        for width in [0, 24, 32, 64, 500, 1024, 3000] {
            let texts: Vec<_> = (0..21).map(|i| message(i, width)).collect();
            let lanes = Lanes::<Blake3>::new().prefix(&prefix);
            of_lanes(&texts, &prefix, &lanes.digests(&texts));
            let all = texts.concat();
            let mut out = vec![Default::default(); texts.len()];
            lanes.nodes(&all, width, &mut out);
            of_lanes(&texts, &prefix, &out);
            let slices: Vec<_> = texts.iter().map(Vec::as_slice).collect();
            lanes.digest_all(Messages::slices(&slices), &mut out);
            of_lanes(&texts, &prefix, &out);
            let (left, right): (Vec<_>, Vec<_>) =
                texts.iter().map(|text| text.split_at(width / 3)).unzip();
            lanes.pairs(&left, &right, &mut out);
            of_lanes(&texts, &prefix, &out);
        }
    }
}

#[test]
fn macs_continue_what_the_hasher_has_absorbed() {
    let data = text(5000);
    let messages: Vec<_> = (0..20).map(|i| &data[i..][..i * 211]).collect();
    for absorbed in [0, 32, 100, 1024, 2000] {
        let mac = Blake3::new_keyed(crate::KEY).chain_update(&data[..absorbed]);
        let mut tags = vec![Default::default(); messages.len()];
        mac.tags(&messages, &mut tags);
        for (message, tag) in messages.iter().zip(&tags) {
            let expected = expected(Of::Keyed, &[&data[..absorbed], message].concat());
            assert_eq!(tag[..], expected, "{absorbed} and {} bytes", message.len());
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_change_nothing() {
    let data = text(3 << 20);
    assert_eq!(jlanes::tree::par_digest::<Blake3>(&data)[..], expected(Of::Hash, &data));
    // by threads that read parts, from the middle of a block, of a chunk and of a subtree too
    for start in [0, 1, 64, 1000, 1024, 100_000, 256 << 10, 300 << 10] {
        for end in [start + 1, 300 << 10, 512 << 10, (2 << 20) + 5, data.len()] {
            let mut hasher = Blake3::new_with_prefix(&data[..start]);
            let read = |part: &mut [u8], at| {
                part.copy_from_slice(&data[start + at..end][..part.len()]);
            };
            jlanes::tree::ParRead::par_read(&mut hasher, end - start, &read);
            let digest = hasher.chain_update(b"more").finalize();
            let whole = [&data[..end], b"more"].concat();
            assert_eq!(digest[..], expected(Of::Hash, &whole), "{start} to {end}");
        }
    }
    let messages: Vec<_> = (0..3000).map(|i| &data[i..][..i * 7 % 3000]).collect();
    let mut out = vec![Default::default(); messages.len()];
    Lanes::<Blake3>::new().parallel().digest(&messages, &mut out);
    for (message, digest) in messages.iter().zip(&out) {
        assert_eq!(digest[..], expected(Of::Hash, message), "{} bytes", message.len());
    }
}

proptest! {
    #[test]
    fn any_lengths(
        lens in prop::collection::vec(prop_oneof![0..200usize, 900..1100usize, 0..9000usize], 0..60),
        seed: u64,
    ) {
        let texts: Vec<_> = lens.iter().map(|len| message(seed, *len)).collect();
        let digests = Lanes::<Blake3>::new().digests(&texts);
        for (text, digest) in texts.iter().zip(&digests) {
            let mut hasher = Blake3::new();
            Update::update(&mut hasher, text);
            prop_assert_eq!(&hasher.finalize(), digest);
            prop_assert_eq!(&digest[..], &expected(Of::Hash, text)[..]);
        }
    }
}
