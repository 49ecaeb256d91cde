//! The constants of the code that ships, against their definition.

use jlanes_core::{
    compression::Compression,
    hash::HashFunction,
    hashes::{
        keccak::permutation,
        md5, ripemd160,
        sha1::{self, Sha1, Sha1Compression},
        sha2::{Sha2, consts},
    },
};
use jlanes_reference::{constants, initial_value_of};

#[test]
fn round_constants_are_cube_roots() {
    assert_eq!(consts::K32, constants::K_256);
    assert_eq!(consts::K64, constants::K_512);
}

#[test]
fn initial_values_are_square_roots() {
    assert_eq!(consts::IV_224, constants::H_224);
    assert_eq!(consts::IV_256, constants::H_256);
    assert_eq!(consts::IV_384, constants::H_384);
    assert_eq!(consts::IV_512, constants::H_512);
}

#[test]
fn truncated_sha512_starts_at_the_hash_of_its_name() {
    assert_eq!(consts::IV_512_224, initial_value_of(b"SHA-512/224"));
    assert_eq!(consts::IV_512_256, initial_value_of(b"SHA-512/256"));
}

/// A bit behind 64 bytes, and their number of bits.
#[test]
fn what_follows_a_block_is_a_bit_and_its_length() {
    let mut block = [0; 16];
    (block[0], block[15]) = (1 << 31, 8 * 64);
    let mut shared = [0; 64];
    Sha2::<u32>::share(&block, &mut shared);
    assert_eq!(consts::ONE_BLOCK_PADDING, shared);
    let mut shared = [0; sha1::ROUNDS];
    Sha1Compression::share(&block, &mut shared);
    assert_eq!(Sha1::ONE_BLOCK_PADDING, Some(&shared[..]));
}

/// The reference has lane (x, y) at `[x][y]`, the code at `x + 5 * y`.
#[test]
fn keccak_constants_are_the_shift_registers_and_walk() {
    assert_eq!(permutation::RC[..], constants::RC[..]);
    for (i, offset) in permutation::RHO.iter().enumerate() {
        assert_eq!(*offset, constants::RHO[i % 5][i / 5], "word {i}");
    }
}

#[test]
fn sha1_constants_are_square_roots_and_digits() {
    assert_eq!(sha1::K, constants::K_1);
    assert_eq!(sha1::IV, constants::H_1);
}

#[test]
fn md5_constants_are_sines_and_digits() {
    assert_eq!(md5::T, constants::T);
    assert_eq!(md5::IV, constants::H_1[..4]);
}

#[test]
fn ripemd160_constants_are_roots_and_digits() {
    assert_eq!(ripemd160::K, [constants::K_160, constants::K_160_PRIME]);
    assert_eq!(ripemd160::IV, constants::H_1);
}

/// The derivation and the tables agree; these few values, read in the standard, tie both to it.
#[test]
fn derivation_starts_as_printed_in_the_standard() {
    assert_eq!(constants::K_256[..2], [0x428a_2f98, 0x7137_4491]);
    assert_eq!(constants::K_512[79], 0x6c44_198c_4a47_5817);
    assert_eq!(constants::H_224[0], 0xc105_9ed8);
    assert_eq!(constants::K_1, [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6]);
}
