//! SHA-NI: the SHA extensions' rounds, on one stream or on several interleaved ones.
//!
//! One stream waits for the latency of its rounds and leaves the unit idle half of the time:
//! independent streams fill it. Not lane-shaped, so this is no [`Isa`](jlanes_core::simd::isa::Isa).

use core::arch::x86_64::*;

use jlanes_core::hashes::{sha1::Sha1Compression, sha2::Sha2};

use super::{Sse41, vec128::U32x4};
use crate::{
    feed::{self, Feed},
    unit::unit,
};

mod sha1;
pub(super) mod sha256;

unit! {
    /// The CPU has the SHA extensions (and SSE4.1).
    ShaNi: shani;
    /// The CPU has been found to have `sha`, `sse4.1` and `ssse3`.
    assume;
    // three streams are what has room in registers
    Sha2<u32> => 3, sha256::advance;
    Sha1Compression => 3, sha1::advance;
}

impl ShaNi {
    /// The proof that the vectors take.
    #[inline(always)]
    pub(super) fn proof(self) -> Sse41 {
        // SAFETY: the detection of the SHA extensions checks SSE4.1 too.
        unsafe { Sse41::assume() }
    }
}

/// Block `b` of `blocks` of every stream, as sixteen words in four registers. It must be inlined: a
/// call in the loop over the blocks takes the streams' variables through memory.
#[inline(always)]
fn load<F: Feed<u32, S>, const S: usize>(
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
