//! The step of a kernel: it advances every lane by one block.

use core::marker::PhantomData;

use crate::{
    compression::{Compression, Shape, load_lanes},
    simd::{
        registers::Registers,
        runs::Runs,
        vector::{Isa, SimdWord, Word},
    },
};

/// The step of a kernel on the instruction set `I`, which advances its lanes by one block. [`Plain`] is the
/// step of every compression function; a function has another one where its code for a set differs, or where
/// it keeps more than the states.
pub trait Step<I: Isa>: 'static {
    /// The compression function.
    type Compression: Compression;
    /// The number of registers of the kernel.
    type Registers: Registers;
    /// Values that a kernel keeps from block to block.
    type SideState: Default;
    /// Whether the step is [`Compression::compress_as`] and nothing else, which may then be called for it.
    const PLAIN: bool = false;

    /// Advances every lane by one block.
    fn compress(
        isa: I,
        shape: &Shape<StepWord<Self, I>>,
        state: &mut StepState<Self, I>,
        block: StepBlock<Self, I>,
        side: &mut Self::SideState,
    );

    /// [`compress`](Self::compress) of a block with word `i` of all lanes at `rows[i * N..]`.
    #[inline(always)]
    fn compress_rows(
        isa: I,
        shape: &Shape<StepWord<Self, I>>,
        state: &mut StepState<Self, I>,
        rows: &[StepWord<Self, I>],
        side: &mut Self::SideState,
    ) {
        let lanes = <StepLanes<Self, I> as SimdWord<_>>::N;
        let block = load_lanes::<_, StepLanes<Self, I>, _>(isa.proof(), rows, lanes);
        Self::compress(isa, shape, state, block, side);
    }

    /// Advances every lane by the first `blocks` blocks of its run, which are whole, if the step loads them itself.
    /// `before` is called with each block's number.
    #[inline(always)]
    fn compress_whole(
        _isa: I,
        _shape: &Shape<StepWord<Self, I>>,
        _state: &mut StepState<Self, I>,
        _runs: &Runs<'_>,
        _blocks: usize,
        _before: impl Fn(usize, &mut StepState<Self, I>),
    ) -> bool {
        false
    }

    /// Whether the kernel has to repeat all of its blocks, from the states before them.
    #[inline(always)]
    fn must_repeat(_isa: I, _side: &mut Self::SideState) -> bool {
        false
    }
}

/// The words of a step's lanes.
pub type StepWord<S, I> = <<S as Step<I>>::Compression as Compression>::Word;
/// The lanes of a step.
pub type StepLanes<S, I> = <<S as Step<I>>::Registers as Registers>::Of<
    StepWord<S, I>,
    <StepWord<S, I> as Word>::Vector<I>,
>;
/// The states of a step's lanes.
pub type StepState<S, I> = <<S as Step<I>>::Compression as Compression>::State<StepLanes<S, I>>;
/// A block of each of a step's lanes.
pub type StepBlock<S, I> = <<S as Step<I>>::Compression as Compression>::Block<StepLanes<S, I>>;

/// [`Compression::compress_as`] of `C` on the registers of `R`.
#[derive(Clone, Copy, Debug)]
pub struct Plain<C, R>(PhantomData<(C, R)>);

impl<I: Isa, C: Compression, R: Registers> Step<I> for Plain<C, R> {
    type Compression = C;
    type Registers = R;
    type SideState = ();
    const PLAIN: bool = true;

    #[inline(always)]
    fn compress(
        isa: I,
        shape: &Shape<C::Word>,
        state: &mut StepState<Self, I>,
        block: StepBlock<Self, I>,
        (): &mut (),
    ) {
        C::compress_as(isa.proof(), shape, state, block);
    }

    #[inline(always)]
    fn compress_rows(
        isa: I,
        shape: &Shape<C::Word>,
        state: &mut StepState<Self, I>,
        rows: &[C::Word],
        (): &mut (),
    ) {
        C::compress_rows::<StepLanes<Self, I>>(isa.proof(), shape, state, rows);
    }
}
