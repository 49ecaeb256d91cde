//! Kernels with one message per lane, for any instruction set: a compression function between loads
//! and stores of rows.

use core::marker::PhantomData;

#[cfg(doc)]
use super::{Advance, AdvanceShared};
use crate::{
    compression::{Compression, LaneStart, Shape, deferred::Deferred},
    simd::{
        groups::Groups,
        isa::{Isa, VectorCode},
        lanes::{Array, SimdWord, Word},
        part::{part, part_mut},
    },
};

/// The register of `C`'s words on the instruction set `I`.
pub(super) type VectorOf<C, I> = <<C as Compression>::Word as Word>::Vector<I>;
/// The lanes of a kernel with `G` registers.
pub(super) type LanesOf<C, I, G> = <G as Groups>::Of<<C as Compression>::Word, VectorOf<C, I>>;

/// [`Advance`] of `C` on `G` registers.
pub struct AdvanceLanes<'a, C: Compression, G> {
    /// The numbers of the compression function.
    pub shape: &'a Shape<C::Word>,
    /// The start of the lanes.
    pub from: LaneStart<'a, C::Word>,
    /// The destination of the states.
    pub states: &'a mut [C::Word],
    /// Words from one of their rows to the next.
    pub stride: usize,
    /// The blocks.
    pub words: &'a [C::Word],
    /// Their number.
    pub blocks: usize,
    /// The registers.
    pub groups: PhantomData<G>,
}

impl<C: Compression, G: Groups, I: Isa> VectorCode<I> for AdvanceLanes<'_, C, G> {
    type Out = ();

    #[inline(always)]
    fn call(self, isa: I) {
        let proof = isa.proof();
        let Self { shape, from, states, stride, words, blocks, .. } = self;
        // through memory, because a state that is either loaded or made here is spilled where it has
        // more words than there are registers to spare
        if let LaneStart::Same(words) = from {
            let state = splat::<C, LanesOf<C, I, G>>(proof, words);
            store::<C, LanesOf<C, I, G>>(&state, states, stride);
        }
        let start = match from {
            LaneStart::Each(rows) => load::<C, LanesOf<C, I, G>>(proof, rows.words, rows.stride),
            _ => load::<C, LanesOf<C, I, G>>(proof, states, stride),
        };
        let block = C::words(shape) * <LanesOf<C, I, G> as SimdWord<C::Word>>::N;
        let words = &words[..blocks * block];
        let mut checks = Checks::<C>::new();
        loop {
            let mut state = start;
            for b in 0..blocks {
                let words = &words[b * block..][..block];
                if C::DEFERS {
                    let block = rows::<C, LanesOf<C, I, G>>(proof, words);
                    checks.compress(isa, shape, &mut state, block);
                } else {
                    C::compress_rows::<LanesOf<C, I, G>>(proof, shape, &mut state, words);
                }
            }
            if checks.are_done(isa) {
                return store::<C, LanesOf<C, I, G>>(&state, states, stride);
            }
        }
    }
}

/// The checks that [`Compression::DEFERS`]. If one finds something, the kernel repeats all of its
/// blocks, with each check at once.
pub(super) struct Checks<C: Compression> {
    deferred: Deferred<C::Word>,
    at_once: bool,
}

impl<C: Compression> Checks<C> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { deferred: Deferred::new(), at_once: false }
    }

    #[inline(always)]
    pub(super) fn compress<I: Isa, V: SimdWord<C::Word, Proof = I::Proof>>(
        &mut self,
        isa: I,
        shape: &Shape<C::Word>,
        state: &mut C::State<V>,
        block: C::Block<V>,
    ) {
        if C::DEFERS && !self.at_once {
            C::compress_deferring(isa, state, block, &mut self.deferred);
        } else {
            C::compress_as(isa.proof(), shape, state, block);
        }
    }

    /// Whether the states are right; otherwise, all blocks have to be repeated.
    #[inline(always)]
    pub(super) fn are_done<I: Isa>(&mut self, isa: I) -> bool {
        if !C::DEFERS || self.at_once {
            return true;
        }
        self.at_once = C::settle(isa, &mut self.deferred);
        !self.at_once
    }
}

/// A block in rows, one for each word.
#[inline(always)]
fn rows<C: Compression, L: SimdWord<C::Word>>(proof: L::Proof, words: &[C::Word]) -> C::Block<L> {
    let mut block = C::Block::<L>::splat(L::splat(proof, C::Word::default()));
    for i in 0..C::Block::<L>::LEN {
        block.as_mut()[i] = L::load(proof, part(words, i * L::N, L::N));
    }
    block
}

/// [`AdvanceShared`] of `C`.
pub struct AdvanceSharedLanes<'a, C: Compression, G> {
    /// The numbers of the compression function.
    pub shape: &'a Shape<C::Word>,
    /// The states.
    pub states: &'a mut [C::Word],
    /// Words from one of their rows to the next.
    pub stride: usize,
    /// The result of [`Compression::share`] for the block.
    pub shared: &'a [C::Word],
    /// The registers.
    pub groups: PhantomData<G>,
}

impl<C: Compression, G: Groups, I: Isa> VectorCode<I> for AdvanceSharedLanes<'_, C, G> {
    type Out = ();

    #[inline(always)]
    fn call(self, isa: I) {
        let proof = isa.proof();
        let Self { shape, states, stride, shared, .. } = self;
        let mut state = load::<C, LanesOf<C, I, G>>(proof, states, stride);
        C::compress_shared(proof, shape, &mut state, shared);
        store::<C, LanesOf<C, I, G>>(&state, states, stride);
    }
}

/// The states at which the lanes start; `states` are their own.
#[inline(always)]
pub(super) fn begin<C: Compression, L: SimdWord<C::Word>>(
    proof: L::Proof,
    from: LaneStart<'_, C::Word>,
    states: &[C::Word],
    stride: usize,
) -> C::State<L> {
    // All values exist in all cases: the compiler moves the checks out of loops and branches on those of
    // the other cases, too, on which nothing depends. Memcheck would take that for a use of secrets.
    let (same, words, stride): (&[C::Word], _, _) = match from {
        LaneStart::Own => (&[], states, stride),
        LaneStart::Same(same) => (same, &[][..], 0),
        LaneStart::Each(rows) => (&[], rows.words, rows.stride),
    };
    if same.is_empty() { load::<C, L>(proof, words, stride) } else { splat::<C, L>(proof, same) }
}

/// The same state in every lane.
#[inline(always)]
fn splat<C: Compression, L: SimdWord<C::Word>>(proof: L::Proof, words: &[C::Word]) -> C::State<L> {
    let words = part(words, 0, C::State::<L>::LEN);
    let mut state = C::State::<L>::splat(L::splat(proof, C::Word::default()));
    for i in 0..C::State::<L>::LEN {
        state.as_mut()[i] = L::splat(proof, words[i]);
    }
    state
}

#[inline(always)]
fn load<C: Compression, L: SimdWord<C::Word>>(
    proof: L::Proof,
    words: &[C::Word],
    stride: usize,
) -> C::State<L> {
    let mut state = C::State::<L>::splat(L::splat(proof, C::Word::default()));
    for i in 0..C::State::<L>::LEN {
        state.as_mut()[i] = L::load(proof, part(words, i * stride, L::N));
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
        state.as_ref()[i].store(part_mut(words, i * stride, L::N));
    }
}
