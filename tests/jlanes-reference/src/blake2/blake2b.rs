//! BLAKE2b: 64-bit words, twelve rounds.

use super::{Blake2, Blocks, SIGMA};
use crate::constants::H_512;

/// BLAKE2b of `message`, of as many bytes as `out` has: 1 to 64.
///
/// # Panics
/// If `out` or a parameter has a length that BLAKE2b does not know.
pub fn blake2b(parameters: &Blake2<'_>, message: &[u8], out: &mut [u8]) {
    let p = parameters.parameter_block(out.len()).map(u64::from_le_bytes);
    let mut h: [u64; 8] = core::array::from_fn(|i| IV[i] ^ p[i]);
    let d = Blocks::<8>::new(parameters.key, message);
    for i in 0..d.count {
        let m = d.block(i).map(u64::from_le_bytes);
        h = blake2b_compress(h, m, d.bytes_to(i) as u128, i + 1 == d.count);
    }
    for (i, byte) in out.iter_mut().enumerate() {
        *byte = h[i / 8].to_le_bytes()[i % 8];
    }
}

/// `IV` (section 2.6): SHA-512's initial value.
const IV: [u64; 8] = H_512;

/// The compression function `F` (section 3.2), where `t` counts the bytes up to the end of `m`.
#[must_use]
pub fn blake2b_compress(h: [u64; 8], m: [u64; 16], t: u128, last: bool) -> [u64; 8] {
    let mut v = [0; 16];
    v[..8].copy_from_slice(&h);
    v[8..].copy_from_slice(&IV);
    v[12] ^= t as u64;
    v[13] ^= (t >> 64) as u64;
    if last {
        v[14] ^= 0xffff_ffff_ffff_ffff;
    }
    for i in 0..12 {
        let s = SIGMA[i % 10];
        mix(&mut v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
        mix(&mut v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
        mix(&mut v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
        mix(&mut v, 3, 7, 11, 15, m[s[6]], m[s[7]]);

        mix(&mut v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
        mix(&mut v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
        mix(&mut v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
        mix(&mut v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
    }
    core::array::from_fn(|i| h[i] ^ v[i] ^ v[i + 8])
}

/// The mixing function `G` (section 3.1), with the rotations of section 2.1.
fn mix(v: &mut [u64; 16], a: usize, b: usize, c: usize, d: usize, x: u64, y: u64) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(32);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(24);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(63);
}
