//! NEON: vectors of 128 bits.

use super::vec128::{U32x4, U64x2};
use crate::common::{needs::Needs, token::token};

token! {
    /// The CPU supports NEON.
    Neon: "neon", Needs::NEON;
    enables ["neon"];
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
