//! SHA-1 (section 6.1).

use super::{
    constants::{H_1, K_1},
    padding::Padded,
};

/// SHA-1 of `message`.
#[must_use]
pub fn sha1(message: &[u8]) -> [u8; 20] {
    let message = Padded::<4>::new(message);
    let mut h = H_1;
    for i in 0..message.blocks {
        let mut w = [0; 80];
        for t in 0..80 {
            w[t] = match t {
                0..16 => u32::from_be_bytes(message.word(i, t)),
                _ => (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1),
            };
        }
        let [mut a, mut b, mut c, mut d, mut e] = h;
        for t in 0..80 {
            let temp = (a.rotate_left(5).wrapping_add(f(t, b, c, d)).wrapping_add(e))
                .wrapping_add(K_1[t / 20])
                .wrapping_add(w[t]);
            e = d;
            d = c;
            c = b.rotate_left(30);
            b = a;
            a = temp;
        }
        for (h, v) in h.iter_mut().zip([a, b, c, d, e]) {
            *h = h.wrapping_add(v);
        }
    }
    let mut digest = [0; 20];
    for (bytes, h) in digest.chunks_mut(4).zip(h) {
        bytes.copy_from_slice(&h.to_be_bytes());
    }
    digest
}

/// `f_t` (section 4.1.1).
fn f(t: usize, x: u32, y: u32, z: u32) -> u32 {
    match t {
        0..20 => (x & y) ^ (!x & z),
        40..60 => (x & y) ^ (x & z) ^ (y & z),
        _ => x ^ y ^ z,
    }
}
