//! SHA-256 and SHA-224 (sections 6.2 and 6.3).

use super::{
    constants::{H_224, H_256, K_256},
    padding::Padded,
};

/// SHA-224 of `message`.
#[must_use]
pub fn sha224(message: &[u8]) -> [u8; 28] {
    leftmost(hash(H_224, message))
}

/// SHA-256 of `message`.
#[must_use]
pub fn sha256(message: &[u8]) -> [u8; 32] {
    leftmost(hash(H_256, message))
}

/// `H(N)` of `message`, from the initial value `h`.
fn hash(mut h: [u32; 8], message: &[u8]) -> [u32; 8] {
    let message = Padded::<4>::new(message);
    for i in 0..message.blocks {
        let mut w = [0_u32; 64];
        for t in 0..64 {
            w[t] = match t {
                0..16 => u32::from_be_bytes(message.word(i, t)),
                _ => sigma1(w[t - 2])
                    .wrapping_add(w[t - 7])
                    .wrapping_add(sigma0(w[t - 15]))
                    .wrapping_add(w[t - 16]),
            };
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut last] = h;
        for t in 0..64 {
            let t1 = (last.wrapping_add(big_sigma1(e)).wrapping_add(ch(e, f, g)))
                .wrapping_add(K_256[t])
                .wrapping_add(w[t]);
            let t2 = big_sigma0(a).wrapping_add(maj(a, b, c));
            last = g;
            g = f;
            f = e;
            e = d.wrapping_add(t1);
            d = c;
            c = b;
            b = a;
            a = t1.wrapping_add(t2);
        }
        for (h, v) in h.iter_mut().zip([a, b, c, d, e, f, g, last]) {
            *h = h.wrapping_add(v);
        }
    }
    h
}

/// The leftmost `N` bytes of the words.
fn leftmost<const N: usize>(h: [u32; 8]) -> [u8; N] {
    core::array::from_fn(|i| h[i / 4].to_be_bytes()[i % 4])
}

// section 4.1.2

fn ch(x: u32, y: u32, z: u32) -> u32 {
    (x & y) ^ (!x & z)
}

fn maj(x: u32, y: u32, z: u32) -> u32 {
    (x & y) ^ (x & z) ^ (y & z)
}

fn big_sigma0(x: u32) -> u32 {
    x.rotate_right(2) ^ x.rotate_right(13) ^ x.rotate_right(22)
}

fn big_sigma1(x: u32) -> u32 {
    x.rotate_right(6) ^ x.rotate_right(11) ^ x.rotate_right(25)
}

fn sigma0(x: u32) -> u32 {
    x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3)
}

fn sigma1(x: u32) -> u32 {
    x.rotate_right(17) ^ x.rotate_right(19) ^ (x >> 10)
}
