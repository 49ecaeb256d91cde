//! The SHA-3 instructions (FEAT_SHA3), for what they do on any vector: an exclusive or of three
//! values (`EOR3`), one with a complement's and (`BCAX`), and one with a rotation of 64-bit words
//! (`XAR`). The text of the vectors is NEON's: compilers that know the feature find the three.

use super::{
    Neon,
    vec128::{U32x4, U64x2},
};
use crate::{features::Sets, token::token};

token! {
    /// The CPU has the SHA-3 instructions (and NEON).
    Sha3Ce(Neon): "sha3ce", Sets::SHA3CE;
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
