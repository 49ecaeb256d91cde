//! The SHA-3 extension (FEAT_SHA3), for its operations on any vector: an exclusive or of three
//! values (`EOR3`), one with an and-not (`BCAX`), and one with a rotation of 64-bit words (`XAR`).
//! The vectors are NEON's: with the feature enabled, the compiler fuses operations into these.

use super::{
    Neon,
    vec128::{U32x4, U64x2},
};
use crate::common::{needs::Needs, token::token};

token! {
    /// The CPU supports the SHA-3 extension (and NEON).
    Sha3Ce(Neon): "sha3ce", Needs::SHA3CE;
    enables ["neon", "sha3"];
    isa {
        type Proof = Neon;
        type U32 = U32x4;
        type U64 = U64x2;

        #[inline(always)]
        fn proof(self) -> Neon {
            self.0.0
        }
    }
}
