//! MD5, generic over lanes (RFC 1321). It is broken: collisions take seconds.
//!
//! It exists for existing lists, S3's ETags and download pages; use SHA-256 for anything new.

use core::hint::black_box;

use digest::consts::U16;

use crate::{
    compression::Compression,
    hash::HashFunction,
    hashes::hash_core::merkle_damgard,
    simd::vector::{ByteOrder, SimdWord},
    unroll::unroll,
};

/// Initial value (RFC 1321, section 3.3).
pub const IV: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// `T` (section 3.4), from `T[1]` on.
#[rustfmt::skip]
pub const T: [u32; 64] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
];

/// Rotations to the left, of each round over four operations.
const S: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The word that each operation of a round takes: `(step * i + first) mod 16`.
const WORDS: [(usize, usize); 4] = [(1, 0), (5, 1), (3, 5), (7, 0)];

/// MD5's compression function.
#[derive(Clone, Copy, Debug)]
pub struct Md5Compression;

/// MD5 (RFC 1321).
#[derive(Clone, Copy, Debug)]
pub struct Md5;

impl HashFunction for Md5 {
    type Compression = Md5Compression;
    type OutputSize = U16;
    const NAME: &'static str = "Md5";

    #[inline]
    fn start() -> [u32; 4] {
        IV
    }
}

merkle_damgard!(Md5Compression, U64, U24);

impl Compression for Md5Compression {
    type Word = u32;
    type State<T: Copy> = [T; 4];
    type Block<T: Copy> = [T; 16];
    /// Two registers, because each operation depends on the one before.
    const MAX_LANES: usize = 32;
    const BLOCK_BYTES: usize = 64;
    const ORDER: ByteOrder = ByteOrder::Little;

    #[inline(always)]
    fn compress<V: SimdWord<u32>>(proof: V::Proof, state: &mut [V; 4], x: [V; 16]) {
        // The compiler adds constants last, after `b`, and so one lane would wait for one more
        // operation in each step. It does not know what it reads from memory.
        let t = if V::N == 1 { black_box(&T) } else { &T };
        rounds(proof, state, |k, step| x[k].add(V::splat(proof, t[step])));
    }
}

/// The four rounds; `word(k, i)` is `X[k] + T[i + 1]`.
#[inline(always)]
fn rounds<V: SimdWord<u32>>(
    proof: V::Proof,
    state: &mut [V; 4],
    word: impl Fn(usize, usize) -> V + Copy,
) {
    let mut s = *state;
    unroll!(4, r => { round(proof, r, &mut s, word); });
    for i in 0..4 {
        state[i] = state[i].add(s[i]);
    }
}

/// Round `r`, of sixteen operations. The variables are renamed instead of moved.
#[inline(always)]
fn round<V: SimdWord<u32>>(
    proof: V::Proof,
    r: usize,
    s: &mut [V; 4],
    word: impl Fn(usize, usize) -> V,
) {
    let (step, first) = WORDS[r];
    unroll!(16, i => {
        let at = |name: usize| (4 + name - i % 4) % 4;
        let [a, b, c, d] = [s[at(0)], s[at(1)], s[at(2)], s[at(3)]];
        // `b` is available last
        let early = a.add(word((step * i + first) % 16, 16 * r + i)).fence();
        let sum = match r {
            0 => early.add(V::ch(b, c, d)),
            // `G`, with two disjoint halves: on one lane, the half without `b` is added early
            1 if V::N == 1 => early.add(d.andnot(c)).fence().add(d.and(b)),
            1 => early.add(V::ch(d, b, c)),
            2 => early.add(V::xor3(c, d, b)),
            _ => early.add(c.xor(b.or(d.xor(V::splat(proof, u32::MAX))))),
        };
        s[at(0)] = b.add(sum.rotr(32 - S[r][i % 4]));
    });
}
