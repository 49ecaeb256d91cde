//! MD5 (RFC 1321).

use super::{constants::T, padding::Padded};

/// MD5 of `message`.
#[must_use]
pub fn md5(message: &[u8]) -> [u8; 16] {
    let message = Padded::<4>::little_endian(message);
    let mut state = [0x6745_2301_u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in 0..message.blocks {
        let x: [u32; 16] = core::array::from_fn(|k| u32::from_le_bytes(message.word(block, k)));
        let [mut a, mut b, mut c, mut d] = state;
        for i in 0..64 {
            let sum = a.wrapping_add(function(i, b, c, d)).wrapping_add(x[k(i)]).wrapping_add(T[i]);
            let new = b.wrapping_add(sum.rotate_left(S[i / 16][i % 4]));
            // the next operation is [DABC k s i]
            (a, b, c, d) = (d, new, b, c);
        }
        for (word, addend) in state.iter_mut().zip([a, b, c, d]) {
            *word = word.wrapping_add(addend);
        }
    }
    core::array::from_fn(|i| state[i / 4].to_le_bytes()[i % 4])
}

/// `s` of each round, over four operations.
const S: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// `k` of the operation that adds `T[i + 1]`, where the RFC lists 0 1 2 .., 1 6 11 .., 5 8 11 ..
/// and 0 7 14 ...
fn k(i: usize) -> usize {
    match i / 16 {
        0 => i % 16,
        1 => (1 + 5 * i) % 16,
        2 => (5 + 3 * i) % 16,
        _ => 7 * i % 16,
    }
}

/// `F`, `G`, `H` or `I` (section 3.4).
fn function(i: usize, x: u32, y: u32, z: u32) -> u32 {
    match i / 16 {
        0 => (x & y) | (!x & z),
        1 => (x & z) | (y & !z),
        2 => x ^ y ^ z,
        _ => y ^ (x | !z),
    }
}
