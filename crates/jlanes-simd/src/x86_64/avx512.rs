//! AVX-512: vectors of 512 bits.

use super::vec512::{U32x16, U64x8};
use crate::common::{needs::Needs, token::token};

token! {
    /// The CPU supports AVX-512, and the operating system saves its registers.
    Avx512: "avx512", Needs::AVX512;
    enables ["avx512f", "avx512bw", "avx512vl", "bmi1", "bmi2"];
    implies ["avx2", "avx", "fma", "sse4.1", "ssse3"];
    isa {
        type Proof = Self;
        type U32 = U32x16;
        type U64 = U64x8;

        #[inline(always)]
        fn proof(self) -> Self {
            self
        }
    }
}
