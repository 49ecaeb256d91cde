//! AVX-512VL: the instructions of AVX-512 on narrower registers.

use core::arch::{asm, x86_64::*};

use super::{
    Avx2,
    vec256::{U32x8, U64x4},
};
#[cfg(any(test, feature = "blake2"))]
use super::{
    Sse41,
    vec128::{U32x4, U64x2},
};
use crate::common::{needs::Needs, token::token};

// AVX-512F also implies `f16c`, which cpufeatures does not know and which is older than AVX2 on
// every CPU.
token! {
    /// The CPU supports AVX-512VL, and the operating system saves its registers.
    Avx512Vl(Avx2): "avx512vl", Needs::AVX512VL;
    enables ["avx512f", "avx512vl", "bmi1", "bmi2"];
    implies ["avx2", "avx", "fma", "sse4.1", "ssse3"];
    isa {
        type Proof = Avx2;
        type U32 = U32x8;
        type U64 = U64x4;

        #[inline(always)]
        fn proof(self) -> Avx2 {
            self.0.0
        }

        #[inline(always)]
        fn gather_row32(self, block: &[u8; 64], at: [usize; 4]) -> U32x8 {
            // SAFETY: the token stands for the features.
            U32x8::from_raw(self.proof(), unsafe { gather_row32(block, at) })
        }
    }
}

#[cfg(any(test, feature = "blake2"))]
token! {
    /// AVX-512VL on registers of 128 bits, for rows of four words.
    Avx512Vl128(Sse41): "avx512vl", Needs::AVX512VL;
    enables ["avx512f", "avx512vl", "bmi1", "bmi2"];
    isa {
        type Proof = Sse41;
        type U32 = U32x4;
        type U64 = U64x2;

        #[inline(always)]
        fn proof(self) -> Sse41 {
            self.0.0
        }

        #[inline(always)]
        fn gather_row32(self, block: &[u8; 64], at: [usize; 4]) -> U32x4 {
            // SAFETY: the token stands for the features.
            let words = unsafe { gather_row32(block, at) };
            // SAFETY: they include AVX.
            U32x4::from_raw(self.proof(), unsafe { _mm256_castsi256_si128(words) })
        }

        #[inline(always)]
        fn xor_rotr32(self, early: U32x4, late: U32x4, n: u32) -> U32x4 {
            early.xor_rotr(late, n)
        }
    }
}

#[cfg(any(test, feature = "blake2"))]
token! {
    /// AVX-512VL where rotations take longer than shifts, for rows of four words of 64 bits.
    Avx512VlShifts(Avx2): "avx512vl", Needs::AVX512VL;
    enables ["avx512f", "avx512vl", "bmi1", "bmi2"];
    isa {
        type Proof = Avx2;
        type U32 = U32x8;
        type U64 = U64x4;

        #[inline(always)]
        fn proof(self) -> Avx2 {
            self.0.0
        }

        #[inline(always)]
        fn xor_rotr64(self, early: U64x4, late: U64x4, n: u32) -> U64x4 {
            early.xor_rotr(late, n)
        }
    }
}

/// Words of a block by one shuffle of two registers; gathered one by one they take longer than the rounds. In
/// assembly, because the compiler would widen the shuffle to registers of 512 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn gather_row32(block: &[u8; 64], [a, b, c, d]: [usize; 4]) -> __m256i {
    let (low, high) = block.split_at(32);
    // SAFETY: the first half has 32 bytes.
    let low = unsafe { _mm256_loadu_si256(low.as_ptr().cast()) };
    // SAFETY: the second half has 32 bytes.
    let high = unsafe { _mm256_loadu_si256(high.as_ptr().cast()) };
    let [a, b, c, d] = [a as i32, b as i32, c as i32, d as i32];
    let mut words = _mm256_setr_epi32(a, b, c, d, a, b, c, d);
    if cfg!(miri) {
        return _mm256_permutex2var_epi32(low, words, high); // Miri does not run assembly
    }
    // SAFETY: the instruction is AVX-512VL's, and changes only its first register.
    unsafe {
        asm!(
            "vpermi2d {}, {}, {}",
            inout(ymm_reg) words,
            in(ymm_reg) low,
            in(ymm_reg) high,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    words
}
