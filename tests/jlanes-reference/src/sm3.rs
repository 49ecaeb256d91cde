//! SM3 (GB/T 32905-2016, which ISO/IEC 10118-3:2018 repeats).

use super::padding::Padded;

/// SM3 of `message`.
#[must_use]
pub fn sm3(message: &[u8]) -> [u8; 32] {
    let message = Padded::<4>::new(message);
    let mut v = IV;
    for i in 0..message.blocks {
        v = cf(v, |j| u32::from_be_bytes(message.word(i, j)));
    }
    core::array::from_fn(|i| v[i / 4].to_be_bytes()[i % 4])
}

/// `IV` (section 4.1).
const IV: [u32; 8] = [
    0x7380_166f,
    0x4914_b2b9,
    0x1724_42d7,
    0xda8a_0600,
    0xa96f_30bc,
    0x1631_38aa,
    0xe38d_ee4d,
    0xb0fb_0e4e,
];

/// The compression function `CF(V, B)` (section 5.3).
fn cf(v: [u32; 8], b: impl Fn(usize) -> u32) -> [u32; 8] {
    // section 5.3.2
    let mut w = [0; 68];
    for j in 0..68 {
        w[j] = match j {
            0..16 => b(j),
            _ => {
                p_1(w[j - 16] ^ w[j - 9] ^ w[j - 3].rotate_left(15))
                    ^ w[j - 13].rotate_left(7)
                    ^ w[j - 6]
            }
        };
    }
    let w_prime: [u32; 64] = core::array::from_fn(|j| w[j] ^ w[j + 4]);
    // section 5.3.3
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = v;
    for j in 0..64 {
        let ss_1 = (a.rotate_left(12).wrapping_add(e))
            .wrapping_add(t(j).rotate_left(j as u32 % 32))
            .rotate_left(7);
        let ss_2 = ss_1 ^ a.rotate_left(12);
        let tt_1 = ff(j, a, b, c).wrapping_add(d).wrapping_add(ss_2).wrapping_add(w_prime[j]);
        let tt_2 = gg(j, e, f, g).wrapping_add(h).wrapping_add(ss_1).wrapping_add(w[j]);
        d = c;
        c = b.rotate_left(9);
        b = a;
        a = tt_1;
        h = g;
        g = f.rotate_left(19);
        f = e;
        e = p_0(tt_2);
    }
    let new = [a, b, c, d, e, f, g, h];
    core::array::from_fn(|i| new[i] ^ v[i])
}

/// `T_j` (section 4.2).
fn t(j: usize) -> u32 {
    if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a }
}

// section 4.3

fn ff(j: usize, x: u32, y: u32, z: u32) -> u32 {
    if j < 16 { x ^ y ^ z } else { (x & y) | (x & z) | (y & z) }
}

fn gg(j: usize, x: u32, y: u32, z: u32) -> u32 {
    if j < 16 { x ^ y ^ z } else { (x & y) | (!x & z) }
}

// section 4.4

fn p_0(x: u32) -> u32 {
    x ^ x.rotate_left(9) ^ x.rotate_left(17)
}

fn p_1(x: u32) -> u32 {
    x ^ x.rotate_left(15) ^ x.rotate_left(23)
}
