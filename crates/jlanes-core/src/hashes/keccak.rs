//! Keccak (FIPS 202, SP 800-185, RFC 9861): sponge functions over a permutation of 25 words.
//!
//! One step of a sponge is a [`Compression`] with a state of all 25 words: a block is xored into the first
//! words, as many as the rate has, and the words are permuted. An output longer than a block is squeezed out
//! by further permutations, which are compressions of blocks of zeros.
//!
//! The nouns are those of FIPS 202, section 4: a permutation with a rate ([`RatedPermutation`]) and a padding
//! make a [`SpongeFunction`]; a [`SpongeState`](sponge::SpongeState) is absorbing one message, or is squeezed.

use digest::array::ArraySize;

use crate::{
    compression::{Compression, Ending, Shape},
    hash::HashFunction,
    simd::{
        subslice::subslice,
        vector::{ByteOrder, SimdWord, Word},
    },
    unroll::unroll,
};

pub mod cshake;
pub mod functions;
pub mod hasher;
pub mod kmac;
#[cfg(feature = "alloc")]
pub mod outputs;
pub mod permutation;
pub mod sponge;
mod sponge_lanes;
pub mod tuple_hash;
pub mod xof;

/// One step of a sponge with a rate of `WORDS` words and the last `ROUNDS` rounds of Keccak-f\[1600\].
#[derive(Clone, Copy, Debug)]
pub struct Keccak<const WORDS: usize, const ROUNDS: usize>;

/// Words of the state.
pub const STATE_WORDS: usize = 25;

/// A state, or one of every lane.
type State<V> = [V; STATE_WORDS];

impl<const WORDS: usize, const ROUNDS: usize> Compression for Keccak<WORDS, ROUNDS> {
    type Word = u64;
    type State<T: Copy> = [T; STATE_WORDS];
    type Block<T: Copy> = [T; WORDS];
    const MAX_LANES: usize = 8;
    const BLOCK_BYTES: usize = 8 * WORDS;
    const ORDER: ByteOrder = ByteOrder::Little;
    const ROUNDS: usize = ROUNDS;
    const ENDING: Ending = Ending::LastBit;

    #[inline(always)]
    fn compress<V: SimdWord<u64>>(proof: V::Proof, state: &mut State<V>, block: [V; WORDS]) {
        for i in 0..WORDS {
            state[i] = state[i].xor(block[i]);
        }
        permutation::permute(proof, state, ROUNDS);
    }

    /// The rate is a run-time number, so kernels are compiled once for all rates.
    #[inline(always)]
    fn words(shape: &Shape<u64>) -> usize {
        shape.block_words
    }

    #[inline(always)]
    fn compress_rows<V: SimdWord<u64>>(
        proof: V::Proof,
        shape: &Shape<u64>,
        state: &mut State<V>,
        rows: &[u64],
    ) {
        absorb(state, shape.block_words, |i| V::load(proof, subslice(rows, i * V::N, V::N)));
        permutation::permute(proof, state, shape.rounds);
    }

    #[inline(always)]
    fn compress_bytes<V: SimdWord<u64>>(
        proof: V::Proof,
        shape: &Shape<u64>,
        state: &mut State<V>,
        bytes: &[u8],
        order: ByteOrder,
    ) {
        absorb(state, shape.block_words, |i| {
            V::splat(proof, Word::read(order, subslice(bytes, 8 * i, 8)))
        });
        permutation::permute(proof, state, shape.rounds);
    }

    #[inline(always)]
    fn compress_shared<V: SimdWord<u64>>(
        proof: V::Proof,
        shape: &Shape<u64>,
        state: &mut State<V>,
        block: &[u64],
    ) {
        let block = subslice(block, 0, shape.block_words);
        absorb(state, shape.block_words, |i| V::splat(proof, block[i]));
        permutation::permute(proof, state, shape.rounds);
    }
}

/// Xors the first words of a block into a state. The indices are literal, so the state stays in
/// registers.
#[inline(always)]
fn absorb<V: SimdWord<u64>>(state: &mut State<V>, words: usize, word: impl Fn(usize) -> V) {
    unroll!(25, i => {
        if i < words {
            state[i] = state[i].xor(word(i));
        }
    });
}

/// A sponge function: [`Keccak`] with a padding (FIPS 202, section 4).
pub trait SpongeFunction: HashFunction<Compression: RatedPermutation> {
    /// The function's [`AlgorithmName`](digest::common::AlgorithmName), if it differs from the name of the
    /// type.
    const ALGORITHM: &'static str = Self::NAME;
}

/// A [`SpongeFunction`] with a fixed output length.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no digest of one length",
    note = "`jlanes::multi::Xofs` computes outputs of any length"
)]
pub trait Fixed: SpongeFunction {}

/// A [`SpongeFunction`] with any output length.
pub trait Extendable: SpongeFunction {}

/// A permutation with a rate, every [`Keccak`]. The rate is also a type, for `digest`'s traits.
pub trait RatedPermutation: Compression<Word = u64, State<u64> = [u64; STATE_WORDS]> {
    /// The rate in bytes: a block.
    type Rate: ArraySize;
}

macro_rules! rates {
    ($($words:literal: $rate:ident;)*) => {$(
        impl<const ROUNDS: usize> RatedPermutation for Keccak<$words, ROUNDS> {
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
