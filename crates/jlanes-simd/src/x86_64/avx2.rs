//! AVX2: vectors of 256 bits. CPUs with AVX2 have BMI, too.

use jlanes_core::{
    compression::{RunByteOrder, Shape},
    kernel::{RehashRounds, WholeMessages},
};

use super::{
    sha512,
    vec256::{U32x8, U64x4},
};
use crate::common::{blocks::Blocks, needs::Needs, token::token};

token! {
    /// The CPU supports AVX2, and the operating system saves its registers.
    Avx2: "avx2", Needs::AVX2;
    enables ["avx2", "bmi1", "bmi2"];
    implies ["avx", "sse4.1", "ssse3"];
    isa {
        type Proof = Self;
        type U32 = U32x8;
        type U64 = U64x4;

        #[inline(always)]
        fn proof(self) -> Self {
            self
        }
    }

    /// SHA-512 on one stream.
    fn sha512(
        _shape: &Shape<u64>,
        states: &mut [u64],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u64],
    ) {
        sha512::advance(states, &Blocks::new(runs, blocks), order, shared);
    }

    /// SHA-512 of whole messages, one by one.
    fn sha512_digests(work: WholeMessages<'_, '_, u64>) {
        sha512::digest(work);
    }

    /// SHA-512 of digests, again and again.
    fn sha512_rehash(
        states: &mut [u64],
        starts: &[&[u64]],
        work: &RehashRounds<'_, u64>,
        xor_sum: Option<&mut [u64]>,
    ) {
        sha512::rehash(states, starts, work, xor_sum);
    }
}
