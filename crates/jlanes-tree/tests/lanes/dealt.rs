//! Tests of j-lanes and multi-hash, which deal messages to lanes word by word.

use digest::{Digest, FixedOutputReset, OutputSizeUser, Reset};
use jlanes_core::function::DigestOnKernels;
use jlanes_testing::{corpus, message, model::lanes as model, paint};
use jlanes_tree::{
    TreeError,
    jlanes::{GenericJLanes, GenericJLanesRaw, JLanes, JLanesDyn, JLanesRaw},
    multi_hash::MultiHash,
};

use crate::{Sha256, Sha512, names};

/// Lengths around everything that matters to `j` lanes of blocks of `block` bytes.
fn lengths(j: usize, word: usize, block: usize) -> Vec<usize> {
    let padding = j * (block - block / 8);
    let edges = [0, j * word, padding, j * block, j * block + padding, 3 * j * block];
    let around = |edge: usize| [-(word as isize), -1, 0, 1].map(|d| edge.checked_add_signed(d));
    edges.into_iter().flat_map(around).flatten().collect()
}

fn as_in_the_model<H, M>(word: usize)
where
    H: DigestOnKernels,
    M: Digest + OutputSizeUser<OutputSize = H::OutputSize>,
{
    let block = 16 * word;
    for j in [1, 2, 3, 8, 17, 256] {
        for len in lengths(j, word, block) {
            let message = paint(len, j);
            let expected = model::jlanes::<M>(&message, j, word, block);
            let hasher = JLanesDyn::<H>::new(j).unwrap();
            assert_eq!(hasher.chain_update(&message).finalize(), expected, "j = {j}, {len} bytes");
            let expected = model::jlanes_raw::<M>(&message, j, word);
            let hasher = JLanesDyn::<H>::new_raw(j).unwrap();
            assert_eq!(hasher.chain_update(&message).finalize(), expected, "j = {j}, {len} bytes");
        }
    }
}

#[test]
fn words_of_32_bits() {
    as_in_the_model::<Sha256, sha2::Sha256>(4);
}

#[test]
fn words_of_64_bits() {
    as_in_the_model::<Sha512, sha2::Sha512>(8);
}

#[test]
fn pieces_do_not_show() {
    let text = message(1, 3000);
    for j in [1, 5, 8] {
        let expected = model::jlanes::<sha2::Sha256>(&text, j, 4, 64);
        let mut hasher = JLanesDyn::<Sha256>::new(j).unwrap();
        for piece in [1, 3, 64 * j - 1, 64 * j, 64 * j + 1, 1000, 3000] {
            text.chunks(piece).for_each(|piece| Digest::update(&mut hasher, piece));
            assert_eq!(hasher.finalize_fixed_reset(), expected, "j = {j}, pieces of {piece}");
        }
    }
}

#[test]
fn any_word_and_any_hash() {
    for (j, word) in [(1, 1), (3, 5), (4, 64), (256, 4)] {
        for len in [0, 1, word, j * word - 1, j * word, j * word + 1, 1000, 3000] {
            let message = paint(len, word);
            let expected = model::jlanes::<sha2::Sha256>(&message, j, word, 64);
            for piece in [1, 100, 3000] {
                let mut hasher = GenericJLanes::<Sha256>::new(j, word).unwrap();
                message.chunks(piece).for_each(|piece| Digest::update(&mut hasher, piece));
                assert_eq!(hasher.finalize(), expected, "{len} bytes dealt by {word} to {j}");
            }
        }
    }
}

#[test]
fn numbers_and_widths_have_bounds() {
    for j in [0, 257, usize::MAX] {
        assert!(JLanesDyn::<Sha256>::new(j).is_err() && JLanesDyn::<Sha256>::new_raw(j).is_err());
        assert!(GenericJLanes::<Sha256>::new(j, 4).is_err());
    }
    for word in [0, 65] {
        assert!(GenericJLanes::<Sha256>::new(4, word).is_err(), "words of {word} bytes");
    }
}

#[test]
fn lanes_that_are_in_the_type() {
    for len in lengths(5, 4, 64) {
        let message = paint(len, 5);
        let expected = model::jlanes::<sha2::Sha256>(&message, 5, 4, 64);
        assert_eq!(JLanes::<Sha256, 5>::digest(&message), expected, "{len} bytes");
        let expected = model::jlanes_raw::<sha2::Sha256>(&message, 5, 4);
        assert_eq!(JLanesRaw::<Sha256, 5>::digest(&message), expected, "{len} bytes");
    }
    let expected = model::jlanes::<sha2::Sha256>(b"abc", 16, 4, 64);
    assert_eq!(JLanesDyn::<Sha256>::digest(b"abc"), expected, "sixteen, if nothing is said");
    assert_eq!(JLanesDyn::<Sha256>::default().lanes(), 16);
}

#[test]
fn any_word_begins_again() {
    let message = message(3, 700);
    let expected = model::jlanes::<sha2::Sha256>(&message, 3, 5, 64);
    let mut hasher = GenericJLanes::<Sha256>::new(3, 5).unwrap();
    Digest::update(&mut hasher, b"something else");
    Reset::reset(&mut hasher);
    for _ in 0..2 {
        Digest::update(&mut hasher, &message);
        assert_eq!(hasher.finalize_fixed_reset(), expected);
    }
    let expected = model::jlanes_raw::<sha2::Sha256>(&message, 3, 5);
    let hasher = GenericJLanesRaw::<Sha256>::new(3, 5).unwrap();
    assert_eq!(hasher.chain_update(&message).finalize(), expected);
}

/// Known answers of ISA-L.
#[test]
fn multi_hash() {
    for record in corpus("mh").iter().filter(|record| record.text("alg") == "mh_sha256") {
        let (message, expected) = (record.message(), record.hex("digest_hex"));
        let mut hasher = MultiHash::<Sha256>::default();
        Digest::update(&mut hasher, b"something else");
        Reset::reset(&mut hasher);
        for piece in [100, 1025, 1 << 20] {
            message.chunks(piece).for_each(|piece| Digest::update(&mut hasher, piece));
            assert_eq!(hasher.finalize_fixed_reset()[..], expected, "{}", record.name());
        }
    }
    let memory = MultiHash::<Sha256>::to_memory_order(core::array::from_fn(|i| i as u8).into());
    assert_eq!(memory[..6], [3, 2, 1, 0, 7, 6]);
}

#[test]
fn a_multi_hash_is_named_after_its_hash() {
    assert_eq!(names(&MultiHash::<Sha256>::default()), ["MhSha256", "MhSha256 { ... }"]);
}

#[test]
fn errors_name_what_was_asked_for() {
    let text = |error: TreeError| error.to_string();
    assert_eq!(text(TreeError::Lanes(257)), "257 lanes are not between 1 and 256");
    assert_eq!(text(TreeError::Word(0)), "a word of 0 bytes is empty or exceeds a block");
    assert_eq!(text(TreeError::Block(16)), "a block of 16 bytes is shorter than 32 bytes");
    assert_eq!(text(TreeError::EmptyLeaf), "leaves of no bytes");
}
