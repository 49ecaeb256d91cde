//! Tests of BLAKE3's hasher and its output.

use jlanes::{
    Backend, Blake3, Digest,
    digest::{
        ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, Reset, Update,
        XofReader,
    },
};
use jlanes_core::hashes::blake3::hasher::Hasher;
use jlanes_testing::{backends, corpus};
use proptest::prelude::*;

use crate::{CONTEXT, KEY, Of, lengths, text};

fn hasher(of: Of, backend: Backend) -> Hasher<Backend> {
    Hasher::with_mode(backend, of.mode())
}

#[test]
fn published_vectors() {
    let records = corpus("blake3");
    // three modes of the 35 published lengths and of another one
    assert_eq!(records.len(), 3 * 36);
    for record in records {
        let data = record.message();
        let mut hasher = match record.text("mode") {
            "hash" => Blake3::new(),
            "keyed_hash" => Blake3::new_keyed(&record.hex("key_hex").try_into().unwrap()),
            _ => Blake3::new_derive_key(record.text("context")),
        };
        Update::update(&mut hasher, &data);
        let expected = record.hex("out_hex");
        let mut out = vec![0; expected.len()];
        hasher.clone().finalize_xof().read(&mut out);
        assert_eq!(out, expected, "{}", record.name());
        assert_eq!(hasher.finalize()[..], expected[..32], "{}", record.name());
    }
}

#[test]
fn every_length_on_every_backend() {
    for len in lengths() {
        let data = text(len);
        for of in Of::ALL {
            let mut expected = [0; 200];
            of.peer().update(&data).finalize_xof().fill(&mut expected);
            for backend in backends::<Backend>() {
                let mut hasher = hasher(of, backend);
                Update::update(&mut hasher, &data);
                let mut out = [0; 200];
                hasher.finalize_xof_reset().read(&mut out);
                assert_eq!(out, expected, "{of:?}, {len} bytes, {backend}");
                // the key is still there
                for piece in data.chunks(len / 5 + 1) {
                    Update::update(&mut hasher, piece);
                }
                let digest = hasher.finalize_fixed_reset();
                assert_eq!(digest[..], expected[..32], "{of:?}, {len} bytes in pieces, {backend}");
                Update::update(&mut hasher, b"something else");
                Reset::reset(&mut hasher);
                for piece in data.chunks(1024) {
                    Update::update(&mut hasher, piece);
                }
                let digest = Digest::finalize(hasher);
                assert_eq!(digest[..], expected[..32], "{of:?}, {len} bytes in chunks, {backend}");
            }
        }
    }
}

#[test]
fn an_output_goes_on_wherever_one_reads() {
    for backend in backends::<Backend>() {
        for len in [0, 64, 100, 1024, 5000] {
            let data = text(len);
            let mut hasher = hasher(Of::Keyed, backend);
            Update::update(&mut hasher, &data);
            let mut reader = hasher.finalize_xof();
            let mut peer = Of::Keyed.peer().update(&data).finalize_xof();
            for (at, size) in [
                (0, 5000),
                (1, 63),
                (63, 2),
                (64, 1024),
                (100, 3000),
                (u64::from(u32::MAX) * 64, 200),
            ] {
                reader.set_position(at);
                peer.set_position(at);
                let (mut out, mut expected) = (vec![0; size], vec![0; size]);
                reader.read(&mut out);
                peer.fill(&mut expected);
                assert!(out == expected, "{size} bytes from {at}, {backend}");
                assert_eq!(reader.position(), peer.position());
            }
        }
    }
}

#[test]
fn constructors_are_those_of_the_crate() {
    let expected = blake3::keyed_hash(KEY, b"text");
    assert_eq!(
        Blake3::new_keyed(KEY).chain_update(b"text").finalize()[..],
        expected.as_bytes()[..]
    );
    let key = Blake3::new_derive_key(CONTEXT).chain_update(b"material").finalize();
    assert_eq!(key[..], blake3::derive_key(CONTEXT, b"material"));
}

proptest! {
    #[test]
    fn any_pieces(
        pieces in prop::collection::vec(prop_oneof![0..70usize, 1000..1050usize, 0..40_000usize], 0..8),
        which in 0..3usize,
        out in 0..300usize,
    ) {
        let of = Of::ALL[which];
        let data = text(pieces.iter().sum());
        let (mut hasher, mut peer) = (hasher(of, Backend::detect()), of.peer());
        let mut rest = &data[..];
        for piece in pieces {
            let (own_piece, after) = rest.split_at(piece);
            Update::update(&mut hasher, own_piece);
            peer.update(own_piece);
            let mut expected = vec![0; out];
            peer.finalize_xof().fill(&mut expected);
            let mut own = vec![0; out];
            hasher.clone().finalize_xof().read(&mut own);
            prop_assert_eq!(own, expected);
            // a digest ends the hasher in place
            let (mut ended, whole) = (hasher.clone(), *peer.finalize().as_bytes());
            for digest in [ended.finalize_fixed_reset(), hasher.clone().finalize_fixed()] {
                prop_assert_eq!(&digest[..], &whole[..]);
            }
            Update::update(&mut ended, own_piece);
            let own = *of.peer().update(own_piece).finalize().as_bytes();
            prop_assert_eq!(&ended.finalize_fixed()[..], &own[..]);
            rest = after;
        }
    }
}
