//! Threefish (Skein 1.3, section 3.3): one implementation for three block sizes and every lane
//! width.

use core::hint::black_box;

use super::consts;
use crate::{
    simd::{portable::PlainWords, vector::SimdWord},
    unroll::unroll,
};

/// The tweakable block cipher with blocks and keys of `W` words.
#[derive(Clone, Copy, Debug)]
pub struct Threefish<const W: usize>;

/// Rotations and word order of one block size.
impl<const W: usize> Threefish<W> {
    const ROUNDS: usize = if W == 16 { 80 } else { 72 };

    /// Rotation of pair `j` in round `d`.
    #[inline(always)]
    const fn rotation(d: usize, j: usize) -> u32 {
        match W {
            4 => consts::ROTATIONS_256[d % 8][j],
            8 => consts::ROTATIONS_512[d % 8][j],
            _ => consts::ROTATIONS_1024[d % 8][j],
        }
    }

    /// The position of word `i` in round `d`. No word is moved: the permutation renames them, and
    /// after every fourth round the names repeat.
    #[inline(always)]
    const fn place(d: usize, i: usize) -> usize {
        const PLACES_256: [[usize; 4]; 4] = places(&consts::PERMUTATION_256);
        const PLACES_512: [[usize; 8]; 4] = places(&consts::PERMUTATION_512);
        const PLACES_1024: [[usize; 16]; 4] = places(&consts::PERMUTATION_1024);
        match W {
            4 => PLACES_256[d % 4][i],
            8 => PLACES_512[d % 4][i],
            _ => PLACES_1024[d % 4][i],
        }
    }

    /// Encrypts one block.
    #[inline] // for tests alone
    #[must_use]
    pub fn encrypt(key: &[u64; W], tweak: [u64; 2], plain: [u64; W]) -> [u64; W] {
        const { assert!(matches!(W, 4 | 8 | 16), "Threefish has blocks of 4, 8 or 16 words") };
        let vector = |word| PlainWords([word]);
        let key = KeySchedule::new((), key.map(vector), tweak.map(vector));
        encrypt((), &key, plain.map(vector)).map(|word| word.0[0])
    }
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

/// A key of `W` words and a tweak, each followed by its parity word. The key is there twice, so that
/// each subkey is a slice of it.
#[derive(Clone, Copy)]
pub(super) struct KeySchedule<V, const W: usize> {
    key: [V; 2 * (MAX_WORDS + 1)],
    tweak: [V; 3],
}

/// Words of the largest block.
const MAX_WORDS: usize = 16;

impl<V: SimdWord<u64>, const W: usize> KeySchedule<V, W> {
    #[inline(always)]
    pub(super) fn new(proof: V::Proof, words: [V; W], [low, high]: [V; 2]) -> Self {
        let mut parity = V::splat(proof, consts::PARITY);
        for i in 0..W {
            parity = parity.xor(words[i]);
        }
        let mut key = [parity; 2 * (MAX_WORDS + 1)];
        for i in 0..W {
            key[i] = words[i];
            key[W + 1 + i] = words[i];
        }
        Self { key, tweak: [low, high, low.xor(high)] }
    }

    /// Adds subkey `s`.
    #[inline(always)]
    fn add_subkey(&self, proof: V::Proof, v: &mut [V; W], s: usize) {
        let first = s % (W + 1);
        for i in 0..W {
            v[i] = v[i].add(self.key[first + i]);
        }
        v[W - 3] = v[W - 3].add(self.tweak[s % 3]);
        v[W - 2] = v[W - 2].add(self.tweak[(s + 1) % 3]);
        v[W - 1] = v[W - 1].add(V::splat(proof, s as u64));
    }
}

/// Round `D`: the pairs are mixed, and the permutation renames the words.
#[inline(always)]
fn round<V: SimdWord<u64>, const W: usize, const D: usize>(v: &mut [V; W]) {
    for j in 0..W / 2 {
        let a = Threefish::<W>::place(D, 2 * j);
        let b = Threefish::<W>::place(D, 2 * j + 1);
        v[a] = v[a].add(v[b]);
        v[b] = v[b].rotr(64 - Threefish::<W>::rotation(D, j)).xor(v[a]);
    }
}

/// Subkey `s` and the four rounds after it.
#[inline(always)]
fn four_rounds<V: SimdWord<u64>, const W: usize>(
    proof: V::Proof,
    key: &KeySchedule<V, W>,
    v: &mut [V; W],
    s: usize,
) {
    key.add_subkey(proof, v, s);
    if s.is_multiple_of(2) {
        round::<V, W, 0>(v);
        round::<V, W, 1>(v);
        round::<V, W, 2>(v);
        round::<V, W, 3>(v);
    } else {
        round::<V, W, 4>(v);
        round::<V, W, 5>(v);
        round::<V, W, 6>(v);
        round::<V, W, 7>(v);
    }
}

/// Encrypts one block of every lane.
///
/// Sixteen scalar registers hold the block but not the key, so scalar code takes the key from memory, as one
/// operand of each addition. LLVM sees through the array, regroups the sums of state and key words, and
/// spills their parts: twice the instructions. Hiding the key's address before each use prevents that (1.7 of
/// the speed of Threefish-512). Vector code does not need this, and loses 5 % by it if there are enough
/// registers.
#[inline(always)]
pub(super) fn encrypt<V: SimdWord<u64>, const W: usize>(
    proof: V::Proof,
    key: &KeySchedule<V, W>,
    mut v: [V; W],
) -> [V; W] {
    let mut key = key;
    let subkeys = Threefish::<W>::ROUNDS / 4;
    if V::N > 1 && W == 16 {
        // No register file holds the block and the key, so the key is read from memory anyway, and 80 rounds
        // in a row are 20 KB of machine code. A loop has 0.95 to 1.28 of the speed of such a row.
        for s in (0..subkeys).step_by(2) {
            four_rounds(proof, key, &mut v, s);
            four_rounds(proof, key, &mut v, s + 1);
        }
    } else {
        // literals: the indices into the key schedule must be constants for it to live in registers
        unroll!(20, s => {
            if s < subkeys {
                if V::N == 1 {
                    key = black_box(key);
                }
                four_rounds(proof, key, &mut v, s);
            }
        });
    }
    if V::N == 1 {
        key = black_box(key);
    }
    key.add_subkey(proof, &mut v, subkeys);
    v
}
