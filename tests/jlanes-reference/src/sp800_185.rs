//! cSHAKE, KMAC, TupleHash and ParallelHash (NIST SP 800-185), of whole bytes.

use core::iter::{once, repeat_n};

use super::sha3::{SHAKE, keccak};

/// The message is followed by 00 (section 3.3).
const CSHAKE: u8 = 0b1_00;

/// cSHAKE128(`message`, 8 * `out.len()`, `name`, `customization`), which is SHAKE128 if both strings
/// are empty. Only NIST defines names.
pub fn cshake128(message: &[u8], name: &[u8], customization: &[u8], out: &mut [u8]) {
    cshake(256, message.iter().copied(), name, customization, out);
}

/// cSHAKE256(`message`, 8 * `out.len()`, `name`, `customization`), which is SHAKE256 if both strings
/// are empty. Only NIST defines names.
pub fn cshake256(message: &[u8], name: &[u8], customization: &[u8], out: &mut [u8]) {
    cshake(512, message.iter().copied(), name, customization, out);
}

/// KMAC128(`key`, `message`, 8 * `out.len()`, `customization`).
pub fn kmac128(key: &[u8], message: &[u8], customization: &[u8], out: &mut [u8]) {
    kmac(256, key, message, 8 * out.len(), customization, out);
}

/// KMAC256(`key`, `message`, 8 * `out.len()`, `customization`).
pub fn kmac256(key: &[u8], message: &[u8], customization: &[u8], out: &mut [u8]) {
    kmac(512, key, message, 8 * out.len(), customization, out);
}

/// KMACXOF128(`key`, `message`, 8 * `out.len()`, `customization`).
pub fn kmacxof128(key: &[u8], message: &[u8], customization: &[u8], out: &mut [u8]) {
    kmac(256, key, message, 0, customization, out);
}

/// KMACXOF256(`key`, `message`, 8 * `out.len()`, `customization`).
pub fn kmacxof256(key: &[u8], message: &[u8], customization: &[u8], out: &mut [u8]) {
    kmac(512, key, message, 0, customization, out);
}

/// TupleHash128(`items`, 8 * `out.len()`, `customization`).
pub fn tuplehash128(items: &[&[u8]], customization: &[u8], out: &mut [u8]) {
    tuple_hash(256, items, 8 * out.len(), customization, out);
}

/// TupleHash256(`items`, 8 * `out.len()`, `customization`).
pub fn tuplehash256(items: &[&[u8]], customization: &[u8], out: &mut [u8]) {
    tuple_hash(512, items, 8 * out.len(), customization, out);
}

/// TupleHashXOF128(`items`, 8 * `out.len()`, `customization`).
pub fn tuplehashxof128(items: &[&[u8]], customization: &[u8], out: &mut [u8]) {
    tuple_hash(256, items, 0, customization, out);
}

/// TupleHashXOF256(`items`, 8 * `out.len()`, `customization`).
pub fn tuplehashxof256(items: &[&[u8]], customization: &[u8], out: &mut [u8]) {
    tuple_hash(512, items, 0, customization, out);
}

/// ParallelHash128(`message`, `block_size`, 8 * `out.len()`, `customization`). The output's length
/// is hashed too, so a shorter output is not a prefix of a longer one.
///
/// # Panics
/// If `block_size` is 0.
pub fn parallelhash128(message: &[u8], block_size: usize, customization: &[u8], out: &mut [u8]) {
    parallel_hash::<32>(message, block_size, 8 * out.len(), customization, out);
}

/// ParallelHash256(`message`, `block_size`, 8 * `out.len()`, `customization`).
///
/// # Panics
/// If `block_size` is 0.
pub fn parallelhash256(message: &[u8], block_size: usize, customization: &[u8], out: &mut [u8]) {
    parallel_hash::<64>(message, block_size, 8 * out.len(), customization, out);
}

/// ParallelHashXOF128(`message`, `block_size`, 8 * `out.len()`, `customization`).
///
/// # Panics
/// If `block_size` is 0.
pub fn parallelhashxof128(message: &[u8], block_size: usize, customization: &[u8], out: &mut [u8]) {
    parallel_hash::<32>(message, block_size, 0, customization, out);
}

/// ParallelHashXOF256(`message`, `block_size`, 8 * `out.len()`, `customization`).
///
/// # Panics
/// If `block_size` is 0.
pub fn parallelhashxof256(message: &[u8], block_size: usize, customization: &[u8], out: &mut [u8]) {
    parallel_hash::<64>(message, block_size, 0, customization, out);
}

/// Sections 6.3 and 6.3.1. The digests of the blocks have `N` bytes, as many as the capacity; `l`
/// is 0 for the XOF.
fn parallel_hash<const N: usize>(x: &[u8], b: usize, l: usize, s: &[u8], out: &mut [u8]) {
    assert!(b > 0, "blocks of no bytes");
    // 0 for an empty message, which has no block
    let n = x.len().div_ceil(b);
    let z = (left_encode(b))
        .chain(x.chunks(b).flat_map(|block| {
            let mut z_i = [0; N];
            cshake(8 * N, block.iter().copied(), b"", b"", &mut z_i);
            z_i
        }))
        .chain(right_encode(n))
        .chain(right_encode(l));
    cshake(8 * N, z, b"ParallelHash", s, out);
}

/// Sections 4.3 and 4.3.1, with a capacity of `c` bits; `l` is 0 for the XOF.
fn kmac(c: usize, k: &[u8], x: &[u8], l: usize, s: &[u8], out: &mut [u8]) {
    let new_x = bytepad(encode_string(k), (1600 - c) / 8).chain(x.iter().copied());
    cshake(c, new_x.chain(right_encode(l)), b"KMAC", s, out);
}

/// Sections 5.3 and 5.3.1, with a capacity of `c` bits; `l` is 0 for the XOF.
fn tuple_hash(c: usize, x: &[&[u8]], l: usize, s: &[u8], out: &mut [u8]) {
    let z = x.iter().flat_map(|x_i| encode_string(x_i));
    cshake(c, z.chain(right_encode(l)), b"TupleHash", s, out);
}

/// Section 3.3, with a capacity of `c` bits.
fn cshake(c: usize, x: impl Iterator<Item = u8>, n: &[u8], s: &[u8], out: &mut [u8]) {
    if n.is_empty() && s.is_empty() {
        keccak(c, x, SHAKE, out);
    } else {
        let header = encode_string(n).chain(encode_string(s));
        keccak(c, bytepad(header, (1600 - c) / 8).chain(x), CSHAKE, out);
    }
}

/// `left_encode(x)` (section 2.3.1): the number of bytes of `x`, followed by these, at least one.
fn left_encode(x: usize) -> impl Iterator<Item = u8> + Clone {
    once(length(x) as u8).chain(bytes(x))
}

/// `right_encode(x)` (section 2.3.1): the bytes of `x`, followed by their number.
fn right_encode(x: usize) -> impl Iterator<Item = u8> + Clone {
    bytes(x).chain(once(length(x) as u8))
}

/// The smallest positive `n` for which 2^(8n) > `x`.
fn length(x: usize) -> u32 {
    (1..).find(|n| 1_u128 << (8 * n) > x as u128).unwrap_or_default()
}

/// The digits `x_1` to `x_n` of `x` to the base of 256, the highest first.
fn bytes(x: usize) -> impl Iterator<Item = u8> + Clone {
    let n = length(x);
    (1..=n).map(move |i| (x >> (8 * (n - i))) as u8)
}

/// `encode_string(S)` (section 2.3.2): the length is in bits.
fn encode_string(s: &[u8]) -> impl Iterator<Item = u8> + Clone {
    left_encode(8 * s.len()).chain(s.iter().copied())
}

/// `bytepad(X, w)` (section 2.3.3).
fn bytepad(x: impl Iterator<Item = u8> + Clone, w: usize) -> impl Iterator<Item = u8> {
    let z = left_encode(w).chain(x);
    let len = z.clone().count();
    z.chain(repeat_n(0, len.next_multiple_of(w) - len))
}
