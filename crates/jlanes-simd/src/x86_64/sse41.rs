//! SSE4.1: vectors of 128 bits.

use super::vec128::{U32x4, U64x2};
use crate::common::{needs::Needs, token::token};

token! {
    /// The CPU supports SSE4.1.
    Sse41: "sse41", Needs::SSE41;
    enables ["ssse3", "sse4.1"];
    implies [];
    isa {
        type Proof = Self;
        type U32 = U32x4;
        type U64 = U64x2;

        #[inline(always)]
        fn proof(self) -> Self {
            self
        }
    }
}
