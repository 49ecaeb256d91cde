//! The SSE4.1 token.

use jlanes_core::simd::isa::{Isa, Kernel};

use super::vec128::{U32x4, U64x2};

/// The CPU has SSE4.1, and the operating system saves its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sse41(());

impl Sse41 {
    /// # Safety
    /// The features of [`run`](Isa::run)'s trampoline have been detected.
    pub(super) const unsafe fn assume() -> Self {
        Self(())
    }
}

impl Isa for Sse41 {
    type Proof = Sse41;
    type U32 = U32x4;
    type U64 = U64x2;

    #[inline(always)]
    fn proof(self) -> Sse41 {
        self
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Out {
        #[target_feature(enable = "ssse3,sse4.1")]
        fn enter<K: Kernel>(isa: Sse41, kernel: K) -> K::Out {
            kernel.call(isa)
        }
        // SAFETY: a token exists only where these features have been detected.
        unsafe { enter(self, kernel) }
    }
}
