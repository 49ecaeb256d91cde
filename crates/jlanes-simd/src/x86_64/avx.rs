//! The AVX token.

use jlanes_core::simd::isa::Isa;

use super::{
    Sse41,
    vec128::{U32x4, U64x2},
};
use crate::token::{token, trampoline};

token! {
    /// The CPU has AVX, and the operating system saves its registers.
    Avx
}

impl Isa for Avx {
    type Proof = Sse41;
    type U32 = U32x4;
    type U64 = U64x2;

    #[inline(always)]
    fn proof(self) -> Sse41 {
        // SAFETY: AVX implies SSE4.1, and the detection of AVX checks it too.
        unsafe { Sse41::assume() }
    }

    trampoline!(Avx: "avx");
}
