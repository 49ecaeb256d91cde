//! RIPEMD-160 (H. Dobbertin, A. Bosselaers, B. Preneel, *RIPEMD-160: A Strengthened Version of
//! RIPEMD*, 1996).

use super::{
    constants::{K_160, K_160_PRIME},
    padding::Padded,
};

/// RIPEMD-160 of `message`.
#[must_use]
pub fn ripemd160(message: &[u8]) -> [u8; 20] {
    let message = Padded::<4>::little_endian(message);
    let mut h = [0x6745_2301_u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for i in 0..message.blocks {
        let x: [u32; 16] = core::array::from_fn(|t| u32::from_le_bytes(message.word(i, t)));
        // the left line; the right one, with primed names, has the functions in reverse
        let left = line(h, x, 0, |j| j, K_160);
        let right = line(h, x, 1, |j| 79 - j, K_160_PRIME);
        let t = h[1].wrapping_add(left[2]).wrapping_add(right[3]);
        h[1] = h[2].wrapping_add(left[3]).wrapping_add(right[4]);
        h[2] = h[3].wrapping_add(left[4]).wrapping_add(right[0]);
        h[3] = h[4].wrapping_add(left[0]).wrapping_add(right[1]);
        h[4] = h[0].wrapping_add(left[1]).wrapping_add(right[2]);
        h[0] = t;
    }
    core::array::from_fn(|i| h[i / 4].to_le_bytes()[i % 4])
}

/// `A`, `B`, `C`, `D` and `E` after the 80 steps of line 0 or 1; step `j` has the function
/// `f(step_of_f(j))`.
fn line(
    h: [u32; 5],
    x: [u32; 16],
    line: usize,
    step_of_f: fn(usize) -> usize,
    k: [u32; 5],
) -> [u32; 5] {
    let [mut a, mut b, mut c, mut d, mut e] = h;
    for j in 0..80 {
        let r = r(line, j);
        let t = (a.wrapping_add(f(step_of_f(j), b, c, d)))
            .wrapping_add(x[r])
            .wrapping_add(k[j / 16])
            .rotate_left(SHIFTS[j / 16][r])
            .wrapping_add(e);
        a = e;
        e = d;
        d = c.rotate_left(10);
        c = b;
        b = t;
    }
    [a, b, c, d, e]
}

/// The message word of step `j`: round `n` of the left line reads in the order of rho^n, of the
/// right line in that of rho^n after pi.
fn r(line: usize, j: usize) -> usize {
    const RHO: [usize; 16] = [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8];
    let pi = |i: usize| (9 * i + 5) % 16;
    let first = if line == 0 { j % 16 } else { pi(j % 16) };
    (0..j / 16).fold(first, |i, _| RHO[i])
}

/// The shifts, of each round and each message word.
const SHIFTS: [[u32; 16]; 5] = [
    [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
    [12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7],
    [13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9],
    [14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6],
    [15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5],
];

/// `f(j, x, y, z)`.
fn f(j: usize, x: u32, y: u32, z: u32) -> u32 {
    match j {
        0..16 => x ^ y ^ z,
        16..32 => (x & y) | (!x & z),
        32..48 => (x | !y) ^ z,
        48..64 => (x & z) | (y & !z),
        _ => x ^ (y | !z),
    }
}
