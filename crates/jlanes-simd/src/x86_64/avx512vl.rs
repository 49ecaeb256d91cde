//! The AVX-512VL token.

use jlanes_core::simd::isa::Isa;

use super::{
    Avx2, Sse41,
    vec128::{U32x4, U64x2},
    vec256::{U32x8, U64x4},
};
use crate::token::{token, trampoline};

token! {
    /// The CPU has AVX-512VL, and the operating system saves its registers.
    Avx512Vl
}

impl Isa for Avx512Vl {
    type Proof = Avx2;
    type U32 = U32x8;
    type U64 = U64x4;

    #[inline(always)]
    fn proof(self) -> Avx2 {
        // SAFETY: AVX-512F implies AVX2, and the detection of AVX-512VL checks it too.
        unsafe { Avx2::assume() }
    }

    trampoline!(Avx512Vl: "avx512f,avx512vl,bmi1,bmi2");
}

/// The same instructions on registers of 128 bits, for what has rows of four words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512VlNarrow(Avx512Vl);

impl From<Avx512Vl> for Avx512VlNarrow {
    #[inline(always)]
    fn from(isa: Avx512Vl) -> Self {
        Self(isa)
    }
}

impl Isa for Avx512VlNarrow {
    type Proof = Sse41;
    type U32 = U32x4;
    type U64 = U64x2;

    #[inline(always)]
    fn proof(self) -> Sse41 {
        // SAFETY: AVX-512F implies SSE4.1, and the detection of AVX-512VL checks it too.
        unsafe { Sse41::assume() }
    }

    trampoline!(Avx512VlNarrow: "avx512f,avx512vl,bmi1,bmi2");
}
