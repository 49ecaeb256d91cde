//! The token of the SHA-3 instructions, for what they do on any vector: an exclusive or of three
//! values (`EOR3`), one with a complement's and (`BCAX`), and one with a rotation of 64-bit words
//! (`XAR`). The text of the vectors is NEON's: compilers that know the feature find the three.

use jlanes_core::simd::isa::Isa;

use super::{
    Neon,
    vec128::{U32x4, U64x2},
};
use crate::token::{token, trampoline};

token! {
    /// The CPU has the SHA-3 instructions (and NEON).
    Sha3Ce
}

impl Isa for Sha3Ce {
    type Proof = Neon;
    type U32 = U32x4;
    type U64 = U64x2;

    #[inline(always)]
    fn proof(self) -> Neon {
        // SAFETY: the detection of the SHA-3 instructions checks NEON too.
        unsafe { Neon::assume() }
    }

    trampoline!(Sha3Ce: "neon,sha3");
}
