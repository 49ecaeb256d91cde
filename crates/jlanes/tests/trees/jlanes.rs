//! Tests of j-lanes over the SHA hashes.

use jlanes::{
    Backend, Digest, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_256,
    digest::{
        Output, OutputSizeUser,
        consts::{U32, U200},
    },
    multi::MultiDigest,
    skein::{Skein256, Skein512, Skein1024},
    tree::{JLanes, JLanesDyn, JLanesRaw, TreeError},
};
use jlanes_testing::{
    Record, algorithm_name, backends, corpus, message, model::lanes as model, paint,
};

/// Calls `$test::<H>($argument)` with the hasher of the corpora's name for it.
macro_rules! with_hash {
    ($name:expr, $test:ident($($argument:expr),*)) => {
        match $name {
            "sha1" => $test::<Sha1>($($argument),*),
            "sha224" => $test::<Sha224>($($argument),*),
            "sha256" => $test::<Sha256>($($argument),*),
            "sha384" => $test::<Sha384>($($argument),*),
            "sha512" => $test::<Sha512>($($argument),*),
            "sha512_256" => $test::<Sha512_256>($($argument),*),
            other => panic!("no hash is called {other}"),
        }
    };
}
pub(crate) use with_hash;

fn known<H: MultiDigest<Backend = Backend>>(record: &Record, raw: bool) {
    for backend in backends::<Backend>() {
        let mut hasher =
            JLanesDyn::<H>::with_lanes(backend, record.number("j"), raw).expect("1..=256 lanes");
        hasher.update(record.message());
        let digest = hasher.finalize();
        assert_eq!(digest[..], record.hex("digest_hex"), "{} on {backend}", record.name());
    }
}

#[test]
fn known_answers_raw() {
    for record in corpus("jlanes") {
        with_hash!(record.text("hash"), known(&record, true));
    }
}

#[test]
fn known_answers_v1() {
    for record in corpus("jlanes_v1") {
        with_hash!(record.text("hash"), known(&record, false));
    }
}

/// Digests by the types with a constant number of lanes.
fn by_type<const J: usize>(message: &[u8]) -> [Output<Sha256>; 2] {
    [JLanes::<Sha256, J>::digest(message), JLanesRaw::<Sha256, J>::digest(message)]
}

#[test]
fn lanes_by_type_and_by_number_agree() {
    fn check<const J: usize>() {
        for len in [0, 1, 63, 64 * J, 200 * J + 5] {
            let message = message(J as u64, len);
            let by_number = [JLanesDyn::new(J), JLanesDyn::new_raw(J)].map(|hasher| {
                let hasher: JLanesDyn<Sha256> = hasher.expect("1..=256 lanes");
                hasher.chain_update(&message).finalize()
            });
            assert_eq!(by_type::<J>(&message), by_number, "j = {J}, {len} bytes");
        }
    }
    check::<1>();
    check::<2>();
    check::<3>();
    check::<4>();
    check::<8>();
    check::<15>();
    check::<16>();
    check::<17>();
    check::<32>();
    check::<256>();
}

/// Lengths around everything that matters to `j` lanes of blocks of `block` bytes.
fn lengths(j: usize, word: usize, block: usize) -> Vec<usize> {
    let row = j * word;
    let padding = j * (block - block / 8);
    let edges = [0, row, padding, j * block, j * block + padding, 2 * j * block, 5 * j * block];
    let around = |edge: usize| [-(word as isize) - 1, -1, 0, 1, word as isize].map(|d| (edge, d));
    let all = edges.iter().flat_map(|edge| around(*edge));
    all.filter_map(|(edge, d)| edge.checked_add_signed(d)).collect()
}

/// Every number of lanes that meets another combination of vectors, on every backend.
fn sha_matches_the_model<H, M>(lanes: impl Iterator<Item = usize>, word: usize)
where
    H: MultiDigest<Backend = Backend>,
    M: Digest + OutputSizeUser<OutputSize = H::OutputSize>,
{
    let block = 16 * word;
    for j in lanes {
        for len in lengths(j, word, block) {
            let message = paint(len, j);
            let expected = [
                model::jlanes::<M>(&message, j, word, block),
                model::jlanes_raw::<M>(&message, j, word),
            ];
            for backend in backends::<Backend>() {
                let digests = [false, true].map(|raw| {
                    let hasher = JLanesDyn::<H>::with_lanes(backend, j, raw);
                    hasher.expect("1..=256 lanes").chain_update(&message).finalize()
                });
                assert_eq!(digests, expected, "j = {j}, {len} bytes, {backend}");
            }
        }
    }
}

#[test]
fn sha1_in_lanes_matches_the_model_on_every_backend() {
    sha_matches_the_model::<Sha1, sha1::Sha1>((1..=18).chain([32]), 4);
}

#[test]
fn sha256_in_lanes_matches_the_model_on_every_backend() {
    let lanes = (1..=40).chain([63, 64, 100, 255, 256]);
    sha_matches_the_model::<Sha256, sha2::Sha256>(lanes, 4);
}

#[test]
fn sha512_in_lanes_matches_the_model_on_every_backend() {
    sha_matches_the_model::<Sha512, sha2::Sha512>((1..=20).chain([32, 256]), 8);
}

/// A function that holds the last block back: lanes end at different blocks by a byte more or less.
fn skein_matches_the_model<H: MultiDigest<Backend = Backend>>(block: usize) {
    for j in [1, 2, 3, 8, 17] {
        for len in lengths(j, 8, block) {
            let message = paint(len, j);
            let expected =
                [model::jlanes::<H>(&message, j, 8, block), model::jlanes_raw::<H>(&message, j, 8)];
            for backend in backends::<Backend>() {
                for size in [len.max(1), j * block + 8 * j - 9] {
                    let digests = [false, true].map(|raw| {
                        let hasher = JLanesDyn::<H>::with_lanes(backend, j, raw);
                        let mut hasher = hasher.expect("1..=256 lanes");
                        message.chunks(size).for_each(|chunk| hasher.update(chunk));
                        hasher.finalize()
                    });
                    assert_eq!(digests, expected, "j = {j}, {len} bytes by {size}, {backend}");
                }
            }
        }
    }
}

#[test]
fn skein_in_lanes_matches_the_model_on_every_backend() {
    skein_matches_the_model::<Skein256>(32);
    skein_matches_the_model::<Skein512<U32>>(64);
    skein_matches_the_model::<Skein512<U200>>(64);
    skein_matches_the_model::<Skein1024>(128);
}

#[test]
fn every_chunking_gives_the_same_digest() {
    let message = message(5, 3 * 5 * 64 + 100);
    let whole = JLanes::<Sha256, 5>::digest(&message);
    for size in 1..=message.len() {
        let mut hasher = JLanes::<Sha256, 5>::new();
        message.chunks(size).for_each(|chunk| hasher.update(chunk));
        assert_eq!(hasher.finalize(), whole, "pieces of {size} bytes");
    }
    for at in 0..=message.len() {
        let (left, right) = message.split_at(at);
        let digest = JLanes::<Sha256, 5>::new().chain_update(left).chain_update(right).finalize();
        assert_eq!(digest, whole, "cut at {at}");
    }
}

#[test]
fn clones_and_resets_midway_go_their_own_way() {
    let message = paint(16 * 64 * 2 + 333, 9);
    let whole = JLanes::<Sha256, 16>::digest(&message);
    for at in (0..message.len()).step_by(37) {
        let (left, right) = message.split_at(at);
        let mut hasher = JLanes::<Sha256, 16>::new_with_prefix(left);
        let copy = hasher.clone();
        hasher.update(b"something else");
        assert_ne!(hasher.finalize_reset(), whole);
        assert_eq!(copy.chain_update(right).finalize(), whole, "copied at {at}");
        hasher.update(left);
        Digest::reset(&mut hasher);
        assert_eq!(hasher.chain_update(&message).finalize(), whole, "reset at {at}");
    }
}

#[test]
fn numbers_of_lanes_out_of_range_are_errors() {
    for j in [0, 257, usize::MAX] {
        assert_eq!(JLanesDyn::<Sha256>::new(j).err(), Some(TreeError::Lanes(j)));
        assert_eq!(JLanesDyn::<Sha256>::new_raw(j).err(), Some(TreeError::Lanes(j)));
    }
}

#[test]
fn names_tell_the_construction() {
    assert_eq!(algorithm_name::<JLanes<Sha256, 8>>(), "JLanes<Sha256, 8>");
    assert_eq!(algorithm_name::<JLanesRaw<Sha256, 16>>(), "JLanesRaw<Sha256, 16>");
    assert_eq!(algorithm_name::<JLanesDyn<Sha256>>(), "JLanesDyn<Sha256>");
    let hasher = JLanes::<Sha256, 8>::new_with_prefix(b"secret");
    assert_eq!(format!("{hasher:?}"), "JLanes<Sha256, 8> { ... }");
}

#[test]
fn the_block_is_the_hash_s_own() {
    use jlanes::digest::{block_api::BlockSizeUser, common::Output};
    assert_eq!(JLanes::<Sha256, 8>::block_size(), 64);
    let _: Output<JLanes<Sha256, 8>> = Output::<Sha256>::default();
}

/// BLAKE2 compresses a block only when it knows whether another follows, which each lane learns from a
/// word of its own.
#[cfg(feature = "blake2")]
#[test]
fn blocks_that_wait_for_their_lanes() {
    for j in [1, 2, 3, 8, 17] {
        for blocks in [1, 2, 3] {
            let whole: usize = blocks * j * 128;
            for more in [-1, 0, 1, 8 * j as isize / 2, 8 * j as isize, 8 * j as isize + 1] {
                let text = message(j as u64, whole.checked_add_signed(more).expect("no less"));
                let expected = model::jlanes::<blake2::Blake2b512>(&text, j, 8, 128);
                let raw = model::jlanes_raw::<blake2::Blake2b512>(&text, j, 8);
                for piece in [whole, j * 128 + 7, 50] {
                    let digest = |hasher: Result<JLanesDyn<jlanes::Blake2b512>, _>| {
                        let mut hasher = hasher.expect("1..=256 lanes");
                        text.chunks(piece).for_each(|piece| hasher.update(piece));
                        hasher.finalize()
                    };
                    let len = text.len();
                    assert_eq!(digest(JLanesDyn::new(j)), expected, "j = {j}, {len} bytes");
                    assert_eq!(digest(JLanesDyn::new_raw(j)), raw, "j = {j}, {len} bytes");
                }
            }
        }
    }
}
