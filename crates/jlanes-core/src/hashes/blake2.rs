//! BLAKE2 (RFC 7693); one implementation for 32-bit and 64-bit words.
//!
//! [`Blake2<u64>`] is the compression function of BLAKE2b, [`Blake2<u32>`] that of BLAKE2s: the
//! same round with another word, number and rotations. [`Sequential`] is the unkeyed hash; a key, a
//! salt and a personalization change the [`start`](params::start).

use core::marker::PhantomData;

use digest::{
    array::ArraySize,
    block_buffer::BlockSizes,
    consts::{U32, U64, U128},
    typenum::Unsigned,
};

use super::sha2::consts::{IV_256, IV_512};
use crate::{
    compression::{Compression, Ending},
    hash::HashFunction,
    jobs::CompiledWord,
    simd::vector::{ByteOrder, SimdWord},
};

mod consts;
pub mod hasher;
pub mod mac;
pub mod params;
pub(super) mod round;
pub mod rows;
pub mod variable;

/// The differences between the compression functions of BLAKE2b and BLAKE2s, and their sizes as
/// types for `digest`'s traits.
pub trait Blake2Word: CompiledWord {
    /// Bytes of a block.
    type BlockSize: BlockSizes;
    /// Bytes of the longest digest and of the longest key.
    type MaxSize: ArraySize;
    /// [`Compression::MAX_LANES`].
    const MAX_LANES: usize;
    /// The name, as RustCrypto spells the hashers' types.
    const NAME: &'static str;
    /// Number of rounds.
    const ROUNDS: usize;
    /// The initialization vector (RFC 7693, section 2.6), which is SHA-2's.
    const IV: [Self; 8];
    /// The rotations of the mixing function (section 2.1).
    const ROTATIONS: [u32; 4];
}

impl Blake2Word for u32 {
    type BlockSize = U64;
    type MaxSize = U32;
    const MAX_LANES: usize = 16;
    const NAME: &'static str = "Blake2s";
    const ROUNDS: usize = 10;
    const IV: [Self; 8] = IV_256;
    const ROTATIONS: [u32; 4] = [16, 12, 8, 7];
}

impl Blake2Word for u64 {
    type BlockSize = U128;
    type MaxSize = U64;
    const MAX_LANES: usize = 8;
    const NAME: &'static str = "Blake2b";
    const ROUNDS: usize = 12;
    const IV: [Self; 8] = IV_512;
    const ROTATIONS: [u32; 4] = [32, 24, 16, 63];
}

/// The BLAKE2 compression function at word `W`.
///
/// A lane's state is the chaining value, the number of compressed bytes in two words, and the final
/// block's flag. So lanes can be anywhere in their messages.
#[derive(Clone, Copy, Debug)]
pub struct Blake2<W>(PhantomData<W>);

/// The position of the counter's lower word in a state.
const COUNTER_LOW: usize = 8;
/// The position of the counter's upper word.
const COUNTER_HIGH: usize = 9;
/// The position of the flag of the last block.
const FINAL_FLAG_WORD: usize = 10;

/// A chaining value, a counter and a flag.
pub type State<W> = [W; 11];

impl<W: Blake2Word> Compression for Blake2<W> {
    type Word = W;
    type State<T: Copy> = [T; 11];
    type Block<T: Copy> = [T; 16];
    const MAX_LANES: usize = W::MAX_LANES;
    const BLOCK_BYTES: usize = 16 * W::BYTES;
    const ORDER: ByteOrder = ByteOrder::Little;
    const ENDING: Ending = Ending::Counter {
        low: COUNTER_LOW,
        high: Some(COUNTER_HIGH),
        flag: FINAL_FLAG_WORD,
        flag_bits: u64::MAX,
    };

    #[inline(always)]
    fn compress<V: SimdWord<W>>(proof: V::Proof, state: &mut [V; 11], block: [V; 16]) {
        round::compress(proof, state, &block);
    }
}

/// BLAKE2 without a key, a salt or a personalization, with digests of `N` bytes.
#[derive(Clone, Copy, Debug)]
pub struct Sequential<W, N>(PhantomData<(W, fn() -> N)>);

/// BLAKE2b with digests of `N` bytes, at most 64.
pub type Blake2b<N> = Sequential<u64, N>;
/// BLAKE2s with digests of `N` bytes, at most 32.
pub type Blake2s<N> = Sequential<u32, N>;

impl<W: Blake2Word, N: ArraySize> HashFunction for Sequential<W, N> {
    type Compression = Blake2<W>;
    type OutputSize = N;
    const NAME: &'static str = W::NAME;

    #[inline]
    fn start() -> State<W> {
        const { assert!(0 < N::USIZE && N::USIZE <= W::MaxSize::USIZE) }
        params::plain(N::USIZE)
    }
}
