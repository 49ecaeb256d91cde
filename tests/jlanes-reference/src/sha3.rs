//! SHA-3 and SHAKE (FIPS 202, section 6), and Keccak as submitted to NIST, which appends no bits to
//! the message.

use super::keccak::{absorbed, sponge};

/// The message is followed by 01 (section 6.1).
const SHA3: u8 = 0b1_10;
/// The message is followed by 1111 (section 6.2).
pub(super) const SHAKE: u8 = 0b1_1111;
/// Nothing follows the message.
const KECCAK: u8 = 0b1;

/// SHA3-224 of `message`.
#[must_use]
pub fn sha3_224(message: &[u8]) -> [u8; 28] {
    digest(message, SHA3)
}

/// SHA3-256 of `message`.
#[must_use]
pub fn sha3_256(message: &[u8]) -> [u8; 32] {
    digest(message, SHA3)
}

/// SHA3-384 of `message`.
#[must_use]
pub fn sha3_384(message: &[u8]) -> [u8; 48] {
    digest(message, SHA3)
}

/// SHA3-512 of `message`.
#[must_use]
pub fn sha3_512(message: &[u8]) -> [u8; 64] {
    digest(message, SHA3)
}

/// Keccak-224 of `message`, with the padding of the submission.
#[must_use]
pub fn keccak224(message: &[u8]) -> [u8; 28] {
    digest(message, KECCAK)
}

/// Keccak-256 of `message`, with the padding of the submission, as in Ethereum.
#[must_use]
pub fn keccak256(message: &[u8]) -> [u8; 32] {
    digest(message, KECCAK)
}

/// The whole state after Keccak-256 of `message`, as in CryptoNight.
#[must_use]
pub fn keccak256full(message: &[u8]) -> [u8; 200] {
    absorbed((1600 - 512) / 8, 24, message.iter().copied(), KECCAK)
}

/// Keccak-384 of `message`, with the padding of the submission.
#[must_use]
pub fn keccak384(message: &[u8]) -> [u8; 48] {
    digest(message, KECCAK)
}

/// Keccak-512 of `message`, with the padding of the submission.
#[must_use]
pub fn keccak512(message: &[u8]) -> [u8; 64] {
    digest(message, KECCAK)
}

/// SHAKE128 of `message`, of as many bytes as `out` has.
pub fn shake128(message: &[u8], out: &mut [u8]) {
    keccak(256, message.iter().copied(), SHAKE, out);
}

/// SHAKE256 of `message`, of as many bytes as `out` has.
pub fn shake256(message: &[u8], out: &mut [u8]) {
    keccak(512, message.iter().copied(), SHAKE, out);
}

/// The capacity is twice the digest's length.
fn digest<const N: usize>(message: &[u8], suffix: u8) -> [u8; N] {
    let mut digest = [0; N];
    keccak(2 * 8 * N, message.iter().copied(), suffix, &mut digest);
    digest
}

/// `KECCAK[c]` (section 5.2), with a capacity of `c` bits.
pub(super) fn keccak(c: usize, message: impl Iterator<Item = u8>, suffix: u8, out: &mut [u8]) {
    sponge((1600 - c) / 8, 24, message, suffix, out);
}
