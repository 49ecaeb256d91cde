//! The AVX2 token.

use jlanes_core::simd::isa::{Isa, Kernel};

use super::vec256::{U32x8, U64x4};

/// The CPU has AVX2, and the operating system saves its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// # Safety
    /// The features of [`run`](Isa::run)'s trampoline have been detected.
    pub(super) const unsafe fn assume() -> Self {
        Self(())
    }
}

impl Isa for Avx2 {
    type Proof = Avx2;
    type U32 = U32x8;
    type U64 = U64x4;

    #[inline(always)]
    fn proof(self) -> Avx2 {
        self
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Out {
        #[target_feature(enable = "avx2,bmi1,bmi2")]
        fn enter<K: Kernel>(isa: Avx2, kernel: K) -> K::Out {
            kernel.call(isa)
        }
        // SAFETY: a token exists only where these features have been detected.
        unsafe { enter(self, kernel) }
    }
}
