//! Constructors of the [`Kernel`]s in the targets' tables.
//!
//! Each takes a compression function, a token, and other parameters. The functions in a kernel are safe to
//! call on every CPU: they get their token, panic without it, and enter the code compiled for its set.

use core::marker::PhantomData;

use jlanes_core::{
    compression::{AdvanceStreamsFn, Compression, Ending, LaneStates, RunByteOrder, Shape},
    kernel::{
        AdvanceSharedFn, FedKernel, Feed, Kernel, KernelCode, MAX_COPIED_STREAMS, RehashStreamsFn,
        StreamKernel, VectorKernel, VectorKernelCode, WholeMessages,
        fused::advance_fused,
        plan::KernelKind,
        step::{Plain, Step, StepLanes, StepWord},
        stream::{AdvanceOne, OneLane, advance_shared, advance_shared_by},
        vectors::advance,
    },
    simd::{
        registers::{OneRegister, Registers},
        vector::{Array, Isa, SimdWord, Word},
    },
};

use crate::common::{needs::Needs, token::Token};

#[cfg(feature = "n-sms")]
mod n_sms;
pub(crate) mod single;

#[cfg(feature = "n-sms")]
#[allow(unused_imports)] // the second is for x86-64
pub(crate) use n_sms::{n_sms, n_sms_then};

/// An instruction set with kernels over vectors.
pub(crate) trait HasFeed: Token {
    /// The set that provides their feed: this one, or another one with the same vectors.
    type FeedSet: Isa + Token;
}

/// A kernel of vectors, one message per lane, with the code `code` of the step `S`.
const fn vector_kernel<S: Step<I>, I: Isa + HasFeed>(
    code: VectorKernelCode<StepWord<S, I>>,
) -> Kernel<StepWord<S, I>> {
    let lanes = <StepLanes<S, I> as SimdWord<StepWord<S, I>>>::N;
    let latency_bound = <StepLanes<S, I> as SimdWord<StepWord<S, I>>>::LATENCY_BOUND;
    Kernel {
        name: I::NAME,
        needs: if latency_bound { I::SETS.union(Needs::LATENCY_BOUND) } else { I::SETS }.bits(),
        kind: match lanes * <StepWord<S, I> as Word>::BYTES {
            16 => KernelKind::Bits128,
            32 => KernelKind::Bits256,
            64 => KernelKind::Bits512,
            128 => KernelKind::Bits1024,
            _ => panic!("no kind has so many bytes"),
        },
        lanes,
        code: KernelCode::Vectors(VectorKernel {
            feed: Feed::of::<I::FeedSet>(),
            code,
            prefetch: !latency_bound,
        }),
    }
}

/// A kernel of vectors by the step `S`. A feed transposes its blocks before each call.
pub(crate) const fn vectors_by<S: Step<I>, I: Isa + HasFeed>() -> Kernel<StepWord<S, I>> {
    let fed = FedKernel { advance: advance::<S, I>, shared: None };
    vector_kernel::<S, I>(VectorKernelCode::Fed(fed))
}

/// [`vectors_by`] the plain step of `C` on `R` registers.
pub(crate) const fn vectors<C: Compression, I: Isa + HasFeed, R: Registers>() -> Kernel<C::Word> {
    vectors_by::<Plain<C, R>, I>()
}

/// A kernel of vectors by the step `S` that is fused with its feed: it loads the bytes of messages itself.
#[allow(dead_code)] // used only where it pays
pub(crate) const fn fused_by<S: Step<I>, I: Isa + HasFeed>() -> Kernel<StepWord<S, I>> {
    const {
        let ending = matches!(S::Compression::ENDING, Ending::Length | Ending::Counter { .. });
        assert!(ending, "a fused kernel ends its messages");
        let bytes = <StepWord<S, I> as Word>::BYTES * <StepWord<S, I> as Word>::Vector::<I>::N;
        assert!(S::Compression::BLOCK_BYTES % bytes == 0, "a block fills whole squares");
    }
    vector_kernel::<S, I>(VectorKernelCode::Fused(advance_fused::<S, I>))
}

/// [`fused_by`] the plain step of `C` on `R` registers.
#[allow(dead_code)] // used only where it pays
pub(crate) const fn fused<C: Compression, I: Isa + HasFeed, R: Registers>() -> Kernel<C::Word> {
    fused_by::<Plain<C, R>, I>()
}

/// [`vectors`] of a function with a message schedule. The lanes are few, so a shared block runs in portable code,
/// lane by lane: it adds almost no code.
#[allow(dead_code)] // not used where all kernels are fused
pub(crate) const fn vectors_with_shared<C: Compression, I: Isa + HasFeed>() -> Kernel<C::Word> {
    let shared: Option<AdvanceSharedFn<C::Word>> = Some(advance_shared_by_lane::<C, I>);
    let kernel = FedKernel { advance: advance::<Plain<C, OneRegister>, I>, shared };
    vector_kernel::<Plain<C, OneRegister>, I>(VectorKernelCode::Fed(kernel))
}

fn advance_shared_by_lane<C: Compression, I: Isa>(
    shape: &Shape<C::Word>,
    states: &mut [C::Word],
    stride: usize,
    shared: &[C::Word],
) {
    let mut lanes = LaneStates::new(states, stride);
    for lane in 0..<C::Word as Word>::Vector::<I>::N {
        let mut state = C::State::splat(C::Word::default());
        lanes.get_into(lane, state.as_mut());
        advance_shared::<C>(shape, state.as_mut(), shared);
        lanes.set(lane, state.as_ref());
    }
}

/// A kernel of `S` streams by `advance`, which requires the sets of `T`.
pub(crate) const fn streams<T: Token, const S: usize, W>(
    advance: AdvanceStreamsFn<W>,
) -> Kernel<W> {
    const { assert!(S <= MAX_COPIED_STREAMS) };
    Kernel {
        name: T::NAME,
        needs: T::SETS.bits(),
        kind: match S {
            1 => KernelKind::Streams1,
            2 => KernelKind::Streams2,
            3 => KernelKind::Streams3,
            4 => KernelKind::Streams4,
            _ => panic!("no kind has so many streams"),
        },
        lanes: S,
        code: KernelCode::Streams(StreamKernel {
            advance,
            max_streams: S,
            interleaved: None,
            digest: None,
            halves: None,
            rehash: None,
        }),
    }
}

/// A kernel of one stream, block by block in scalar code or in one lane of a register.
#[allow(dead_code)] // not used on targets with instructions that gain nothing for one stream
pub(crate) const fn one_stream<C: Compression, I: Isa + Token, L: OneLane>() -> Kernel<C::Word> {
    streams::<I, 1, _>(advance_one_stream::<C, I, L>)
}

fn advance_one_stream<C: Compression, I: Isa + Token, L: OneLane>(
    shape: &Shape<C::Word>,
    state: &mut [C::Word],
    runs: &[&[u8]],
    order: RunByteOrder,
    blocks: usize,
    shared: &[C::Word],
) {
    let advance = |state: &mut [C::Word], run: &[u8], order, blocks| {
        let lane = PhantomData::<L>;
        I::get().run(AdvanceOne::<C, _> { shape, state, run, order, blocks, lane });
    };
    if blocks > 0 {
        advance(state, runs[0], order, blocks);
    }
    advance_shared_by::<C>(shape, state, shared, |state, block| {
        advance(state, block, RunByteOrder::Native, 1);
    });
}

/// `kernel` with `marks` among its requirements.
pub(crate) const fn with_marks<W>(marks: Needs, kernel: Kernel<W>) -> Kernel<W> {
    Kernel { needs: kernel.needs | marks.bits(), ..kernel }
}

/// `kernel`, one of streams, with a function for whole messages.
pub(crate) const fn with_digest<W: Copy>(
    kernel: Kernel<W>,
    digest: fn(WholeMessages<'_, '_, W>),
) -> Kernel<W> {
    let KernelCode::Streams(streams) = kernel.code else { panic!("vectors need none") };
    Kernel { code: KernelCode::Streams(StreamKernel { digest: Some(digest), ..streams }), ..kernel }
}

/// `kernel`, one of streams, with a function for messages in halves.
#[allow(dead_code)] // used only on targets that have one
pub(crate) const fn with_halves<W: Copy>(
    kernel: Kernel<W>,
    halves: fn(WholeMessages<'_, '_, W>),
) -> Kernel<W> {
    let KernelCode::Streams(streams) = kernel.code else { panic!("vectors need none") };
    Kernel { code: KernelCode::Streams(StreamKernel { halves: Some(halves), ..streams }), ..kernel }
}

/// `kernel`, one of streams, with a function for digests that are hashed again.
#[allow(dead_code)] // used only on targets that have one
pub(crate) const fn with_rehash<W: Copy>(
    kernel: Kernel<W>,
    rehash: RehashStreamsFn<W>,
) -> Kernel<W> {
    let KernelCode::Streams(streams) = kernel.code else { panic!("vectors need none") };
    Kernel { code: KernelCode::Streams(StreamKernel { rehash: Some(rehash), ..streams }), ..kernel }
}

/// A kernel that no CPU uses, because the feature `n-sms` is not enabled.
#[cfg(not(feature = "n-sms"))]
pub(crate) const fn n_sms<C: Compression, I: Token>() -> Kernel<C::Word> {
    with_marks(Needs::NO_CPU, jlanes_core::kernel::portable::kernel::<C>())
}

/// A kernel that no CPU uses, as for [`n_sms`].
#[cfg(not(feature = "n-sms"))]
#[allow(dead_code)] // not used on all targets
pub(crate) const fn n_sms_then<C: Compression, I: Token, R: Token>() -> Kernel<C::Word> {
    n_sms::<C, I>()
}
