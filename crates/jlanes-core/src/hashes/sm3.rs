//! SM3 (GB/T 32905-2016, ISO/IEC 10118-3:2018), generic over lanes.

use digest::consts::U32;

use crate::{
    compression::Compression,
    hash::HashFunction,
    hashes::hash_core::merkle_damgard,
    simd::vector::{ByteOrder, SimdWord},
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

/// `T_j <<< j` of every round.
pub const ROTATED: [u32; 64] = {
    let mut rotated = [0; 64];
    let mut j = 0;
    while j < 64 {
        rotated[j] = T[(j >= 16) as usize].rotate_left(j as u32 % 32);
        j += 1;
    }
    rotated
};

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

merkle_damgard!(Sm3Compression, U64, U40);

impl Compression for Sm3Compression {
    type Word = u32;
    type State<T: Copy> = [T; 8];
    type Block<T: Copy> = [T; 16];
    const MAX_LANES: usize = 16;
    const BLOCK_BYTES: usize = 64;
    const ORDER: ByteOrder = ByteOrder::Big;

    #[inline(always)]
    fn compress<V: SimdWord<u32>>(proof: V::Proof, state: &mut [V; 8], mut w: [V; 16]) {
        let mut s = *state;
        unroll!(16, i => {
            if i >= 12 {
                next_word(&mut w, i + 4);
            }
            round::<V, false>(proof, i, &mut s, &w, ROTATED[i]);
        });
        if V::N == 1 {
            // in scalar code the constants are immediate operands
            unroll!(16, i => { late_round(proof, i, &mut s, &mut w, T[1].rotate_left(16 + i as u32)); });
            unroll!(16, i => { late_round(proof, i, &mut s, &mut w, T[1].rotate_left(i as u32)); });
            unroll!(16, i => { late_round(proof, i, &mut s, &mut w, T[1].rotate_left(16 + i as u32)); });
        } else {
            for t in ROTATED[16..].chunks_exact(16) {
                unroll!(16, i => { late_round(proof, i, &mut s, &mut w, t[i]); });
            }
        }
        feed_forward(state, s);
    }
}

/// A round from the sixteenth on, and the word that it needs first.
#[inline(always)]
fn late_round<V: SimdWord<u32>>(
    proof: V::Proof,
    j: usize,
    s: &mut [V; 8],
    w: &mut [V; 16],
    t: u32,
) {
    next_word(w, j + 4);
    round::<V, true>(proof, j, s, w, t);
}

/// Round `j` modulo 16 (section 5.3.3), with `w` the ring of words; `LATE` from round 16 on. The
/// variables of either half are renamed instead of moved.
#[inline(always)]
fn round<V: SimdWord<u32>, const LATE: bool>(
    proof: V::Proof,
    j: usize,
    s: &mut [V; 8],
    w: &[V; 16],
    t: u32,
) {
    let at = |name: usize| (4 + name - j % 4) % 4;
    let [a, b, c, d] = [s[at(0)], s[at(1)], s[at(2)], s[at(3)]];
    let [e, f, g, h] = [s[4 + at(0)], s[4 + at(1)], s[4 + at(2)], s[4 + at(3)]];
    let (word, later) = (w[j], w[(j + 4) % 16]);
    let a12 = a.rotr(20);
    let ss1 = e.add(V::splat(proof, t)).fence().add(a12).rotr(25);
    let (ff, gg) = match LATE {
        false => (V::xor3(a, b, c), V::xor3(e, f, g)),
        true => (V::maj(a, b, c), V::ch(e, f, g)),
    };
    // in order of availability
    let tt1 = d.add(word.xor(later)).fence().add(ff).fence().add(ss1.xor(a12));
    let tt2 = h.add(word).fence().add(gg).fence().add(ss1);
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
