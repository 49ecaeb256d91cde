//! AVX2: vectors of 256 bits. CPUs with AVX2 have BMI, too.

use super::vec256::{U32x8, U64x4};
use crate::{features::Sets, token::token};

token! {
    /// The CPU supports AVX2, and the operating system saves its registers.
    Avx2: "avx2", Sets::AVX2;
    enables ["avx2", "bmi1", "bmi2"];
    implies ["avx", "sse4.1", "ssse3"];
    isa {
        type Proof = Self;
        type U32 = U32x8;
        type U64 = U64x4;

        #[inline(always)]
        fn proof(self) -> Self {
            self
        }
    }
}
