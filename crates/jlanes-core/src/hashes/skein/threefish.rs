//! Threefish (Skein 1.3, section 3.3): one implementation for three block sizes and every lane
//! width.

use core::hint::black_box;

use super::consts;
use crate::simd::{lanes::SimdWord, portable::PlainWords};

/// The tweakable block cipher with blocks and keys of `W` words.
#[derive(Clone, Copy, Debug)]
pub struct Threefish<const W: usize>;

/// Rotations and word order of one block size.
pub(super) trait Rounds {
    /// Number of rounds.
    const ROUNDS: usize;
    /// Rotation of pair `j` in round `d`.
    fn rotation(d: usize, j: usize) -> u32;
    /// The position of word `i` in round `d`. No word is moved: the permutation renames them, and
    /// after every fourth round the names repeat.
    fn place(d: usize, i: usize) -> usize;
}

macro_rules! sizes {
    ($($words:literal, $rounds:literal, $rotations:ident, $permutation:ident;)*) => {$(
        impl Rounds for Threefish<$words> {
            const ROUNDS: usize = $rounds;

            #[inline(always)]
            fn rotation(d: usize, j: usize) -> u32 {
                consts::$rotations[d % 8][j]
            }

            #[inline(always)]
            fn place(d: usize, i: usize) -> usize {
                const PLACES: [[usize; $words]; 4] = places(&consts::$permutation);
                PLACES[d % 4][i]
            }
        }

        impl Threefish<$words> {
            /// Encrypts one block.
            #[inline] // for tests alone
            #[must_use]
            pub fn encrypt(key: &[u64; $words], tweak: [u64; 2], plain: [u64; $words])
            -> [u64; $words] {
                let vector = |word| PlainWords([word]);
                let key = Key::new((), key.map(vector), tweak.map(vector));
                encrypt((), &key, plain.map(vector)).map(|word| word.0[0])
            }
        }
    )*};
}
sizes! {
    4, 72, ROTATIONS_256, PERMUTATION_256;
    8, 72, ROTATIONS_512, PERMUTATION_512;
    16, 80, ROTATIONS_1024, PERMUTATION_1024;
}

/// The names of the words in four rounds; checks that the fifth has those of the first.
const fn places<const W: usize>(permutation: &[usize; W]) -> [[usize; W]; 4] {
    let mut places = [[0; W]; 4];
    let mut d = 0;
    while d < 5 {
        let mut i = 0;
        while i < W {
            let place = if d == 0 { i } else { places[d - 1][permutation[i]] };
            if d < 4 {
                places[d][i] = place;
            } else {
                assert!(place == i);
            }
            i += 1;
        }
        d += 1;
    }
    places
}

/// A key and a tweak, each with its parity word.
#[derive(Clone, Copy)]
pub(super) struct Key<V, const W: usize> {
    key: [V; W],
    parity: V,
    tweak: [V; 3],
}

impl<V: SimdWord<u64>, const W: usize> Key<V, W> {
    #[inline(always)]
    pub(super) fn new(proof: V::Proof, key: [V; W], [low, high]: [V; 2]) -> Self {
        let mut parity = V::splat(proof, consts::PARITY);
        for i in 0..W {
            parity = parity.xor(key[i]);
        }
        Self { key, parity, tweak: [low, high, low.xor(high)] }
    }

    /// Adds subkey `s`.
    #[inline(always)]
    fn add(&self, proof: V::Proof, v: &mut [V; W], s: usize) {
        for i in 0..W {
            let n = (s + i) % (W + 1);
            v[i] = v[i].add(if n == W { self.parity } else { self.key[n] });
        }
        v[W - 3] = v[W - 3].add(self.tweak[s % 3]);
        v[W - 2] = v[W - 2].add(self.tweak[(s + 1) % 3]);
        v[W - 1] = v[W - 1].add(V::splat(proof, s as u64));
    }
}

/// Round `D`: the pairs are mixed, and the permutation renames the words.
#[inline(always)]
fn round<V: SimdWord<u64>, const W: usize, const D: usize>(v: &mut [V; W])
where
    Threefish<W>: Rounds,
{
    for j in 0..W / 2 {
        let a = Threefish::<W>::place(D, 2 * j);
        let b = Threefish::<W>::place(D, 2 * j + 1);
        v[a] = v[a].add(v[b]);
        v[b] = v[b].rotr(64 - Threefish::<W>::rotation(D, j)).xor(v[a]);
    }
}

/// Subkey `S` and the four rounds after it, for each literal: the indices into the key schedule,
/// which has a period of `W + 1` subkeys, must be constants for it to live in registers.
macro_rules! four_rounds {
    ($s:ident => $body:block) => {
        four_rounds!(@ $s $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19)
    };
    (@ $s:ident $body:block $($n:literal)*) => {
        $({ const $s: usize = $n; $body })*
    };
}

/// Encrypts one block of every lane.
///
/// IMPLEMENTATION NOTE. Sixteen scalar registers hold the block but not the key, so scalar code
/// takes the key from memory, as one operand of each addition. LLVM sees through the array,
/// regroups the sums of state and key words, and spills their parts: twice the instructions. Hiding
/// the key's address before each use prevents that: 0.77 GB/s instead of 0.45 (Threefish-512 on an
/// AMD EPYC, Zen 4, 2026-11-21). Vector code does not need this, and loses 5 % by it if there are
/// enough registers.
#[inline(always)]
pub(super) fn encrypt<V: SimdWord<u64>, const W: usize>(
    proof: V::Proof,
    key: &Key<V, W>,
    mut v: [V; W],
) -> [V; W]
where
    Threefish<W>: Rounds,
{
    let mut key = key;
    four_rounds!(S => {
        if S < Threefish::<W>::ROUNDS / 4 {
            if V::N == 1 {
                key = black_box(key);
            }
            key.add(proof, &mut v, S);
            match S % 2 {
                0 => {
                    round::<V, W, 0>(&mut v);
                    round::<V, W, 1>(&mut v);
                    round::<V, W, 2>(&mut v);
                    round::<V, W, 3>(&mut v);
                }
                _ => {
                    round::<V, W, 4>(&mut v);
                    round::<V, W, 5>(&mut v);
                    round::<V, W, 6>(&mut v);
                    round::<V, W, 7>(&mut v);
                }
            }
        }
    });
    if V::N == 1 {
        key = black_box(key);
    }
    key.add(proof, &mut v, Threefish::<W>::ROUNDS / 4);
    v
}
