//! RIPEMD-160, generic over lanes (H. Dobbertin, A. Bosselaers, B. Preneel, *RIPEMD-160: A
//! Strengthened Version of RIPEMD*, 1996). Its 160 bits are too few for collision resistance in new
//! uses.

use core::hint::black_box;

use digest::consts::U20;

use crate::{
    compression::Compression,
    hash::HashFunction,
    hashes::hash_core::merkle_damgard,
    simd::vector::{ByteOrder, SimdWord},
    unroll::unroll,
};

/// Initial value.
pub const IV: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// Constants added in each round of the left line, and of the right one.
pub const K: [[u32; 5]; 2] = [
    [0, 0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xa953_fd4e],
    [0x50a2_8be6, 0x5c4d_d124, 0x6d70_3ef3, 0x7a6d_76e9, 0],
];

/// The word that each step takes, by line and round.
const WORDS: [[[usize; 16]; 5]; 2] = [
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8],
        [3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12],
        [1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2],
        [4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13],
    ],
    [
        [5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12],
        [6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2],
        [15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13],
        [8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14],
        [12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11],
    ],
];

/// Rotations to the left of each step, by line and round.
const SHIFTS: [[[u32; 16]; 5]; 2] = [
    [
        [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
        [7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12],
        [11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5],
        [11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12],
        [9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6],
    ],
    [
        [8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6],
        [9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11],
        [9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5],
        [15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8],
        [8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11],
    ],
];

/// RIPEMD-160's compression function.
#[derive(Clone, Copy, Debug)]
pub struct Ripemd160Compression;

/// RIPEMD-160.
#[derive(Clone, Copy, Debug)]
pub struct Ripemd160;

impl HashFunction for Ripemd160 {
    type Compression = Ripemd160Compression;
    type OutputSize = U20;
    const NAME: &'static str = "Ripemd160";

    #[inline]
    fn start() -> [u32; 5] {
        IV
    }
}

merkle_damgard!(Ripemd160Compression, U64, U28);

impl Compression for Ripemd160Compression {
    type Word = u32;
    type State<T: Copy> = [T; 5];
    type Block<T: Copy> = [T; 16];
    const MAX_LANES: usize = 16;
    const BLOCK_BYTES: usize = 64;
    const ORDER: ByteOrder = ByteOrder::Little;

    #[inline(always)]
    fn compress<V: SimdWord<u32>>(proof: V::Proof, state: &mut [V; 5], x: [V; 16]) {
        // one lane adds constants early; the compiler does not know what it reads from memory
        let k = if V::N == 1 { black_box(&K) } else { &K };
        lines(proof, state, |word, line, round| match K[line][round] {
            0 => x[word],
            _ => x[word].add(V::splat(proof, k[line][round])),
        });
    }
}

/// Both lines; `word(i, line, round)` is `X[i]` plus the constant of that round.
#[inline(always)]
fn lines<V: SimdWord<u32>>(
    proof: V::Proof,
    state: &mut [V; 5],
    word: impl Fn(usize, usize, usize) -> V + Copy,
) {
    let mut lines = [*state; 2];
    round::<V, 0>(proof, &mut lines, word);
    round::<V, 1>(proof, &mut lines, word);
    round::<V, 2>(proof, &mut lines, word);
    round::<V, 3>(proof, &mut lines, word);
    round::<V, 4>(proof, &mut lines, word);
    let [left, right] = lines;
    *state =
        core::array::from_fn(|i| state[(i + 1) % 5].add(left[(i + 2) % 5]).add(right[(i + 3) % 5]));
}

/// Round `R` of both lines, which are independent. `R` is a constant, otherwise the word indices
/// would be looked up at run time.
#[inline(always)]
fn round<V: SimdWord<u32>, const R: usize>(
    proof: V::Proof,
    [left, right]: &mut [[V; 5]; 2],
    word: impl Fn(usize, usize, usize) -> V,
) {
    unroll!(16, i => {
        let x = |line: usize| word(WORDS[line][R][i], line, R);
        step(proof, left, 16 * R + i, R, SHIFTS[0][R][i], x(0));
        // the functions in reverse order
        step(proof, right, 16 * R + i, 4 - R, SHIFTS[1][R][i], x(1));
        let sum = index_of_a(16 * R + i);
        V::keep_interleaved(&mut left[sum], &mut right[sum]);
    });
}

/// The index of the variable `a` in step `j`, which becomes the sum.
const fn index_of_a(j: usize) -> usize {
    (5 - j % 5) % 5
}

/// Step `j` of a line, with function `f`. The variables are renamed instead of moved.
#[inline(always)]
fn step<V: SimdWord<u32>>(proof: V::Proof, s: &mut [V; 5], j: usize, f: usize, shift: u32, x: V) {
    let at = |i: usize| (index_of_a(j) + i) % 5;
    let [a, b, c, d, e] = [s[at(0)], s[at(1)], s[at(2)], s[at(3)], s[at(4)]];
    let not = |v: V| v.xor(V::splat(proof, u32::MAX));
    // `b` is available last
    let early = a.add(x).fence();
    let sum = match f {
        0 => early.add(V::xor3(c, d, b)),
        1 => early.add(V::ch(b, c, d)),
        2 => early.add(d.xor(b.or(not(c)))),
        // disjoint halves: on one lane, the half without `b` is added early
        3 if V::N == 1 => early.add(d.andnot(c)).fence().add(d.and(b)),
        3 => early.add(V::ch(d, b, c)),
        _ => early.add(b.xor(c.or(not(d)))),
    };
    s[at(0)] = sum.rotr(32 - shift).add(e);
    s[at(2)] = c.rotr(22);
}
