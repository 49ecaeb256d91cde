//! One message.
//!
//! The conditions depend on the blocks alone, not on the state. So [`advance`] has those of several blocks in lanes,
//! and SHA-1 by any kernel; only blocks with candidates are compressed by the code that can recompress them. A unit that
//! takes few instructions for its rounds leaves time for the conditions of the same block ([`advance_by_unit`]).

use core::array;

use super::{
    super::ROUNDS,
    ALL, FLAGS, FOUND, MAX_WAITING_BLOCKS, NO_DETECTION, NO_SAFE_HASH, UNFILTERED,
    candidates::{candidates, candidates_of_bits},
    compress_suspect,
    disturbance_vectors::{BLOCK_DIFFERENCES, DIFFERENCES, DisturbanceVector},
    lanes_with_candidates,
    recheck::{EARLY_STEP, LATE_STEP, steps_of_one},
    sets,
};
use crate::{
    compression::RunByteOrder,
    simd::{
        runs::Runs,
        transpose::load_block,
        vector::{ByteOrder, Isa, SimdWord, VectorCode},
        words::read_words,
    },
};

/// Bytes of a block.
const BLOCK: usize = 64;

/// The candidates of some blocks; lanes without a block repeat the first one.
pub struct Candidates<'a>(&'a [[u8; BLOCK]]);

impl<I: Isa> VectorCode<I> for Candidates<'_> {
    type Out = [[u32; MAX_WAITING_BLOCKS]; 2];

    #[inline(always)]
    fn call(self, isa: I) -> [[u32; MAX_WAITING_BLOCKS]; 2] {
        let Self(blocks) = self;
        let mut runs = [&blocks[0][..]; MAX_WAITING_BLOCKS];
        for (run, block) in runs.iter_mut().zip(blocks) {
            *run = block;
        }
        let runs = Runs::new(&runs[..<I::U32 as SimdWord<u32>>::N]);
        let words = load_block(isa.proof(), ByteOrder::Big, (&runs, None), 0);
        sets(candidates::<I::U32>(isa.proof(), words))
    }
}

/// Advances one message by the blocks of `data`: `plain` advances SHA-1's state.
#[inline]
pub fn advance<I: Isa>(isa: I, state: &mut [u32], data: &[u8], plain: impl Fn(&mut [u32], &[u8])) {
    let (blocks, _) = data.as_chunks::<BLOCK>();
    let flags = state[FLAGS];
    if flags & NO_DETECTION != 0 {
        return plain(&mut state[..FLAGS], blocks.as_flattened());
    }
    for blocks in blocks.chunks(<I::U32 as SimdWord<u32>>::N.min(MAX_WAITING_BLOCKS)) {
        let candidates = if flags & UNFILTERED == 0 {
            isa.run(Candidates(blocks))
        } else {
            ALL.map(|set| [set; MAX_WAITING_BLOCKS])
        };
        let suspects = lanes_with_candidates(&candidates);
        let mut left = blocks;
        while let [block, rest @ ..] = left {
            let at = blocks.len() - left.len();
            if suspects >> at & 1 != 0 {
                let (mut words, mut checked) = ([0; 16], [0; 6]);
                read_words(ByteOrder::Big, block, &mut words);
                checked.copy_from_slice(&state[..6]);
                compress_suspect(&mut checked, &words, candidates.map(|set| set[at]));
                state[..6].copy_from_slice(&checked);
                left = rest;
            } else {
                let harmless = (suspects >> at).trailing_zeros() as usize;
                let (now, later) = left.split_at(harmless.min(left.len()));
                plain(&mut state[..FLAGS], now.as_flattened());
                left = later;
            }
        }
    }
}

/// SHA-1's state of one message in a unit for its rounds.
pub trait UnitState: Copy {
    /// What is kept of a block for its checks.
    type Trace: Copy;

    /// Takes the state into the unit.
    fn load(state: &[u32; FLAGS]) -> Self;

    /// Advances by a block.
    fn compress(&mut self, block: &[u8; BLOCK], order: RunByteOrder) -> Self::Trace;

    /// Advances `state` by a block, without a trace.
    fn compress_plain(state: &mut [u32; FLAGS], block: &[u8; BLOCK]);

    /// The bits of a block's schedule at a position from 0 to 7 or from 28 to 30: that of step `t`, from 35 to 64, is
    /// bit `t % 32`.
    fn bits(trace: &Self::Trace, position: usize) -> u32;

    /// Writes the state.
    fn store(self, state: &mut [u32; FLAGS]);

    /// The words of the steps from 49 to 64, that of step `t` at `t % 16`, and the working variables before the steps
    /// [`TRACED_STATES`].
    fn traced(trace: Self::Trace) -> ([u32; 16], [[u32; FLAGS]; 2]);
}

/// The steps before which a [`UnitState`] keeps the working variables.
pub const TRACED_STATES: [usize; 2] = [56, 64];

/// Advances one message by a unit. The checks of a block do not wait for its rounds, nor the next rounds for them.
#[inline(always)]
pub fn advance_by_unit<S: UnitState>(state: &mut [u32], data: &[u8], order: RunByteOrder) {
    let Some((sha1, [flags])) = state.split_first_chunk_mut() else {
        unreachable!("a state and flags")
    };
    let mut now = S::load(sha1);
    for block in data.as_chunks().0 {
        let trace = now.compress(block, order);
        let options = *flags & (NO_DETECTION | UNFILTERED);
        let candidates = if options == 0 {
            candidates_of_bits(
                #[inline(always)]
                |position| S::bits(&trace, position),
            )
        } else {
            ALL
        };
        if candidates != [0; 2] && options & NO_DETECTION == 0 {
            now.store(sha1);
            let order = match order {
                RunByteOrder::Message => ByteOrder::Big,
                RunByteOrder::Native => ByteOrder::NATIVE,
            };
            let mut words = [0; 16];
            read_words(order, block, &mut words);
            if is_attack(S::traced(trace), sha1, &words, candidates, compress::<S>) {
                *flags |= FOUND;
                if *flags & NO_SAFE_HASH == 0 {
                    *sha1 = compress::<S>(compress::<S>(*sha1, words), words);
                    now = S::load(sha1);
                }
            }
        }
    }
    now.store(sha1);
}

/// The state after a block of these words.
fn compress<S: UnitState>(mut state: [u32; FLAGS], words: [u32; 16]) -> [u32; FLAGS] {
    let mut block = [0; BLOCK];
    for (bytes, word) in block.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_be_bytes();
    }
    S::compress_plain(&mut state, &block);
    state
}

/// Whether a block, after which SHA-1's state is `end`, is one of an attack. If the other message leads to the same
/// state, its working variables after the last step tell from which one its block starts.
#[cold]
fn is_attack(
    (words, states): ([u32; 16], [[u32; FLAGS]; 2]),
    end: &[u32; FLAGS],
    block: &[u32; 16],
    candidates: [u32; 2],
    compress: fn([u32; FLAGS], [u32; 16]) -> [u32; FLAGS],
) -> bool {
    for (set, mut candidates) in candidates.into_iter().enumerate() {
        while candidates != 0 {
            let bit = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let late = usize::from(DisturbanceVector::from_bit(bit, 0).is_late());
            let mut state = states[late];
            let shared = [EARLY_STEP, LATE_STEP][late];
            steps_of_one(TRACED_STATES[late]..shared, &mut state, &mut { words });
            let mut other_words = words;
            for (word, difference) in other_words.iter_mut().zip(&DIFFERENCES[set][bit]) {
                *word ^= difference;
            }
            steps_of_one(shared..ROUNDS, &mut state, &mut other_words);
            let start = array::from_fn(|i| end[i].wrapping_sub(state[i]));
            let other = array::from_fn(|i| block[i] ^ BLOCK_DIFFERENCES[set][bit][i]);
            if compress(start, other) == *end {
                return true;
            }
        }
    }
    false
}
