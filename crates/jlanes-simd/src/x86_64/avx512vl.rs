//! AVX-512VL: the instructions of AVX-512 on narrower registers.

use super::{
    Avx2,
    vec256::{U32x8, U64x4},
};
#[cfg(any(test, feature = "blake2", feature = "blake3"))]
use super::{
    Sse41,
    vec128::{U32x4, U64x2},
};
use crate::common::{sets::Sets, token::token};

// AVX-512F also implies `f16c`, which cpufeatures does not know and which is older than AVX2 on
// every CPU.
token! {
    /// The CPU supports AVX-512VL, and the operating system saves its registers.
    Avx512Vl(Avx2): "avx512vl", Sets::AVX512VL;
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
    }
}

#[cfg(any(test, feature = "blake2", feature = "blake3"))]
token! {
    /// The same on registers of 128 bits, for rows of four words.
    Avx512VlNarrow(Sse41): "avx512vl", Sets::AVX512VL;
    enables ["avx512f", "avx512vl", "bmi1", "bmi2"];
    isa {
        type Proof = Sse41;
        type U32 = U32x4;
        type U64 = U64x2;

        #[inline(always)]
        fn proof(self) -> Sse41 {
            self.0.0
        }
    }
}
