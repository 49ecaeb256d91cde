//! The AVX token.

use jlanes_core::simd::isa::{Isa, Kernel};

use super::{
    Sse41,
    vec128::{U32x4, U64x2},
};

/// The CPU has AVX, and the operating system saves its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx(());

impl Avx {
    /// # Safety
    /// The features of [`run`](Isa::run)'s trampoline have been detected.
    pub(super) const unsafe fn assume() -> Self {
        Self(())
    }
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

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Out {
        #[target_feature(enable = "avx")]
        fn enter<K: Kernel>(isa: Avx, kernel: K) -> K::Out {
            kernel.call(isa)
        }
        // SAFETY: a token exists only where these features have been detected.
        unsafe { enter(self, kernel) }
    }
}
