//! The NEON token.

use jlanes_core::simd::isa::{Isa, Kernel};

use super::vec128::{U32x4, U64x2};

/// The CPU has NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Neon {
    /// # Safety
    /// The features of [`run`](Isa::run)'s trampoline have been detected.
    pub(super) const unsafe fn assume() -> Self {
        Self(())
    }
}

impl Isa for Neon {
    type Proof = Neon;
    type U32 = U32x4;
    type U64 = U64x2;

    #[inline(always)]
    fn proof(self) -> Neon {
        self
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Out {
        // The target has NEON, so that nothing but this keeps kernels apart, in each of which the
        // check of the machine code then sees one function.
        #[inline(never)]
        #[target_feature(enable = "neon")]
        fn enter<K: Kernel>(isa: Neon, kernel: K) -> K::Out {
            kernel.call(isa)
        }
        // SAFETY: a token exists only where these features have been detected.
        unsafe { enter(self, kernel) }
    }
}
