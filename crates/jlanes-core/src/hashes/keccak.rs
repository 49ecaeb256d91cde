//! Keccak (FIPS 202, SP 800-185, RFC 9861): sponges over a permutation of 25 words.
//!
//! A sponge is a [`Compression`] with a state of all 25 words: a block is xored into the first
//! words, and the words are permuted. An output longer than a block is squeezed out by further
//! permutations, which are compressions of blocks of zeros.

use digest::array::ArraySize;

use crate::{
    compression::{Compression, Ending, Shape},
    hash::HashFunction,
    simd::{
        part::part,
        vector::{ByteOrder, SimdWord, Word},
    },
    unroll::unroll,
};

pub mod cshake;
pub mod cursor;
pub mod functions;
mod group;
pub mod hasher;
pub mod kmac;
#[cfg(feature = "alloc")]
pub mod outputs;
pub mod permutation;
pub mod tuple_hash;
pub mod xof;

/// The sponge's compression function with blocks of `WORDS` words (the rate) and the last `ROUNDS`
/// rounds of Keccak-f\[1600\].
#[derive(Clone, Copy, Debug)]
pub struct Keccak<const WORDS: usize, const ROUNDS: usize>;

/// Words of the state.
pub const STATE: usize = 25;

impl<const WORDS: usize, const ROUNDS: usize> Compression for Keccak<WORDS, ROUNDS> {
    type Word = u64;
    type State<T: Copy> = [T; STATE];
    type Block<T: Copy> = [T; WORDS];
    type PerLane<T: Copy> = [T; 8];
    const BLOCK: usize = 8 * WORDS;
    const ORDER: ByteOrder = ByteOrder::Little;
    const ROUNDS: usize = ROUNDS;
    const ENDING: Ending = Ending::LastBit;

    #[inline(always)]
    fn compress<V: SimdWord<u64>>(proof: V::Proof, state: &mut [V; STATE], block: [V; WORDS]) {
        for i in 0..WORDS {
            state[i] = state[i].xor(block[i]);
        }
        permutation::permute(proof, state, ROUNDS);
    }

    /// The rate is a run-time number, so kernels are compiled once for all rates.
    #[inline(always)]
    fn words(shape: &Shape<u64>) -> usize {
        shape.words
    }

    #[inline(always)]
    fn compress_rows<V: SimdWord<u64>>(
        proof: V::Proof,
        shape: &Shape<u64>,
        state: &mut [V; STATE],
        rows: &[u64],
    ) {
        absorb(state, shape.words, |i| V::load(proof, part(rows, i * V::N, V::N)));
        permutation::permute(proof, state, shape.rounds);
    }

    #[inline(always)]
    fn compress_bytes<V: SimdWord<u64>>(
        proof: V::Proof,
        shape: &Shape<u64>,
        state: &mut [V; STATE],
        bytes: &[u8],
        order: ByteOrder,
    ) {
        absorb(state, shape.words, |i| V::splat(proof, Word::read(order, part(bytes, 8 * i, 8))));
        permutation::permute(proof, state, shape.rounds);
    }

    #[inline(always)]
    fn compress_shared<V: SimdWord<u64>>(
        proof: V::Proof,
        shape: &Shape<u64>,
        state: &mut [V; STATE],
        block: &[u64],
    ) {
        let block = part(block, 0, shape.words);
        absorb(state, shape.words, |i| V::splat(proof, block[i]));
        permutation::permute(proof, state, shape.rounds);
    }
}

/// Xors the first words of a block into a state. The indices are literal, so the state stays in
/// registers.
#[inline(always)]
fn absorb<V: SimdWord<u64>>(state: &mut [V; STATE], words: usize, word: impl Fn(usize) -> V) {
    unroll!(25, i => {
        if i < words {
            state[i] = state[i].xor(word(i));
        }
    });
}

/// A hash function over [`Keccak`].
pub trait Sponge: HashFunction<Compression: Permutation> {
    /// The function's [`AlgorithmName`](digest::common::AlgorithmName), if it differs from the name of the
    /// type.
    const ALGORITHM: &'static str = Self::NAME;
}

/// A [`Sponge`] with a fixed output length.
pub trait Fixed: Sponge {}

/// A [`Sponge`] with any output length.
pub trait Extendable: Sponge {}

/// [`Keccak`] of any rate, with its sizes as types for `digest`'s traits.
pub trait Permutation: Compression<Word = u64, State<u64> = [u64; STATE]> {
    /// Bytes of a block.
    type Rate: ArraySize;
}

macro_rules! rates {
    ($($words:literal: $rate:ident;)*) => {$(
        impl<const ROUNDS: usize> Permutation for Keccak<$words, ROUNDS> {
            type Rate = digest::consts::$rate;
        }
    )*};
}
rates! {
    9: U72;
    13: U104;
    17: U136;
    18: U144;
    21: U168;
}
