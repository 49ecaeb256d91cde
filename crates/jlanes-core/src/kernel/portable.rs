//! Kernels of every target: one stream in scalar code, and lanes in arrays for tests.

use core::marker::PhantomData;

use super::{
    FedKernel, Feed, Kernel, KernelCode, Kernels, StreamKernel, Table, VectorKernel,
    VectorKernelCode,
    plan::{InputKind, KernelKind, Plan},
    step::{Plain, Step, StepLanes, StepWord},
    stream::advance_one,
    vectors,
};
use crate::{
    compression::{Compression, Shape},
    simd::{
        portable::Portable,
        registers::OneRegister,
        vector::{Isa, SimdWord},
    },
};

/// The kernel for one stream of `C` in scalar code.
#[must_use]
pub const fn kernel<C: Compression>() -> Kernel<C::Word> {
    Kernel {
        name: "portable",
        needs: 0,
        kind: KernelKind::Streams1,
        lanes: 1,
        code: KernelCode::Streams(StreamKernel {
            advance: match C::SCALAR {
                Some(advance) => advance,
                None => advance_one::<C>,
            },
            max_streams: 1,
            interleaved: None,
            digest: None,
            halves: None,
            rehash: None,
        }),
    }
}

/// Lanes of `I` by the step `S`; a single stream in scalar code.
///
/// For instruction sets that every CPU has.
#[must_use]
pub const fn kernels_on<S: Step<I>, I: Isa>() -> Kernels<StepWord<S, I>> {
    OnEveryCpu::<S, I>::KERNELS
}

/// `C` on arrays of `N` lanes, or in scalar code if `N` is 1.
#[must_use]
pub const fn kernels<C: Compression, const N: usize>() -> Kernels<C::Word> {
    kernels_on::<Plain<C, OneRegister>, Portable<N>>()
}

struct OnEveryCpu<S, I>(PhantomData<(S, I)>);

impl<S: Step<I>, I: Isa> OnEveryCpu<S, I> {
    const LANES: usize = <StepLanes<S, I> as SimdWord<StepWord<S, I>>>::N;
    const SHAPE: Shape<StepWord<S, I>> = Shape::of::<S::Compression>();
    const TABLE: [Kernel<StepWord<S, I>>; 2] = [
        Kernel {
            name: "portable",
            needs: 0,
            kind: KernelKind::Bits512,
            lanes: Self::LANES,
            code: KernelCode::Vectors(VectorKernel {
                feed: Feed::of::<I>(),
                code: VectorKernelCode::Fed(FedKernel {
                    advance: vectors::advance::<S, I>,
                    shared: if <S::Compression as Compression>::HAS_SCHEDULE {
                        Some(vectors::advance_shared::<S, I>)
                    } else {
                        None
                    },
                }),
                prefetch: false,
            }),
        },
        kernel::<S::Compression>(),
    ];
    const PLAN: Plan = Plan::only(Self::LANES);
    const KERNELS: Kernels<StepWord<S, I>> = {
        let table: &'static Table<StepWord<S, I>> = &Self::TABLE;
        Kernels { shape: &Self::SHAPE, table, has: 0, plans: [&Self::PLAN; InputKind::COUNT] }
    };
}
