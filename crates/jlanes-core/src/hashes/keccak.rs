//! Keccak (FIPS 202, SP 800-185, RFC 9861): sponges over a permutation of 25 words.
//!
//! A sponge is a [`Compression`] whose state is all 25 words: a block is added to the first words,
//! modulo 2, and the words are permuted. An output longer than a block is squeezed out by further
//! permutations, which are compressions of blocks of zeros.

use digest::array::ArraySize;

use crate::{
    hash::{HashFunction, compression::Compression},
    simd::lanes::{ByteOrder, Lanes},
};

pub mod cshake;
pub mod functions;
pub mod hasher;
pub mod permutation;
pub mod xof;

/// The sponge's compression function with blocks of `WORDS` words (the rate) and so many rounds of
/// Keccak-p\[1600\], the last ones of Keccak-f\[1600\].
#[derive(Clone, Copy, Debug)]
pub struct Keccak<const WORDS: usize, const ROUNDS: usize>;

/// Words of the state.
pub const STATE: usize = 25;

impl<const WORDS: usize, const ROUNDS: usize> Compression for Keccak<WORDS, ROUNDS> {
    type Word = u64;
    type State<T: Copy> = [T; STATE];
    type Block<T: Copy> = [T; WORDS];
    type PerLane<T: Copy> = [T; 8];
    type Shared = [u64; WORDS];
    const BLOCK: usize = 8 * WORDS;
    const ORDER: ByteOrder = ByteOrder::Little;
    /// A kernel takes seconds to compile, and there are seven functions of three widths.
    const INTERLEAVED: bool = false;

    #[inline(always)]
    fn compress<V: Lanes<u64>>(proof: V::Proof, state: &mut [V; STATE], block: [V; WORDS]) {
        for i in 0..WORDS {
            state[i] = state[i].xor(block[i]);
        }
        permutation::permute::<V, ROUNDS>(proof, state);
    }

    fn share(block: &[u64; WORDS]) -> [u64; WORDS] {
        *block
    }

    #[inline(always)]
    fn compress_shared<V: Lanes<u64>>(
        proof: V::Proof,
        state: &mut [V; STATE],
        block: &[u64; WORDS],
    ) {
        for i in 0..WORDS {
            state[i] = state[i].xor(V::splat(proof, block[i]));
        }
        permutation::permute::<V, ROUNDS>(proof, state);
    }

    /// The last bit of the padding.
    #[inline]
    fn closing(_tail: usize, _total: u128) -> [u64; 2] {
        [1 << 63, 0]
    }

    #[inline(always)]
    fn close<V: Lanes<u64>>(_: &mut [V; STATE], block: &mut [V; WORDS], closing: [V; 2]) {
        // the first byte of the padding may stand in the same word
        block[WORDS - 1] = block[WORDS - 1].xor(closing[0]);
    }
}

/// A hash function over [`Keccak`].
pub trait Sponge: HashFunction<Compression: Permutation> {
    /// Its name as [`AlgorithmName`](digest::common::AlgorithmName) writes it, where that is not the
    /// name of the type.
    const ALGORITHM: &'static str = Self::NAME;
}

/// A [`Sponge`] whose output has one length.
pub trait Fixed: Sponge {}

/// A [`Sponge`] whose output has any length.
pub trait Extendable: Sponge {}

/// [`Keccak`] of any rate, with what `digest`'s traits want as types.
pub trait Permutation: Compression<Word = u64, State<u64> = [u64; STATE]> {
    /// Bytes of a block.
    type Rate: ArraySize;
    /// A block of zeros: what is absorbed between blocks of output.
    const ZEROS: Self::Shared;
}

macro_rules! rates {
    ($($words:literal: $rate:ident;)*) => {$(
        impl<const ROUNDS: usize> Permutation for Keccak<$words, ROUNDS> {
            type Rate = digest::consts::$rate;
            const ZEROS: [u64; $words] = [0; $words];
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
