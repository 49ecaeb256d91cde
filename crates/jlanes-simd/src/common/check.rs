//! Checks of vector types, for tests: one generic check runs under the token of each instruction set.

use jlanes_core::simd::vector::{Isa, Vector, VectorCode, Word};

use super::token::Token;

/// A check of one vector type.
pub(crate) trait Check: Copy {
    fn check<W: Word, V: Vector<W>>(self, proof: V::Proof);
}

/// A check, on both vector types of an instruction set.
#[derive(Clone, Copy)]
pub(crate) struct OnBoth<C>(pub(crate) C);

impl<C: Check, I: Isa> VectorCode<I> for OnBoth<C> {
    type Out = ();

    #[inline(always)]
    fn call(self, isa: I) {
        self.0.check::<u32, I::U32>(isa.proof());
        self.0.check::<u64, I::U64>(isa.proof());
    }
}

/// Runs `check` under the token `I`, if the CPU supports it.
#[allow(dead_code)] // some targets have no tokens
pub(crate) fn check_on<I: Isa + Token>(check: impl Check) {
    if let Some(isa) = I::detected() {
        isa.run(OnBoth(check));
    }
}
