//! SM3 (GB/T 32905-2016, ISO/IEC 10118-3:2018), generic over lanes.

use digest::consts::U32;

use crate::{
    hash::{HashFunction, compression::Compression},
    simd::lanes::{ByteOrder, SimdWord},
    unroll::unroll,
};

/// Initial value (section 4.1).
pub const IV: [u32; 8] = [
    0x7380_166f,
    0x4914_b2b9,
    0x1724_42d7,
    0xda8a_0600,
    0xa96f_30bc,
    0x1631_38aa,
    0xe38d_ee4d,
    0xb0fb_0e4e,
];

/// `T` of the first sixteen rounds, and of the others (section 4.2).
const T: [u32; 2] = [0x79cc_4519, 0x7a87_9d8a];

/// SM3's compression function.
#[derive(Clone, Copy, Debug)]
pub struct Sm3Compression;

/// SM3.
#[derive(Clone, Copy, Debug)]
pub struct Sm3;

impl HashFunction for Sm3 {
    type Compression = Sm3Compression;
    type OutputSize = U32;
    const NAME: &'static str = "Sm3";

    #[inline]
    fn start() -> [u32; 8] {
        IV
    }
}

impl Compression for Sm3Compression {
    type Word = u32;
    type State<T: Copy> = [T; 8];
    type Block<T: Copy> = [T; 16];
    type PerLane<T: Copy> = [T; 16];
    const BLOCK: usize = 64;
    const ORDER: ByteOrder = ByteOrder::Big;

    #[inline(always)]
    fn compress<V: SimdWord<u32>>(proof: V::Proof, state: &mut [V; 8], mut w: [V; 16]) {
        let mut s = *state;
        unroll!(4, stage => { rounds(proof, stage, &mut s, &mut w); });
        feed_forward(state, s);
    }
}

/// Rounds `16 * stage` to `16 * stage + 15`.
#[inline(always)]
fn rounds<V: SimdWord<u32>>(proof: V::Proof, stage: usize, s: &mut [V; 8], w: &mut [V; 16]) {
    unroll!(16, i => {
        if 16 * stage + i >= 12 {
            next_word(w, 16 * stage + i + 4);
        }
        let (word, later) = (w[i], w[(i + 4) % 16]);
        round(proof, 16 * stage + i, s, word, word.xor(later));
    });
}

/// Round `j` (section 5.3.3) with `W_j` and `W'_j`. The variables of either half are renamed
/// instead of moved.
#[inline(always)]
fn round<V: SimdWord<u32>>(proof: V::Proof, j: usize, s: &mut [V; 8], w: V, w_prime: V) {
    let at = |name: usize| (4 + name - j % 4) % 4;
    let [a, b, c, d] = [s[at(0)], s[at(1)], s[at(2)], s[at(3)]];
    let [e, f, g, h] = [s[4 + at(0)], s[4 + at(1)], s[4 + at(2)], s[4 + at(3)]];
    let t = V::splat(proof, T[usize::from(j >= 16)].rotate_left(j as u32 % 32));
    let a12 = a.rotr(20);
    let ss1 = e.add(t).fence().add(a12).rotr(25);
    let (ff, gg) = match j / 16 {
        0 => (V::xor3(a, b, c), V::xor3(e, f, g)),
        _ => (V::maj(a, b, c), V::ch(e, f, g)),
    };
    // in order of availability
    let tt1 = d.add(w_prime).fence().add(ff).fence().add(ss1.xor(a12));
    let tt2 = h.add(w).fence().add(gg).fence().add(ss1);
    s[at(1)] = b.rotr(23);
    s[at(3)] = tt1;
    s[4 + at(1)] = f.rotr(13);
    s[4 + at(3)] = V::xor3(tt2, tt2.rotr(23), tt2.rotr(15));
}

/// `W_j` replaces the word sixteen before it; `w` is a ring of the last sixteen.
#[inline(always)]
fn next_word<V: SimdWord<u32>>(w: &mut [V; 16], j: usize) {
    let before = |n: usize| w[(j + 16 - n) % 16];
    let x = V::xor3(before(16), before(9), before(3).rotr(17));
    let p1 = V::xor3(x, x.rotr(17), x.rotr(9));
    w[j % 16] = V::xor3(p1, before(13).rotr(25), before(6));
}

#[inline(always)]
fn feed_forward<V: SimdWord<u32>>(state: &mut [V; 8], s: [V; 8]) {
    for i in 0..8 {
        state[i] = state[i].xor(s[i]);
    }
}
