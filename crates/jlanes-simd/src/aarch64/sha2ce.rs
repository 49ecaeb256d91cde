//! The instructions of SHA-1 and SHA-256 (FEAT_SHA1, FEAT_SHA256), on one stream or on several
//! interleaved ones.
//!
//! Both wait for the four cycles of a round instruction on one stream. Not lane-shaped, so this is no
//! [`Isa`](jlanes_core::simd::isa::Isa).

use core::arch::aarch64::*;

use jlanes_core::hashes::{sha1::Sha1Compression, sha2::Sha2};

use super::{Neon, vec128::U32x4};
use crate::{
    feed::{self, Feed},
    unit::unit,
};

mod sha1;
mod sha256;

unit! {
    /// The CPU has the instructions of SHA-1 and SHA-256 (and NEON).
    Sha2Ce: sha2ce;
    /// The CPU has been found to have `sha2` and `neon`.
    assume;
    // three streams are what has room in registers
    Sha2<u32> => 3, sha256::advance;
    Sha1Compression => 3, sha1::advance;
}

impl Sha2Ce {
    /// The proof that the vectors take.
    #[inline(always)]
    fn proof(self) -> Neon {
        // SAFETY: the detection of these instructions checks NEON too.
        unsafe { Neon::assume() }
    }
}

/// Block `b` of `blocks` of every stream, as sixteen words in four registers. It must be inlined: a
/// call in the loop over the blocks takes the streams' variables through memory.
#[inline(always)]
fn load<F: Feed<u32, S>, const S: usize>(
    unit: Sha2Ce,
    feed: &F,
    b: usize,
    blocks: usize,
) -> [[uint32x4_t; 4]; S] {
    let vectors = feed::load::<u32, U32x4, F, S, 4>(unit.proof(), feed, b, blocks);
    let mut w = [[vectors[0][0].raw(); 4]; S];
    for s in 0..S {
        for i in 0..4 {
            w[s][i] = vectors[s][i].raw();
        }
    }
    w
}

#[inline]
#[target_feature(enable = "neon")]
fn load4(words: &[u32; 4]) -> uint32x4_t {
    // SAFETY: four words are readable in `[u32; 4]`, aligned as such.
    unsafe { vld1q_u32(words.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store4(words: &mut [u32; 4], value: uint32x4_t) {
    // SAFETY: four words are writable in `[u32; 4]`, aligned as such.
    unsafe { vst1q_u32(words.as_mut_ptr(), value) }
}
