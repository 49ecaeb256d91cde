//! Kernels with one message per lane, for any instruction set: a compression function between loads
//! and stores of rows.

use core::marker::PhantomData;

#[cfg(doc)]
use super::{AdvanceFn, AdvanceSharedFn};
use crate::{
    compression::{Compression, LaneStart, MAX_LANES, Shape, load_lanes},
    kernel::step::{Step, StepWord},
    simd::{
        registers::Registers,
        subslice::{subslice, subslice_mut},
        vector::{Array, Isa, SimdWord, VectorCode, Word},
    },
};

/// The register of `C`'s words on the instruction set `I`.
pub(super) type VectorOf<C, I> = <<C as Compression>::Word as Word>::Vector<I>;
/// The lanes of a kernel with `R` registers.
pub(super) type LanesOf<C, I, R> = <R as Registers>::Of<<C as Compression>::Word, VectorOf<C, I>>;

/// [`AdvanceFn`] by the step `S` on the instruction set `I`.
pub fn advance<S: Step<I>, I: Isa>(
    shape: &Shape<StepWord<S, I>>,
    from: LaneStart<'_, StepWord<S, I>>,
    states: &mut [StepWord<S, I>],
    stride: usize,
    words: &[StepWord<S, I>],
    blocks: usize,
) {
    let step = PhantomData::<S>;
    I::token().run(AdvanceLanes { shape, from, states, stride, words, blocks, step });
}

/// [`AdvanceFn`] as [`VectorCode`].
struct AdvanceLanes<'a, W: 'static, S> {
    shape: &'a Shape<W>,
    from: LaneStart<'a, W>,
    states: &'a mut [W],
    stride: usize,
    words: &'a [W],
    blocks: usize,
    step: PhantomData<S>,
}

impl<I, C, R, S> VectorCode<I> for AdvanceLanes<'_, C::Word, S>
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
        let Self { shape, from, states, stride, words, blocks, .. } = self;
        // The one start goes through memory. A state that is either loaded or splat would be spilled, where it
        // has more words than registers are left.
        if let LaneStart::Same(words) = from {
            let state = splat::<C, LanesOf<C, I, R>>(proof, words);
            store::<C, LanesOf<C, I, R>>(&state, states, stride);
        }
        let start = match from {
            LaneStart::Each(rows) => {
                load_lanes::<_, LanesOf<C, I, R>, _>(proof, rows.words, rows.stride)
            }
            _ => load_lanes::<_, LanesOf<C, I, R>, _>(proof, states, stride),
        };
        let block = C::words(shape) * <LanesOf<C, I, R> as SimdWord<C::Word>>::N;
        let words = &words[..blocks * block];
        let mut side = S::SideState::default();
        loop {
            let mut state = start;
            for b in 0..blocks {
                S::compress_rows(isa, shape, &mut state, &words[b * block..][..block], &mut side);
            }
            if !S::must_repeat(isa, &mut side) {
                return store::<C, LanesOf<C, I, R>>(&state, states, stride);
            }
        }
    }
}

/// [`AdvanceSharedFn`] of the function and registers of `S`.
pub fn advance_shared<S: Step<I>, I: Isa>(
    shape: &Shape<StepWord<S, I>>,
    states: &mut [StepWord<S, I>],
    stride: usize,
    shared: &[StepWord<S, I>],
) {
    let step = PhantomData::<S>;
    I::token().run(AdvanceSharedLanes { shape, states, stride, shared, step });
}

/// [`AdvanceSharedFn`] as [`VectorCode`].
struct AdvanceSharedLanes<'a, W: 'static, S> {
    shape: &'a Shape<W>,
    states: &'a mut [W],
    stride: usize,
    shared: &'a [W],
    step: PhantomData<S>,
}

impl<I, C, R, S> VectorCode<I> for AdvanceSharedLanes<'_, C::Word, S>
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
        let Self { shape, states, stride, shared, .. } = self;
        let mut state = load_lanes::<_, LanesOf<C, I, R>, _>(proof, states, stride);
        C::compress_shared(proof, shape, &mut state, shared);
        store::<C, LanesOf<C, I, R>>(&state, states, stride);
    }
}

/// The states at which the lanes start; `states` are their own.
#[inline(always)]
pub(super) fn load_start<C: Compression, L: SimdWord<C::Word>>(
    proof: L::Proof,
    from: LaneStart<'_, C::Word>,
    states: &[C::Word],
    stride: usize,
) -> C::State<L> {
    // Every case sets all values. The compiler moves checks out of loops, and then branches on values of other
    // cases, on which nothing depends: Memcheck would report unset ones as a use of secrets.
    let (same, words, stride): (&[C::Word], _, _) = match from {
        LaneStart::Own => (&[], states, stride),
        LaneStart::Same(same) => (same, &[][..], 0),
        LaneStart::Each(rows) => (&[], rows.words, rows.stride),
    };
    if same.is_empty() { load_lanes(proof, words, stride) } else { splat::<C, L>(proof, same) }
}

/// The rows of the numbers of messages from `first` on, the lower one first.
#[inline(always)]
pub(super) fn number_rows<C: Compression, L: SimdWord<C::Word>>(
    proof: L::Proof,
    first: u64,
) -> [L; 2] {
    let mut rows = [[C::Word::default(); MAX_LANES]; 2];
    for l in 0..L::N {
        let number = u128::from(first + l as u64);
        rows[0][l] = C::Word::truncate(number);
        rows[1][l] = C::Word::truncate(number >> (8 * C::Word::BYTES));
    }
    rows.map(|row| L::load(proof, &row))
}

/// The same state in every lane.
#[inline(always)]
fn splat<C: Compression, L: SimdWord<C::Word>>(proof: L::Proof, words: &[C::Word]) -> C::State<L> {
    let words = subslice(words, 0, C::State::<L>::LEN);
    let mut state = C::State::<L>::splat(L::splat(proof, C::Word::default()));
    for i in 0..C::State::<L>::LEN {
        state.as_mut()[i] = L::splat(proof, words[i]);
    }
    state
}

#[inline(always)]
pub(super) fn store<C: Compression, L: SimdWord<C::Word>>(
    state: &C::State<L>,
    words: &mut [C::Word],
    stride: usize,
) {
    for i in 0..C::State::<L>::LEN {
        state.as_ref()[i].store(subslice_mut(words, i * stride, L::N));
    }
}
