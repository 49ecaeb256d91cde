//! Tests of j-lanes over any `Digest`.

use jlanes::{
    Digest, Sha256,
    digest::{Output, block_api::BlockSizeUser},
    tree::{GenericJLanes, GenericJLanesRaw, JLanes, JLanesRaw, TreeError},
};
use jlanes_testing::{message, model::lanes as model};
use sha3::Keccak256;

use crate::blake::Blake256;

/// Digests v1 and raw of `message`.
fn both<D: Digest + BlockSizeUser>(message: &[u8], j: usize, word: usize) -> [Output<D>; 2] {
    let v1 = GenericJLanes::<D>::new(j, word).expect("legal parameters");
    let raw = GenericJLanesRaw::<D>::new(j, word).expect("legal parameters");
    [v1.chain_update(message).finalize(), raw.chain_update(message).finalize()]
}

fn matches_the_model<D: Digest + BlockSizeUser>() {
    for j in [1, 2, 3, 16, 256] {
        for word in [1, 4, 7, 8] {
            for len in [0, 1, word * j - 1, word * j, 1000, 5000] {
                let message = message(len as u64, len);
                let expected = [
                    model::jlanes::<D>(&message, j, word, D::block_size()),
                    model::jlanes_raw::<D>(&message, j, word),
                ];
                assert_eq!(both::<D>(&message, j, word), expected, "j = {j}, w = {word}, {len}");
            }
        }
    }
}

#[test]
fn keccak_in_lanes() {
    matches_the_model::<Keccak256>();
}

#[test]
fn blake_in_lanes() {
    matches_the_model::<Blake256>();
}

#[test]
fn sha512_in_lanes() {
    matches_the_model::<sha2::Sha512>();
}

#[test]
fn the_generic_form_and_the_kernels_agree() {
    let message = message(8, 10_000);
    let kernels = [JLanes::<Sha256, 8>::digest(&message), JLanesRaw::<Sha256, 8>::digest(&message)];
    assert_eq!(both::<Sha256>(&message, 8, 4), kernels);
    assert_eq!(both::<sha2::Sha256>(&message, 8, 4), kernels);
}

#[test]
fn every_chunking_gives_the_same_digest() {
    let message = message(4, 700);
    let [whole, _] = both::<Keccak256>(&message, 5, 7);
    let mut hasher = GenericJLanes::<Keccak256>::new(5, 7).expect("legal parameters");
    for size in 1..=message.len() {
        message.chunks(size).for_each(|chunk| hasher.update(chunk));
        let copy = hasher.clone();
        assert_eq!(hasher.finalize_reset(), whole, "pieces of {size} bytes");
        assert_eq!(copy.finalize(), whole);
    }
}

#[test]
fn illegal_parameters_are_errors() {
    fn error(j: usize, word: usize) -> Option<TreeError> {
        GenericJLanes::<Keccak256>::new(j, word).err()
    }
    assert_eq!(error(0, 4), Some(TreeError::Lanes(0)));
    assert_eq!(error(257, 4), Some(TreeError::Lanes(257)));
    assert_eq!(error(4, 0), Some(TreeError::Word(0)));
    assert_eq!(error(4, 137), Some(TreeError::Word(137)));
    assert_eq!(error(256, 136), None);
}
