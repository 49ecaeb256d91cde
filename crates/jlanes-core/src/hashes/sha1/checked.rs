//! SHA-1 that detects collision attacks: Stevens, Shumow, "Speeding up detection of SHA-1 collision
//! attacks using unavoidable attack conditions" (USENIX Security 2017).
//!
//! ```text
//! each block:  the [conditions] tell by which of 32 disturbance vectors it may belong to an attack
//!              for these, [recheck] computes the chaining value of the other message of the pair
//!              if it equals this one's, the block is one of an attack:
//!                  mark the message, and compress the block twice more ("safe hash")
//! ```
//!
//! Kernels of lanes collect the blocks with candidates, one in twenty, until they fill a register
//! ([`CheckedStep`]). If one is of an attack, the kernel repeats its work block by block.

use core::marker::PhantomData;

use digest::consts::{U20, U24};

use super::{IV, ROUNDS};
use crate::{
    compression::{Compression, Shape},
    hash::HashFunction,
    hashes::hash_core::merkle_damgard,
    kernel::step::{Step, StepBlock, StepState},
    simd::{
        portable::PlainWords,
        registers::Registers,
        vector::{ByteOrder, Isa, SimdWord, VectorCode},
    },
};

mod candidates;
mod conditions;
mod disturbance_vectors;
mod recheck;
pub mod stream;
#[cfg(test)]
mod tests;
mod trace;
mod waiting_blocks;

use disturbance_vectors::ALL;
use recheck::Suspect;
use trace::{CANDIDATES_ROW, TRACE_ROWS, Trace, write_suspect};
use waiting_blocks::{MAX_WAITING_BLOCKS, WaitingBlocks};

/// The position in a state of [`FOUND`] and the options.
pub const FLAGS: usize = 5;

/// The flag of a message with a block of a collision attack.
pub const FOUND: u32 = 1;
/// An option of messages on one stream: no detection.
pub const NO_DETECTION: u32 = 1 << 1;
/// An option of messages on one stream: every block has all disturbance vectors as candidates.
pub const UNFILTERED: u32 = 1 << 2;
/// An option of messages on one stream: a message of an attack keeps SHA-1's digest.
pub const NO_SAFE_HASH: u32 = 1 << 3;

/// SHA-1's compression function with detection. The state is SHA-1's, and a word of flags.
#[derive(Clone, Copy, Debug)]
pub struct CheckedCompression;

/// SHA-1 with another digest for messages of a collision attack.
#[derive(Clone, Copy, Debug)]
pub struct Sha1Checked;

/// [`Sha1Checked`], followed by the [flags](FOUND) of the message as a big-endian word.
#[derive(Clone, Copy, Debug)]
pub struct Sha1WithFlags;

impl HashFunction for Sha1Checked {
    type Compression = CheckedCompression;
    type OutputSize = U20;
    const NAME: &'static str = "Sha1Checked";

    #[inline]
    fn start() -> [u32; 6] {
        let [a, b, c, d, e] = IV;
        [a, b, c, d, e, 0]
    }

    #[inline]
    fn restart(state: &mut [u32; 6]) {
        let options = state[FLAGS] & !FOUND;
        *state = Self::start();
        state[FLAGS] = options;
    }
}

impl HashFunction for Sha1WithFlags {
    type Compression = CheckedCompression;
    type OutputSize = U24;
    const NAME: &'static str = "Sha1Checked";

    #[inline]
    fn start() -> [u32; 6] {
        Sha1Checked::start()
    }
}

merkle_damgard!(CheckedCompression, U64, U32);

impl Compression for CheckedCompression {
    type Word = u32;
    type State<T: Copy> = [T; 6];
    type Block<T: Copy> = [T; 16];
    const MAX_LANES: usize = 16;
    const BLOCK_BYTES: usize = 64;
    const ORDER: ByteOrder = ByteOrder::Big;
    const ROUNDS: usize = ROUNDS;

    /// Compresses lane by lane, with the options.
    #[inline(always)]
    fn compress<V: SimdWord<u32>>(proof: V::Proof, state: &mut [V; 6], block: [V; 16]) {
        let mut states = [[0; MAX_WAITING_BLOCKS]; 6];
        let mut blocks = [[0; MAX_WAITING_BLOCKS]; 16];
        store(state, &mut states);
        store(&block, &mut blocks);
        for lane in 0..V::N {
            let mut own = states.map(|row| row[lane]);
            compress_one(&mut own, &blocks.map(|row| row[lane]));
            for (row, word) in states.iter_mut().zip(own) {
                row[lane] = word;
            }
        }
        for (word, row) in state.iter_mut().zip(&states) {
            *word = V::load(proof, row);
        }
    }
}

/// [`CheckedCompression`] on the registers of `R`, with checks that wait for each other. If one finds
/// something, the kernel repeats its blocks, with each check at once.
#[derive(Clone, Copy, Debug)]
pub struct CheckedStep<R>(PhantomData<R>);

/// Checks of blocks that a kernel has collected, until they fill a register.
#[derive(Debug, Default)]
pub struct Checks {
    waiting: WaitingBlocks,
    at_once: bool,
}

impl<I: Isa, R: Registers> Step<I> for CheckedStep<R> {
    type Compression = CheckedCompression;
    type Registers = R;
    type SideState = Checks;

    #[inline(always)]
    fn compress(
        isa: I,
        _: &Shape<u32>,
        state: &mut StepState<Self, I>,
        block: StepBlock<Self, I>,
        checks: &mut Checks,
    ) {
        if checks.at_once {
            return CheckedCompression::compress(isa.proof(), state, block);
        }
        let trace = Trace::of::<true>(isa.proof(), state, block);
        let lanes = lanes_with_candidates(&sets(trace.candidates));
        if lanes != 0 {
            let mut rows = [[0; MAX_WAITING_BLOCKS]; TRACE_ROWS];
            store(&trace.rows(state), &mut rows);
            isa.run(Defer { rows: &rows, lanes, waiting: &mut checks.waiting });
        }
    }

    #[inline(always)]
    fn must_repeat(isa: I, checks: &mut Checks) -> bool {
        if checks.at_once {
            return false;
        }
        isa.run(Recheck { waiting: &mut checks.waiting });
        checks.at_once = checks.waiting.found;
        checks.at_once
    }
}

/// The candidates of each lane.
#[inline(always)]
fn sets<V: SimdWord<u32>>([first, second]: [V; 2]) -> [[u32; MAX_WAITING_BLOCKS]; 2] {
    let mut sets = [[0; MAX_WAITING_BLOCKS]; 2];
    first.store(&mut sets[0]);
    second.store(&mut sets[1]);
    sets
}

/// The lanes with candidates, one bit each.
#[inline(always)]
fn lanes_with_candidates([first, second]: &[[u32; MAX_WAITING_BLOCKS]; 2]) -> u32 {
    let lanes = first.iter().zip(second).enumerate();
    lanes.fold(0, |lanes, (lane, (a, b))| lanes | u32::from(a | b != 0) << lane)
}

/// Row `i` becomes the lanes of `words[i]`.
#[inline(always)]
fn store<V: SimdWord<u32>>(words: &[V], rows: &mut [[u32; MAX_WAITING_BLOCKS]]) {
    for (word, row) in words.iter().zip(rows) {
        word.store(row);
    }
}

/// Makes the blocks of all lanes with candidates wait for their check.
struct Defer<'a> {
    /// [`Trace::rows`].
    rows: &'a [[u32; MAX_WAITING_BLOCKS]; TRACE_ROWS],
    /// [`lanes_with_candidates`] these.
    lanes: u32,
    waiting: &'a mut WaitingBlocks,
}

impl<I: Isa> VectorCode<I> for Defer<'_> {
    type Out = ();

    #[inline(always)]
    fn call(self, isa: I) {
        let Self { rows, mut lanes, waiting } = self;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % MAX_WAITING_BLOCKS;
            lanes &= lanes - 1;
            let candidates = [rows[CANDIDATES_ROW][lane], rows[CANDIDATES_ROW + 1][lane]];
            defer(isa, |i| rows[i][lane], candidates, waiting);
        }
    }
}

/// Makes a block wait for the check of each candidate, and checks all that wait when they fill a register.
/// `row` returns the words of its [`Trace::rows`].
#[inline(always)]
fn defer<I: Isa>(
    isa: I,
    row: impl Fn(usize) -> u32,
    candidates: [u32; 2],
    waiting: &mut WaitingBlocks,
) {
    for (set, mut candidates) in candidates.into_iter().enumerate() {
        while candidates != 0 {
            let bit = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let slot = waiting.len % MAX_WAITING_BLOCKS;
            write_suspect(&row, set, bit, |i, word| waiting.rows[i][slot] = word);
            waiting.len += 1;
            if waiting.len == <I::U32 as SimdWord<u32>>::N.min(MAX_WAITING_BLOCKS) {
                isa.run(Recheck { waiting });
            }
        }
    }
}

/// Checks all blocks that wait.
struct Recheck<'a> {
    waiting: &'a mut WaitingBlocks,
}

impl<I: Isa> VectorCode<I> for Recheck<'_> {
    type Out = ();

    #[inline(always)]
    fn call(self, isa: I) {
        let Self { waiting } = self;
        let proof = isa.proof();
        let mut difference = [0; MAX_WAITING_BLOCKS];
        let suspect = Suspect::<I::U32>::from_rows(|i| SimdWord::load(proof, &waiting.rows[i]));
        suspect.difference(proof).store(&mut difference);
        let lanes = difference.iter().take(<I::U32 as SimdWord<u32>>::N).take(waiting.len);
        waiting.found |= lanes.fold(false, |found, difference| found | (*difference == 0));
        waiting.len = 0;
    }
}

/// Advances one message by a block, with the options in its flags.
fn compress_one(state: &mut [u32; 6], block: &[u32; 16]) {
    let row = trace_one::<true>(state, block);
    check_one(state, block, &row, [row[CANDIDATES_ROW], row[CANDIDATES_ROW + 1]]);
}

/// Advances one message by a block with known candidates, with the options in its flags.
fn compress_suspect(state: &mut [u32; 6], block: &[u32; 16], candidates: [u32; 2]) {
    let row = trace_one::<false>(state, block);
    check_one(state, block, &row, candidates);
}

/// Advances one message by a block, and returns its [`Trace::rows`].
fn trace_one<const CONDITIONS: bool>(state: &mut [u32; 6], block: &[u32; 16]) -> [u32; TRACE_ROWS] {
    let mut words = state.map(|word| PlainWords([word]));
    let trace = Trace::of::<CONDITIONS>((), &mut words, block.map(|word| PlainWords([word])));
    *state = words.map(|word| word.0[0]);
    trace.rows(&words).map(|word| word.0[0])
}

/// Rechecks a block after `state` was advanced by it.
fn check_one(
    state: &mut [u32; 6],
    block: &[u32; 16],
    row: &[u32; TRACE_ROWS],
    candidates: [u32; 2],
) {
    let flags = state[FLAGS];
    let candidates = match flags & (NO_DETECTION | UNFILTERED) {
        0 => candidates,
        UNFILTERED => ALL,
        _ => return,
    };
    for (set, mut candidates) in candidates.into_iter().enumerate() {
        while candidates != 0 {
            let bit = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let mut words = [0; recheck::SUSPECT_ROWS];
            write_suspect(|i| row[i], set, bit, |i, word| words[i] = word);
            if is_attack(&words) {
                state[FLAGS] |= FOUND;
                if flags & NO_SAFE_HASH == 0 {
                    trace_one::<false>(state, block);
                    trace_one::<false>(state, block);
                }
                return;
            }
        }
    }
}

fn is_attack(words: &[u32; recheck::SUSPECT_ROWS]) -> bool {
    Suspect::from_rows(|i| PlainWords([words[i]])).difference(()) == PlainWords([0])
}
