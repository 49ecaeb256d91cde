//! SHA-1 of one message with detection of collision attacks: rounds by SHA-NI between the operations of the
//! conditions, in AVX's encoding.
//!
//! The rounds of a block are one chain, and leave most of the core idle. Four blocks have their conditions in
//! the lanes of 128 bits: in wider registers, where upper halves are in use, SHA-NI's encoding costs hundreds
//! of cycles on some cores. On Zen a block takes 139 cycles with its conditions, 122 for its rounds alone,
//! and 160 in SSE's encoding
//! ([EXPERIMENTS](https://github.com/jlanes/jlanes/blob/main/docs/EXPERIMENTS.md#sha-1-with-detection-of-collision-attacks)).

use core::arch::{asm, x86_64::*};

use jlanes_core::{
    compression::RunByteOrder,
    hashes::sha1::checked::{
        FLAGS,
        stream::{self, OPERATIONS_BEFORE, POINTS, SideWork},
    },
    simd::vector::SimdWord,
};

use super::{
    ShaNi, Sse41,
    shani::{
        byte_shuffle, load_words,
        sha1::{Stream, reverse, schedule},
    },
    vec128::U32x4,
};

/// Blocks in the lanes.
pub(super) const BLOCKS_IN_LANES: usize = 4;

/// Fours of rounds of a block.
const FOURS_OF_ROUNDS: usize = 20;

/// Advances SHA-1's state by the blocks, and writes the states before them and their candidates.
#[inline]
#[target_feature(enable = "sha,avx")]
pub(super) fn compress(
    proof: Sse41,
    state: &mut [u32; FLAGS],
    blocks: &[[u8; 64]; BLOCKS_IN_LANES],
    before: &mut [[u32; FLAGS]; BLOCKS_IN_LANES],
    candidates: &mut [[u32; BLOCKS_IN_LANES]; 2],
) {
    let now = Stream::load(state);
    let order = reverse(byte_shuffle(ShaNi::new(), RunByteOrder::Message));
    let mut rounds =
        Rounds { blocks, order, now, before: [now; BLOCKS_IN_LANES], words: [order; 4] };
    let sets = stream::candidates(proof, stream::words::<U32x4>(proof, blocks), &mut rounds);
    rounds.now.store(state);
    for (row, set) in candidates.iter_mut().zip(sets) {
        set.store(row);
    }
    for (state, stream) in before.iter_mut().zip(rounds.before) {
        stream.store(state);
    }
}

/// The rounds of the blocks.
struct Rounds<'a> {
    blocks: &'a [[u8; 64]; BLOCKS_IN_LANES],
    /// The shuffle that makes words of bytes.
    order: __m128i,
    now: Stream,
    /// The states before the blocks.
    before: [Stream; BLOCKS_IN_LANES],
    /// Sixteen words of the schedule.
    words: [__m128i; 4],
}

impl SideWork<U32x4> for Rounds<'_> {
    #[inline(always)]
    fn part(&mut self, at: usize, value: &mut U32x4) {
        const DONE: [usize; POINTS + 1] = {
            let mut done = [0; POINTS + 1];
            let mut at = 0;
            while at <= POINTS {
                done[at] = BLOCKS_IN_LANES * FOURS_OF_ROUNDS * OPERATIONS_BEFORE[at]
                    / OPERATIONS_BEFORE[POINTS];
                assert!(at == 0 || done[at] <= done[at - 1] + 2, "at most two at each point");
                at += 1;
            }
            done
        };
        if DONE[at] < DONE[at + 1] {
            // SAFETY: the vector exists only with a token of the features.
            unsafe { self.four_rounds(DONE[at], value) };
        }
        if DONE[at] + 1 < DONE[at + 1] {
            // SAFETY: as above.
            unsafe { self.four_rounds(DONE[at] + 1, value) };
        }
    }
}

impl Rounds<'_> {
    /// Four rounds: `n` counts those of all blocks, and is a constant at every call site.
    #[inline]
    #[target_feature(enable = "sha,avx")]
    fn four_rounds(&mut self, n: usize, value: &mut U32x4) {
        let (block, quad) = (n / FOURS_OF_ROUNDS, n % FOURS_OF_ROUNDS);
        if quad == 0 {
            self.before[block] = self.now;
            let bytes = self.blocks[block].as_chunks().0;
            for (words, bytes) in self.words.iter_mut().zip(bytes) {
                *words = load_words(ShaNi::new(), bytes, self.order);
            }
        }
        let words = self.words[quad % 4];
        match quad / 5 {
            0 => self.now.rounds4::<0>(quad == 0, words),
            1 => self.now.rounds4::<1>(false, words),
            2 => self.now.rounds4::<2>(false, words),
            _ => self.now.rounds4::<3>(false, words),
        }
        if quad < 16 {
            schedule(&mut self.words, quad);
        }
        keep_interleaved(Sse41::new(), &mut self.now.abcd, value);
        if quad == FOURS_OF_ROUNDS - 1 {
            self.now.feed_forward(&self.before[block]);
        }
    }
}

/// The compiler computes neither before the other's operands.
#[inline]
#[target_feature(enable = "avx")]
fn keep_interleaved(proof: Sse41, abcd: &mut __m128i, value: &mut U32x4) {
    if cfg!(miri) {
        return; // Miri does not run assembly
    }
    let mut raw = value.raw();
    // SAFETY: there is no instruction, only registers that the compiler has to fill.
    unsafe {
        asm!(
            "/* {} {} */", inout(xmm_reg) *abcd, inout(xmm_reg) raw,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    *value = U32x4::from_raw(proof, raw);
}
