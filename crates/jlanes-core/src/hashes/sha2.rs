//! SHA-2 (FIPS 180-4); one implementation for 32-bit and 64-bit words.
//!
//! [`Sha2<u32>`] is the compression function of SHA-224 and SHA-256, [`Sha2<u64>`] that of SHA-384,
//! SHA-512 and SHA-512/t: the same round with another word, rotations and length.

use core::marker::PhantomData;

use digest::consts::{U28, U32, U48, U64};

use crate::{
    compression::{Compression, Shape},
    hash::HashFunction,
    hashes::hash_core::merkle_damgard,
    schedules::{MAX_ROUNDS, Scheduled},
    simd::{
        portable::PlainWords,
        vector::{ByteOrder, Isa, SimdWord, Word},
    },
    unroll::unroll,
};

pub mod consts;
mod round;
pub mod single;

use single::SingleStream;

/// The differences between the compression functions of SHA-256 and SHA-512.
pub trait Sha2Word: Word {
    /// [`Compression::MAX_LANES`].
    const MAX_LANES: usize;
    /// Number of rounds.
    const ROUNDS: usize;
    /// Round constants, `ROUNDS` of them.
    const K: &'static [Self];
    /// [`HashFunction::ONE_BLOCK_PADDING`].
    const ONE_BLOCK_PADDING: Option<&'static [Self]> = None;
    /// Rotations of the upper-case Σ0 and Σ1.
    const BIG: [[u32; 3]; 2];
    /// Rotation, rotation and shift of the lower-case σ0 and σ1.
    const SMALL: [[u32; 3]; 2];
}

impl Sha2Word for u32 {
    const MAX_LANES: usize = 16;
    const ROUNDS: usize = 64;
    const K: &'static [u32] = &consts::K32;
    const ONE_BLOCK_PADDING: Option<&'static [u32]> = Some(&consts::ONE_BLOCK_PADDING);
    const BIG: [[u32; 3]; 2] = [[2, 13, 22], [6, 11, 25]];
    const SMALL: [[u32; 3]; 2] = [[7, 18, 3], [17, 19, 10]];
}

impl Sha2Word for u64 {
    const MAX_LANES: usize = 8;
    const ROUNDS: usize = 80;
    const K: &'static [u64] = &consts::K64;
    const BIG: [[u32; 3]; 2] = [[28, 34, 39], [14, 18, 41]];
    const SMALL: [[u32; 3]; 2] = [[1, 8, 7], [19, 61, 6]];
}

/// The SHA-2 compression function at word `W`.
#[derive(Clone, Copy, Debug)]
pub struct Sha2<W>(PhantomData<W>);

impl<W: Sha2Word> Compression for Sha2<W> {
    type Word = W;
    type State<T: Copy> = [T; 8];
    type Block<T: Copy> = [T; 16];
    const MAX_LANES: usize = W::MAX_LANES;
    const BLOCK_BYTES: usize = 16 * W::BYTES;
    const ORDER: ByteOrder = ByteOrder::Big;
    /// `W_t + K_t` of every round.
    const SHARED_WORDS: usize = W::ROUNDS;
    const ROUNDS: usize = W::ROUNDS;

    #[inline(always)]
    fn compress<V: SimdWord<W>>(proof: V::Proof, state: &mut [V; 8], block: [V; 16]) {
        round::compress(proof, state, block);
    }

    fn share(block: &[W], out: &mut [W]) {
        let block = core::array::from_fn(|t| PlainWords([block[t]]));
        let mut words = [PlainWords([W::default()]); round::MAX_ROUNDS];
        round::expand((), block, &mut words);
        for (out, word) in out.iter_mut().zip(words) {
            *out = word.0[0];
        }
    }

    #[inline(always)]
    fn compress_shared<V: SimdWord<W>>(
        proof: V::Proof,
        _: &Shape<W>,
        state: &mut [V; 8],
        schedule: &[W],
    ) {
        round::compress_shared(proof, state, schedule);
    }
}

impl<W: Sha2Word> Scheduled for Sha2<W> {
    const ROUNDS_PER_STEP: usize = 8;

    #[inline(always)]
    fn next_word<V: SimdWord<W>>(w: &[V], t: usize) -> V {
        round::next_word(w, t)
    }

    #[inline(always)]
    fn constant(t: usize) -> W {
        W::K[t]
    }

    #[inline(always)]
    fn rounds(s: &mut [PlainWords<W, 1>; 8], _t: usize, words: &[W], stride: usize) {
        let words = &words[..(Self::ROUNDS_PER_STEP - 1) * stride + 1];
        unroll!(8, i => { round::round(s, i, PlainWords([words[i * stride]])); });
    }

    fn rest<I: Isa>(isa: I, _: &Shape<W>, state: &mut [W; 8], data: &[u8]) {
        let mut words = [W::default(); MAX_ROUNDS];
        isa.run(SingleStream { state, data, words: &mut words });
    }
}

macro_rules! variants {
    ($($name:ident, $word:ident, $size:ident, $iv:ident;)*) => {$(
        #[doc = concat!(stringify!($name), " (FIPS 180-4).")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl HashFunction for $name {
            type Compression = Sha2<$word>;
            type OutputSize = $size;
            const NAME: &'static str = stringify!($name);
            const ONE_BLOCK_PADDING: Option<&'static [$word]> = $word::ONE_BLOCK_PADDING;

            #[inline]
            fn start() -> [$word; 8] {
                consts::$iv
            }
        }
    )*};
}
variants! {
    Sha224, u32, U28, IV_224;
    Sha256, u32, U32, IV_256;
    Sha384, u64, U48, IV_384;
    Sha512, u64, U64, IV_512;
    Sha512_224, u64, U28, IV_512_224;
    Sha512_256, u64, U32, IV_512_256;
}

merkle_damgard!(Sha2<u32>, U64, U40);
merkle_damgard!(Sha2<u64>, U128, U80);
