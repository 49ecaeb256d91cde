//! The rounds of SHA-512 (FIPS 180-4, section 6.4.2) by its three instructions: one does two rounds, two extend the
//! message schedule by four words. They are methods of [`Instructions`], because tests run this code on a model of
//! the instructions.

use core::arch::x86_64::*;

use jlanes_core::{
    compression::RunByteOrder,
    hashes::sha2::consts::K64,
    simd::vector::{ByteOrder, SimdWord, Vector},
};

use super::Instructions;
use crate::{
    common::blocks::{self, Blocks},
    x86_64::{Avx2, vec256::U64x4},
};

/// Advances `S` interleaved streams by `blocks`, then by the block with `W_t + K_t` in `shared`, if
/// any.
#[inline(always)]
pub(super) fn advance<I: Instructions, const S: usize>(
    unit: I,
    states: &mut [u64],
    blocks: &Blocks<'_, S, 128>,
    order: RunByteOrder,
    shared: &[u64],
) {
    let states = blocks::states::<_, S, 8>(states);
    let proof = unit.proof();
    let zero = U64x4::splat(proof, 0);
    let mut streams = [Stream { abef: zero, cdgh: zero }; S];
    for s in 0..S {
        streams[s] = Stream::load(proof, &states[s]);
    }
    let order = byte_shuffle(proof, order);
    for b in 0..blocks.count() {
        let before = streams;
        let mut w = load(proof, blocks, b, order);
        for k in K64[..64].as_chunks::<16>().0 {
            for i in 0..4 {
                let k = U64x4::load(proof, &k[4 * i..]);
                for s in 0..S {
                    let w = &mut w[s];
                    streams[s].rounds4(unit, w[i].add(k));
                    w[i] = schedule(unit, w[i], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]);
                }
            }
        }
        for i in 0..4 {
            let k = U64x4::load(proof, &K64[64 + 4 * i..]);
            for s in 0..S {
                streams[s].rounds4(unit, w[s][i].add(k));
            }
        }
        for s in 0..S {
            streams[s].feed_forward(&before[s]);
        }
    }
    if !shared.is_empty() {
        let before = streams;
        for kw in shared.as_chunks::<4>().0 {
            let kw = U64x4::load(proof, kw);
            for s in 0..S {
                streams[s].rounds4(unit, kw);
            }
        }
        for s in 0..S {
            streams[s].feed_forward(&before[s]);
        }
    }
    for s in 0..S {
        streams[s].store(&mut states[s]);
    }
}

/// Block `b` of every stream, as sixteen words in four registers, with bytes shuffled by `order`.
#[inline(always)]
fn load<const S: usize>(
    proof: Avx2,
    blocks: &Blocks<'_, S, 128>,
    b: usize,
    order: U64x4,
) -> [[U64x4; 4]; S] {
    blocks.prefetch_ahead(b, crate::x86_64::prefetch);
    let mut w = [[order; 4]; S];
    for i in 0..4 {
        for s in 0..S {
            let quarters: &[[u8; 32]] = blocks.get(s, b).as_chunks().0;
            let words = U64x4::load_bytes(proof, ByteOrder::Little, &quarters[i]);
            // SAFETY: a value of this type exists only under AVX2.
            w[s][i] = words.with(unsafe { _mm256_shuffle_epi8(words.raw(), order.raw()) });
        }
    }
    w
}

/// The shuffle that puts the words of each half of a register in order.
#[inline(always)]
fn byte_shuffle(proof: Avx2, order: RunByteOrder) -> U64x4 {
    let half = match order {
        RunByteOrder::Message => [0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f],
        RunByteOrder::Native => [0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908],
    };
    U64x4::load(proof, &[half[0], half[1], half[0], half[1]])
}

/// The working variables of one stream; the last name is the first word.
#[derive(Clone, Copy)]
struct Stream {
    abef: U64x4,
    cdgh: U64x4,
}

impl Stream {
    #[inline(always)]
    fn load(proof: Avx2, state: &[u64; 8]) -> Self {
        let (abcd, efgh) = (U64x4::load(proof, &state[..4]), U64x4::load(proof, &state[4..]));
        let (dcba, hgfe) = (permute::<0x1b>(abcd), permute::<0x1b>(efgh));
        Self { abef: halves::<0x31>(hgfe, dcba), cdgh: halves::<0x20>(hgfe, dcba) }
    }

    #[inline(always)]
    fn store(self, state: &mut [u64; 8]) {
        let hgfe = halves::<0x20>(self.cdgh, self.abef);
        let dcba = halves::<0x31>(self.cdgh, self.abef);
        permute::<0x1b>(dcba).store(&mut state[..4]);
        permute::<0x1b>(hgfe).store(&mut state[4..]);
    }

    #[inline(always)]
    fn rounds4<I: Instructions>(&mut self, unit: I, kw: U64x4) {
        self.cdgh = unit.rounds2(self.cdgh, self.abef, kw);
        self.abef = unit.rounds2(self.abef, self.cdgh, halves::<0x11>(kw, kw));
    }

    #[inline(always)]
    fn feed_forward(&mut self, before: &Self) {
        self.abef = self.abef.add(before.abef);
        self.cdgh = self.cdgh.add(before.cdgh);
    }
}

/// The four schedule words after `w0..w3`, sixteen words in four registers.
#[inline(always)]
fn schedule<I: Instructions>(unit: I, w0: U64x4, w1: U64x4, w2: U64x4, w3: U64x4) -> U64x4 {
    let seven_back = permute::<0x39>(first_of(w3, w2));
    unit.message2(unit.message1(w0, w1).add(seven_back), w3)
}

/// The words selected by `ORDER`, two bits each.
#[inline(always)]
fn permute<const ORDER: i32>(words: U64x4) -> U64x4 {
    // SAFETY: a value of this type exists only under AVX2.
    words.with(unsafe { _mm256_permute4x64_epi64::<ORDER>(words.raw()) })
}

/// Two halves of `a` (0, 1) and `b` (2, 3).
#[inline(always)]
fn halves<const WHICH: i32>(a: U64x4, b: U64x4) -> U64x4 {
    // SAFETY: a value of this type exists only under AVX2.
    a.with(unsafe { _mm256_permute2x128_si256::<WHICH>(a.raw(), b.raw()) })
}

/// The first word of `a` and the others of `b`.
#[inline(always)]
fn first_of(a: U64x4, b: U64x4) -> U64x4 {
    // SAFETY: a value of this type exists only under AVX2.
    a.with(unsafe { _mm256_blend_epi32::<0x03>(b.raw(), a.raw()) })
}
