//! The NEON token.

use jlanes_core::simd::isa::Isa;

use super::vec128::{U32x4, U64x2};
use crate::token::{token, trampoline};

token! {
    /// The CPU has NEON.
    Neon
}

impl Isa for Neon {
    type Proof = Neon;
    type U32 = U32x4;
    type U64 = U64x2;

    #[inline(always)]
    fn proof(self) -> Neon {
        self
    }

    // The target has NEON, so that nothing but this keeps kernels apart, in each of which the
    // check of the machine code then sees one function.
    trampoline! {
        #[inline(never)]
        Neon: "neon"
    }
}
