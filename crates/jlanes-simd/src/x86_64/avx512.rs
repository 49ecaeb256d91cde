//! The AVX-512 token.

use jlanes_core::simd::isa::{Isa, Kernel};

use super::vec512::{U32x16, U64x8};

/// The CPU has AVX-512, and the operating system saves its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// # Safety
    /// The features of [`run`](Isa::run)'s trampoline have been detected.
    pub(super) const unsafe fn assume() -> Self {
        Self(())
    }
}

impl Isa for Avx512 {
    type Proof = Avx512;
    type U32 = U32x16;
    type U64 = U64x8;

    #[inline(always)]
    fn proof(self) -> Avx512 {
        self
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Out {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2")]
        fn enter<K: Kernel>(isa: Avx512, kernel: K) -> K::Out {
            kernel.call(isa)
        }
        // SAFETY: a token exists only where these features have been detected.
        unsafe { enter(self, kernel) }
    }
}
