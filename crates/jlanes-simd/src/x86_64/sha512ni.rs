//! SHA512-NI: instructions for SHA-512's rounds, on one stream or on two interleaved ones.
//!
//! No CPU with these instructions was available, so they are used only on request. Tests cover all but the
//! instructions themselves: the code in [`rounds`] uses the three of them through a trait, and the tests run
//! it on a software model.

use core::arch::x86_64::*;

use jlanes_core::compression::{RunByteOrder, Shape};

use super::{Avx2, vec256::U64x4};
use crate::common::{blocks::Blocks, needs::Needs, token::token};

mod rounds;
#[cfg(test)]
mod tests;

token! {
    /// The CPU supports SHA512-NI (and AVX2).
    Sha512Ni(Avx2): "sha512ni", Needs::SHA512NI;
    enables ["sha512", "avx2", "bmi1", "bmi2"];
    implies ["avx", "sse4.1", "ssse3"];

    /// SHA-512 on `S` streams, one or two: three would need more than sixteen registers.
    fn sha512<const S: usize>(
        _shape: &Shape<u64>,
        states: &mut [u64],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u64],
    ) {
        rounds::advance::<_, S>(Sha512Ni::new(), states, &Blocks::new(runs, blocks), order, shared);
    }
}

/// The three instructions. The first of a vector's four words is the lowest.
trait Instructions: Copy {
    /// The proof that the vectors take.
    fn proof(self) -> Avx2;

    /// `vsha512rnds2`: two rounds with the first two words of `kw`. Returns the new (f, e, b, a); the new
    /// (h, g, d, c) is the old (f, e, b, a).
    fn rounds2(self, cdgh: U64x4, abef: U64x4, kw: U64x4) -> U64x4;

    /// `vsha512msg1`: each of the words `w[0..4]` plus σ0 of its successor; the last successor is
    /// the first word of `next`.
    fn message1(self, w: U64x4, next: U64x4) -> U64x4;

    /// `vsha512msg2`: each of the four sums plus σ1 of the word two before its result; the first
    /// two of these are the last words of `before`.
    fn message2(self, sums: U64x4, before: U64x4) -> U64x4;
}

impl Instructions for Sha512Ni {
    #[inline(always)]
    fn proof(self) -> Avx2 {
        self.0.0
    }

    #[inline(always)]
    fn rounds2(self, cdgh: U64x4, abef: U64x4, kw: U64x4) -> U64x4 {
        // SAFETY: a token exists only where `sha512` has been detected.
        kw.with(unsafe { _mm256_sha512rnds2_epi64(cdgh.raw(), abef.raw(), low(kw)) })
    }

    #[inline(always)]
    fn message1(self, w: U64x4, next: U64x4) -> U64x4 {
        // SAFETY: a token exists only where `sha512` has been detected.
        w.with(unsafe { _mm256_sha512msg1_epi64(w.raw(), low(next)) })
    }

    #[inline(always)]
    fn message2(self, sums: U64x4, before: U64x4) -> U64x4 {
        // SAFETY: a token exists only where `sha512` has been detected.
        sums.with(unsafe { _mm256_sha512msg2_epi64(sums.raw(), before.raw()) })
    }
}

/// The first two words.
#[inline(always)]
fn low(words: U64x4) -> __m128i {
    // SAFETY: a value of this type exists only under AVX2, which implies AVX.
    unsafe { _mm256_castsi256_si128(words.raw()) }
}
