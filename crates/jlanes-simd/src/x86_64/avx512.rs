//! The AVX-512 token.

use jlanes_core::simd::isa::Isa;

use super::vec512::{U32x16, U64x8};
use crate::token::{token, trampoline};

token! {
    /// The CPU has AVX-512, and the operating system saves its registers.
    Avx512
}

impl Isa for Avx512 {
    type Proof = Avx512;
    type U32 = U32x16;
    type U64 = U64x8;

    #[inline(always)]
    fn proof(self) -> Avx512 {
        self
    }

    trampoline!(Avx512: "avx512f,avx512bw,avx512vl,bmi1,bmi2");
}
