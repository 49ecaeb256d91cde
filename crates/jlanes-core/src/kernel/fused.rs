//! Kernels that are fused with their feed: from the blocks of messages to digests in one function, with
//! states and words in registers.

use core::marker::PhantomData;

#[cfg(doc)]
use super::{AdvanceFusedFn, FusedEnding};
use super::{
    BlockInput, FusedWork, PREFETCHED_BLOCKS, RehashRounds, feed,
    step::{Step, StepWord},
    vectors::{LanesOf, VectorOf, load_start, number_rows, store},
};
use crate::{
    compression::{Compression, ContiguousDigests, Ending, LaneStart, MAX_LANES, Rows, Shape},
    simd::{
        registers::Registers,
        runs::Runs,
        subslice::subslice,
        transpose,
        vector::{Array, ByteOrder, Isa, SimdWord, Vector, VectorCode, Word},
    },
};

/// The lanes for a shared block.
type SharedLanesOf<C, I, R> = <R as Registers>::Shared<<C as Compression>::Word, VectorOf<C, I>>;

/// [`AdvanceFusedFn`] by the step `S` on the instruction set `I`.
pub fn advance_fused<S: Step<I>, I: Isa>(
    from: LaneStart<'_, StepWord<S, I>>,
    states: &mut [StepWord<S, I>],
    stride: usize,
    work: &mut FusedWork<'_, StepWord<S, I>>,
) {
    I::token().run(AdvanceFused { from, states, stride, work, step: PhantomData::<S> });
}

/// [`AdvanceFusedFn`] as [`VectorCode`].
struct AdvanceFused<'a, 'b, W: 'static, S> {
    from: LaneStart<'a, W>,
    states: &'a mut [W],
    stride: usize,
    work: &'a mut FusedWork<'b, W>,
    step: PhantomData<S>,
}

/// Whether two groups take a shared block together. Only for words of 32 bits: their last block is a
/// block of its own for messages of two digests, the nodes of trees. And only for [`Step::PLAIN`], because
/// [`two_groups`] calls the compression function itself.
const fn shares_on_two<S: Step<I>, I: Isa>() -> bool {
    S::PLAIN
        && S::Registers::SHARES_ON_TWO
        && <StepWord<S, I> as Word>::BYTES == 4
        && <S::Compression as Compression>::HAS_SCHEDULE
}

impl<I, C, R, S> VectorCode<I> for AdvanceFused<'_, '_, C::Word, S>
where
    I: Isa,
    C: Compression,
    R: Registers,
    S: Step<I, Compression = C, Registers = R>,
{
    type Out = ();

    #[inline(always)]
    fn call(self, isa: I) {
        let proof = isa.proof();
        let Self { from, states, stride, work, .. } = self;
        let lanes = <LanesOf<C, I, R> as SimdWord<C::Word>>::N;
        let mut group = 0;
        // a block is shared if the messages before it are whole blocks
        let whole = work.input.whole_blocks == work.input.blocks
            && work.ending.lengths.is_none()
            && work.rehash.is_none();
        if const { shares_on_two::<S, I>() } && !work.ending.shared.is_empty() && whole {
            while group + 2 <= work.groups {
                two_groups::<C, I, R>(isa, from, Rows { words: states, stride }, work, group);
                group += 2;
            }
        }
        for group in group..work.groups {
            let runs = work.input.runs.skip_lanes(group * lanes);
            let mut start = load_start::<C, LanesOf<C, I, R>>(proof, from, states, stride);
            if let (Some(word), Some(first)) = (C::NUMBER, work.first_number) {
                let own = number_rows::<C, LanesOf<C, I, R>>(proof, first + (group * lanes) as u64);
                start.as_mut()[word..word + 2].copy_from_slice(&own);
            }
            let mut side = S::SideState::default();
            let mut xor_sum = work.output.xor_sum.take();
            let state = loop {
                let mut state = start;
                let xor_sum = xor_sum.as_deref_mut();
                advance_group::<S, C, I, R>(isa, work, &runs, &mut state, xor_sum, &mut side);
                if !S::must_repeat(isa, &mut side) {
                    break state;
                }
            };
            if work.output.digests.is_none() {
                return store::<C, LanesOf<C, I, R>>(&state, states, stride);
            }
            store_digests::<C, I, R>(proof, work, group, &state);
        }
    }
}

/// Advances two groups, which end with a shared block: its rounds take both at once, because a core
/// that is bound by latency does them in the time of one.
#[inline(always)]
fn two_groups<C: Compression, I: Isa, R: Registers>(
    isa: I,
    from: LaneStart<'_, C::Word>,
    states: Rows<'_, C::Word>,
    work: &mut FusedWork<'_, C::Word>,
    group: usize,
) {
    let proof = isa.proof();
    let lanes = <LanesOf<C, I, R> as SimdWord<C::Word>>::N;
    let zero = <LanesOf<C, I, R> as SimdWord<C::Word>>::splat(proof, C::Word::default());
    let mut states_after = [C::State::<LanesOf<C, I, R>>::splat(zero); 2];
    for (i, advanced) in states_after.iter_mut().enumerate() {
        let runs = work.input.runs.skip_lanes((group + i) * lanes);
        let mut state = load_start::<C, LanesOf<C, I, R>>(proof, from, states.words, states.stride);
        for b in 0..work.input.blocks {
            prefetch_next::<C, I>(isa, &runs, lanes, b);
            let vectors = transpose::load_block(proof, C::ORDER, (&runs, None), b * C::BLOCK_BYTES);
            let mut block = C::Block::<LanesOf<C, I, R>>::splat(zero);
            for t in 0..C::Block::<LanesOf<C, I, R>>::LEN {
                let word: VectorOf<C, I> = C::Block::<VectorOf<C, I>>::as_ref(&vectors)[t];
                block.as_mut()[t] = SimdWord::from_vectors([word; 2]);
            }
            C::compress_as(proof, work.shape, &mut state, block);
        }
        *advanced = state;
    }
    let mut both =
        C::State::<SharedLanesOf<C, I, R>>::splat(SimdWord::splat(proof, C::Word::default()));
    for i in 0..C::State::<LanesOf<C, I, R>>::LEN {
        let [first, _] = states_after[0].as_ref()[i].vectors();
        let [second, _] = states_after[1].as_ref()[i].vectors();
        both.as_mut()[i] = SimdWord::from_vectors([first, second]);
    }
    C::compress_shared(proof, &Shape::of::<C>(), &mut both, work.ending.shared);
    for g in 0..2 {
        let mut state = states_after[g];
        for i in 0..C::State::<LanesOf<C, I, R>>::LEN {
            state.as_mut()[i] = SimdWord::from_vectors([both.as_ref()[i].vectors()[g]; 2]);
        }
        store_digests::<C, I, R>(proof, work, group + g, &state);
    }
}

/// Prefetches block `b` of the group after the one of `runs`: a few lines with each block, because all of
/// them at once would occupy the cache's queue of misses.
#[inline(always)]
fn prefetch_next<C: Compression, I: Isa>(isa: I, runs: &Runs<'_>, lanes: usize, b: usize) {
    if b < PREFETCHED_BLOCKS {
        // a number of runs that the compiler does not know, so that it does not unroll this
        let next = runs.runs().get(lanes..).unwrap_or(&[]);
        for run in &next[..lanes.min(next.len())] {
            VectorOf::<C, I>::prefetch(isa.proof(), run, b * C::BLOCK_BYTES);
        }
    }
}

/// Writes the digests of one group of lanes.
#[inline(always)]
fn store_digests<C: Compression, I: Isa, R: Registers>(
    proof: I::Proof,
    work: &mut FusedWork<'_, C::Word>,
    group: usize,
    state: &C::State<LanesOf<C, I, R>>,
) {
    let Some(ContiguousDigests { bytes, size }) = &mut work.output.digests else { return };
    let lanes = <LanesOf<C, I, R> as SimdWord<C::Word>>::N;
    let width = <VectorOf<C, I> as SimdWord<C::Word>>::N;
    for i in 0..lanes / width {
        let Some(out) = bytes.get_mut((group * lanes + i * width) * *size..) else { break };
        let own = register::<C, LanesOf<C, I, R>>(proof, state, i);
        transpose::store_digests(proof, C::ORDER, &own, *size, out);
    }
}

/// Advances one group of lanes by the blocks of its runs.
#[inline(always)]
fn advance_group<
    S: Step<I, Compression = C, Registers = R>,
    C: Compression,
    I: Isa,
    R: Registers,
>(
    isa: I,
    work: &FusedWork<'_, C::Word>,
    runs: &Runs<'_>,
    state: &mut C::State<LanesOf<C, I, R>>,
    mut xor_sum: Option<&mut [C::Word]>,
    side: &mut S::SideState,
) {
    let proof = isa.proof();
    // without a schedule, a shared block is compressed like any other
    let (input, shared) = (&work.input, work.ending.shared);
    let shares = !shared.is_empty();
    let plain = input.blocks + usize::from(shares && !C::HAS_SCHEDULE);
    let repeated = work.rehash.map_or(0, |rehash| rehash.rounds * rehash.starts.len() as u64);
    let (plain, all) = (plain as u64, plain as u64 + repeated);
    let lanes = <LanesOf<C, I, R> as SimdWord<C::Word>>::N;
    if let Some(xor_sum) = &mut xor_sum {
        xor_sum.fill(C::Word::default()); // blocks may be repeated
    }
    let (mut next, mut first) = (0, 0);
    if input.rows.is_none() && input.whole_blocks > 0 {
        let before = |b, state: &mut C::State<LanesOf<C, I, R>>| {
            prefetch_next::<C, I>(isa, runs, lanes, b);
            if let (Some(lengths), true) = (work.ending.lengths, b + 1 == input.blocks) {
                // a function with such a step has its length in the state
                let mut none = C::Block::splat(SimdWord::splat(proof, C::Word::default()));
                add_lengths::<C, LanesOf<C, I, R>>(proof, lengths, state, &mut none);
            }
        };
        if S::compress_whole(isa, work.shape, state, runs, input.whole_blocks, before) {
            first = input.whole_blocks as u64;
        }
    }
    for number in first..=all {
        let b = number as usize;
        if C::HAS_SCHEDULE && shares && b == input.blocks {
            C::compress_shared(proof, &Shape::of::<C>(), state, shared);
        }
        if number == all {
            break;
        }
        let at = b * C::BLOCK_BYTES;
        let mut block: C::Block<LanesOf<C, I, R>> = if b < input.blocks {
            prefetch_next::<C, I>(isa, runs, lanes, b);
            load_blocks::<C, I, R>(proof, input, runs, b, at)
        } else if number < plain {
            splat_block::<C, LanesOf<C, I, R>>(proof, shared)
        } else if let Some(rehash) = &work.rehash {
            let block = block_around::<C, LanesOf<C, I, R>>(proof, rehash, state);
            let start = rehash.starts[next];
            next = if next + 1 < rehash.starts.len() { next + 1 } else { 0 };
            *state = load_start::<C, LanesOf<C, I, R>>(proof, start, &[], 0);
            block
        } else {
            break;
        };
        if b + 1 == input.blocks
            && let Some(lengths) = work.ending.lengths
        {
            add_lengths::<C, LanesOf<C, I, R>>(proof, lengths, state, &mut block);
        }
        S::compress(isa, work.shape, state, block, side);
        if let Some(xor_sum) = &mut xor_sum
            && number >= plain
            && next == 0
        {
            xor_into::<C, LanesOf<C, I, R>>(proof, state, xor_sum);
        }
    }
}

/// Xors the state into the rows of `xor_sum`.
#[inline(always)]
fn xor_into<C: Compression, L: SimdWord<C::Word>>(
    proof: L::Proof,
    state: &C::State<L>,
    xor_sum: &mut [C::Word],
) {
    for (word, row) in state.as_ref().iter().zip(xor_sum.chunks_exact_mut(L::N)) {
        L::load(proof, row).xor(*word).store(row);
    }
}

/// Adds the rows of [`FusedEnding::lengths`] to the last block of messages, or to the counter in the states.
#[inline(always)]
fn add_lengths<C: Compression, L: SimdWord<C::Word>>(
    proof: L::Proof,
    [first, second]: &[[C::Word; MAX_LANES]; 2],
    state: &mut C::State<L>,
    block: &mut C::Block<L>,
) {
    let (first, second) = (L::load(proof, first), L::load(proof, second));
    if let Ending::Counter { low, high, flag, .. } = C::ENDING {
        let state = state.as_mut();
        let before = state[low];
        state[low] = before.add(first);
        if let Some(high) = high {
            // a lower word that falls below zero borrows from the upper one
            let top = 8 * C::Word::BYTES as u32 - 1;
            let borrow = before.andnot(state[low]).shr(top);
            let one = L::splat(proof, C::Word::truncate(1));
            let minus_one = L::splat(proof, C::Word::truncate(u128::MAX));
            state[high] = state[high].add(borrow.xor(one).add(minus_one));
        }
        state[flag] = state[flag].or(second);
    } else {
        let words = block.as_mut();
        let last = words.len() - 1;
        let (high, low) = match C::ORDER {
            ByteOrder::Big => (last - 1, last),
            ByteOrder::Little => (last, last - 1),
        };
        words[high] = words[high].or(first);
        words[low] = words[low].or(second);
    }
}

/// Block `b`, at byte `at` of the runs, of every lane.
#[inline(always)]
fn load_blocks<C: Compression, I: Isa, R: Registers>(
    proof: I::Proof,
    input: &BlockInput<'_>,
    runs: &Runs<'_>,
    b: usize,
    at: usize,
) -> C::Block<LanesOf<C, I, R>> {
    let width = <VectorOf<C, I> as SimdWord<C::Word>>::N;
    let zero = <VectorOf<C, I> as SimdWord<C::Word>>::splat(proof, C::Word::default());
    let mut all = C::Block::splat(SimdWord::from_vectors([zero; 2]));
    let mut halves = [C::Block::<VectorOf<C, I>>::splat(zero); 2];
    for i in 0..<LanesOf<C, I, R> as SimdWord<C::Word>>::N / width {
        let runs = &runs.skip_lanes(i * width);
        halves[i] = if let Some(rows) = &input.rows {
            let words = C::Block::<VectorOf<C, I>>::LEN;
            let own = &rows.data[b * words * rows.row_stride + i * width * C::Word::BYTES..];
            feed::load_interleaved(proof, C::ORDER, own, rows.row_stride, rows.prefetch)
        } else if b < input.whole_blocks {
            transpose::load_block(proof, C::ORDER, (runs, None), at)
        } else if input.alike {
            transpose::load_alike(proof, C::ORDER, (runs, input.pads[0]), at)
        } else {
            transpose::load_block(proof, C::ORDER, (runs, Some(&input.pads[i * width..])), at)
        };
    }
    for t in 0..C::Block::<VectorOf<C, I>>::LEN {
        all.as_mut()[t] = SimdWord::from_vectors([halves[0].as_ref()[t], halves[1].as_ref()[t]]);
    }
    all
}

/// The state in the lanes of register `i`.
#[inline(always)]
fn register<C: Compression, L: SimdWord<C::Word>>(
    proof: L::Proof,
    state: &C::State<L>,
    i: usize,
) -> C::State<L::Vector> {
    let mut own = C::State::<L::Vector>::splat(L::Vector::splat(proof, C::Word::default()));
    for w in 0..C::State::<L>::LEN {
        own.as_mut()[w] = state.as_ref()[w].vectors()[i];
    }
    own
}

/// A block that all lanes share.
#[inline(always)]
fn splat_block<C: Compression, L: SimdWord<C::Word>>(
    proof: L::Proof,
    words: &[C::Word],
) -> C::Block<L> {
    let words = subslice(words, 0, C::Block::<L>::LEN);
    let mut block = C::Block::<L>::splat(L::splat(proof, C::Word::default()));
    for i in 0..C::Block::<L>::LEN {
        block.as_mut()[i] = L::splat(proof, words[i]);
    }
    block
}

/// The block around each lane's digest.
#[inline(always)]
fn block_around<C: Compression, V: SimdWord<C::Word>>(
    proof: V::Proof,
    rehash: &RehashRounds<'_, C::Word>,
    state: &C::State<V>,
) -> C::Block<V> {
    let words = subslice(rehash.block, 0, C::Block::<V>::LEN);
    let mut block = C::Block::<V>::splat(V::splat(proof, C::Word::default()));
    for i in 0..C::Block::<V>::LEN {
        block.as_mut()[i] = match state.as_ref().get(i) {
            Some(word) if i < rehash.digest_words => *word,
            _ => V::splat(proof, words[i]),
        };
    }
    if let Some(mask) = rehash.last_mask {
        let last = rehash.digest_words - 1;
        let padding = V::splat(proof, rehash.block[last]);
        let digest = block.as_ref()[last].and(V::splat(proof, mask));
        block.as_mut()[last] = digest.or(padding);
    }
    block
}
