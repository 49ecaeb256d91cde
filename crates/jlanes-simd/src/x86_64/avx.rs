//! AVX: SSE4.1's vectors in a three-operand encoding, which saves register moves.

use super::{
    Sse41,
    vec128::{U32x4, U64x2},
};
use crate::common::{needs::Needs, token::token};

token! {
    /// The CPU supports AVX, and the operating system saves its registers.
    Avx(Sse41): "avx", Needs::AVX;
    enables ["avx"];
    implies ["sse4.1", "ssse3"];
    isa {
        type Proof = Sse41;
        type U32 = U32x4;
        type U64 = U64x2;

        #[inline(always)]
        fn proof(self) -> Sse41 {
            self.0.0
        }
    }
}
