//! SHA-512, SHA-384 and SHA-512/t (sections 6.4 to 6.7).

use super::{
    constants::{H_384, H_512, K_512},
    padding::Padded,
};

/// SHA-384 of `message`.
#[must_use]
pub fn sha384(message: &[u8]) -> [u8; 48] {
    leftmost(hash(H_384, message))
}

/// SHA-512 of `message`.
#[must_use]
pub fn sha512(message: &[u8]) -> [u8; 64] {
    leftmost(hash(H_512, message))
}

/// SHA-512/224 of `message`.
#[must_use]
pub fn sha512_224(message: &[u8]) -> [u8; 28] {
    leftmost(hash(initial_value_of(b"SHA-512/224"), message))
}

/// SHA-512/256 of `message`.
#[must_use]
pub fn sha512_256(message: &[u8]) -> [u8; 32] {
    leftmost(hash(initial_value_of(b"SHA-512/256"), message))
}

/// The SHA-512/t IV generation function (section 5.3.6): SHA-512 of the hash function's name, from
/// an initial value that differs from SHA-512's in half of the bits.
#[must_use]
pub fn initial_value_of(name: &[u8]) -> [u64; 8] {
    hash(H_512.map(|h| h ^ 0xa5a5_a5a5_a5a5_a5a5), name)
}

/// `H(N)` of `message`, from the initial value `h`.
fn hash(mut h: [u64; 8], message: &[u8]) -> [u64; 8] {
    let message = Padded::<8>::new(message);
    for i in 0..message.blocks {
        let mut w = [0_u64; 80];
        for t in 0..80 {
            w[t] = match t {
                0..16 => u64::from_be_bytes(message.word(i, t)),
                _ => sigma1(w[t - 2])
                    .wrapping_add(w[t - 7])
                    .wrapping_add(sigma0(w[t - 15]))
                    .wrapping_add(w[t - 16]),
            };
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut last] = h;
        for t in 0..80 {
            let t1 = (last.wrapping_add(big_sigma1(e)).wrapping_add(ch(e, f, g)))
                .wrapping_add(K_512[t])
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
fn leftmost<const N: usize>(h: [u64; 8]) -> [u8; N] {
    core::array::from_fn(|i| h[i / 8].to_be_bytes()[i % 8])
}

// section 4.1.3

fn ch(x: u64, y: u64, z: u64) -> u64 {
    (x & y) ^ (!x & z)
}

fn maj(x: u64, y: u64, z: u64) -> u64 {
    (x & y) ^ (x & z) ^ (y & z)
}

fn big_sigma0(x: u64) -> u64 {
    x.rotate_right(28) ^ x.rotate_right(34) ^ x.rotate_right(39)
}

fn big_sigma1(x: u64) -> u64 {
    x.rotate_right(14) ^ x.rotate_right(18) ^ x.rotate_right(41)
}

fn sigma0(x: u64) -> u64 {
    x.rotate_right(1) ^ x.rotate_right(8) ^ (x >> 7)
}

fn sigma1(x: u64) -> u64 {
    x.rotate_right(19) ^ x.rotate_right(61) ^ (x >> 6)
}
