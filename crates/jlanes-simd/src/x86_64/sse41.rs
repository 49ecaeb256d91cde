//! The SSE4.1 token.

use jlanes_core::simd::isa::Isa;

use super::vec128::{U32x4, U64x2};
use crate::token::{token, trampoline};

token! {
    /// The CPU has SSE4.1, and the operating system saves its registers.
    Sse41
}

impl Isa for Sse41 {
    type Proof = Sse41;
    type U32 = U32x4;
    type U64 = U64x2;

    #[inline(always)]
    fn proof(self) -> Sse41 {
        self
    }

    trampoline!(Sse41: "ssse3,sse4.1");
}
