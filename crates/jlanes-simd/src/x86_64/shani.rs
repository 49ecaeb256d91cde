//! SHA-NI: the SHA extensions' rounds, on one stream or on several interleaved ones.
//!
//! One stream waits for the latency of its rounds and leaves the unit idle half of the time:
//! independent streams fill it. Not lane-shaped, so this is no [`Isa`](jlanes_core::simd::isa::Isa).

use core::arch::x86_64::*;

use jlanes_core::hashes::{sha1::Sha1Compression, sha2::Sha2};

use super::{Sse41, vec128::U32x4};
use crate::{
    features::Features,
    feed::{self, Feed},
    streams::Unit,
};

mod sha1;
mod sha256;

/// Name of the backend.
const NAME: &str = "shani";
/// Streams whose variables stay in registers.
const STREAMS: usize = 3;

/// The CPU has the SHA extensions (and SSE4.1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShaNi(());

impl ShaNi {
    /// # Safety
    /// The CPU has been found to have `sha`, `sse4.1` and `ssse3`.
    pub(super) const unsafe fn assume() -> Self {
        Self(())
    }

    /// The proof that the vectors take.
    #[inline(always)]
    fn proof(self) -> Sse41 {
        // SAFETY: the detection of the SHA extensions checks SSE4.1 too.
        unsafe { Sse41::assume() }
    }
}

/// Block `b` of `blocks` of every stream, as sixteen words in four registers. It must be inlined: a
/// call in the loop over the blocks takes the streams' variables through memory.
#[inline(always)]
fn load<F: Feed<S>, const S: usize>(
    unit: ShaNi,
    feed: &F,
    b: usize,
    blocks: usize,
) -> [[__m128i; 4]; S] {
    let quads = feed::load::<u32, U32x4, F, S, 4>(unit.proof(), feed, b, blocks);
    let mut w = [[quads[0][0].raw(); 4]; S];
    for s in 0..S {
        for i in 0..4 {
            w[s][i] = quads[s][i].raw();
        }
    }
    w
}

impl Unit<Sha2<u32>> for ShaNi {
    const NAME: &'static str = NAME;
    const STREAMS: usize = STREAMS;

    #[inline(always)]
    fn of(features: Features) -> Option<Self> {
        features.shani()
    }

    #[inline]
    fn advance<F: Feed<S>, const S: usize>(
        self,
        states: &mut [[u32; 8]; S],
        feed: F,
        blocks: usize,
        last: Option<&[u32; 64]>,
    ) {
        // SAFETY: a token exists only where these features have been detected.
        unsafe { sha256::advance(self, states, feed, blocks, last) }
    }
}

impl Unit<Sha1Compression> for ShaNi {
    const NAME: &'static str = NAME;
    const STREAMS: usize = STREAMS;

    #[inline(always)]
    fn of(features: Features) -> Option<Self> {
        features.shani()
    }

    #[inline]
    fn advance<F: Feed<S>, const S: usize>(
        self,
        states: &mut [[u32; 5]; S],
        feed: F,
        blocks: usize,
        last: Option<&[u32; 80]>,
    ) {
        // SAFETY: a token exists only where these features have been detected.
        unsafe { sha1::advance(self, states, feed, blocks, last) }
    }
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn load4(words: &[u32; 4]) -> __m128i {
    // SAFETY: 16 bytes are readable in `[u32; 4]`, at any alignment.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn store4(words: &mut [u32; 4], value: __m128i) {
    // SAFETY: 16 bytes are writable in `[u32; 4]`, at any alignment.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), value) }
}
