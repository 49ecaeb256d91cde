//! The token of the SHA-3 instructions, for what they do on any vector: an exclusive or of three
//! values (`EOR3`), one with a complement's and (`BCAX`), and one with a rotation of 64-bit words
//! (`XAR`). The text of the vectors is NEON's: compilers that know the feature find the three.

use jlanes_core::simd::isa::{Isa, Kernel};

use super::{
    Neon,
    vec128::{U32x4, U64x2},
};

/// The CPU has the SHA-3 instructions (and NEON).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sha3Ce(());

impl Sha3Ce {
    /// # Safety
    /// The features of [`run`](Isa::run)'s trampoline have been detected.
    pub(super) const unsafe fn assume() -> Self {
        Self(())
    }
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

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Out {
        #[target_feature(enable = "neon,sha3")]
        fn enter<K: Kernel>(isa: Sha3Ce, kernel: K) -> K::Out {
            kernel.call(isa)
        }
        // SAFETY: a token exists only where these features have been detected.
        unsafe { enter(self, kernel) }
    }
}
