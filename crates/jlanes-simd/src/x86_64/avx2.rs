//! The AVX2 token.

use jlanes_core::simd::isa::Isa;

use super::vec256::{U32x8, U64x4};
use crate::token::{token, trampoline};

token! {
    /// The CPU has AVX2, and the operating system saves its registers.
    Avx2
}

impl Isa for Avx2 {
    type Proof = Avx2;
    type U32 = U32x8;
    type U64 = U64x4;

    #[inline(always)]
    fn proof(self) -> Avx2 {
        self
    }

    trampoline!(Avx2: "avx2,bmi1,bmi2");
}
