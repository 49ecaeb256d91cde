//! AVX: SSE4.1's vectors in a three-operand encoding, which saves register moves.

use core::arch::x86_64::*;

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

        #[inline(always)]
        fn gather_row32(self, block: &[u8; 64], at: [usize; 4]) -> U32x4 {
            let words = word::<0>(block, at[0]);
            let words = put::<1, 0b0010>(self.proof(), words, block, at[1]);
            let words = put::<2, 0b0100>(self.proof(), words, block, at[2]);
            let words = put::<3, 0b1000>(self.proof(), words, block, at[3]);
            // SAFETY: SSE2 is part of x86-64.
            U32x4::from_raw(self.proof(), unsafe { _mm_castps_si128(words) })
        }
    }
}

/// `words` with a word of a block, which is loaded into its lane with its neighbours: insertions would keep busy the
/// units that also shift. As `word` always inlined, because the loads depend on constants.
#[inline(always)]
fn put<const LANE: usize, const MASK: i32>(
    _: Sse41,
    words: __m128,
    block: &[u8; 64],
    at: usize,
) -> __m128 {
    // SAFETY: the value stands for SSE4.1.
    unsafe { _mm_blend_ps::<MASK>(words, word::<LANE>(block, at)) }
}

/// Word `at` of a block in a lane; the other lanes do not matter.
#[inline(always)]
fn word<const LANE: usize>(block: &[u8; 64], at: usize) -> __m128 {
    match at.checked_sub(LANE).and_then(|i| block[4 * i..].first_chunk::<16>()) {
        // SAFETY: there are 16 bytes.
        Some(bytes) => unsafe { _mm_loadu_ps(bytes.as_ptr().cast()) },
        // SAFETY: SSE is part of x86-64.
        None => unsafe { _mm_set1_ps(f32::from_le_bytes(block.as_chunks().0[at])) },
    }
}
