//! Kernels of every target: one stream in scalar code, and lanes in arrays for tests.

use core::marker::PhantomData;

use super::{
    Feed, Kernel, Kernels, Run, RunVectors, RunWords, Streams, Table, Vectors,
    feed::{BlockShape, FeedBlocks, FeedDigests, FeedInterleaved, FeedPadded},
    plan::{KernelKind, Plan},
    stream::advance_one,
    vectors::{AdvanceLanes, AdvanceSharedLanes},
};
use crate::{
    compression::{Compression, LaneStart, Shape},
    simd::{
        groups::{Groups, One},
        isa::Isa,
        lanes::{self, ByteOrder, Word},
        portable::Portable,
        runs::Runs,
    },
};

/// One stream of `C` in scalar code.
#[must_use]
pub const fn kernel<C: Compression>() -> Kernel<C::Word> {
    Kernel {
        name: "portable",
        needs: 0,
        route: KernelKind::One,
        lanes: 1,
        run: Run::Streams(Streams {
            advance: match C::SCALAR {
                Some(advance) => advance,
                None => advance_one::<C>,
            },
            most: 1,
            interleaved: None,
            digest: None,
            again: None,
        }),
    }
}

/// `C` on the lanes of `I`, with `G` registers; a single stream in scalar code.
///
/// For instruction sets that every CPU has.
#[must_use]
pub const fn kernels_on<C: Compression, I: Isa + Default, G: Groups>() -> Kernels<C::Word> {
    OnEveryCpu::<C, I, G>::KERNELS
}

/// `C` on arrays of `N` lanes, or in scalar code if `N` is 1.
#[must_use]
pub const fn kernels<C: Compression, const N: usize>() -> Kernels<C::Word> {
    kernels_on::<C, Portable<N>, One>()
}

struct OnEveryCpu<C, I, G>(PhantomData<(C, I, G)>);

/// The lanes of a kernel.
type Lanes<C, I, G> = <G as Groups>::Of<WordOf<C>, VectorOf<C, I>>;
type WordOf<C> = <C as Compression>::Word;
type VectorOf<C, I> = <WordOf<C> as Word>::Vector<I>;

impl<C: Compression, I: Isa + Default, G: Groups> OnEveryCpu<C, I, G> {
    const LANES: usize = <Lanes<C, I, G> as lanes::SimdWord<C::Word>>::N;
    const SHAPE: Shape<C::Word> = Shape::of::<C>();
    const FEED: Feed<C::Word> = Feed {
        lanes: <VectorOf<C, I> as lanes::SimdWord<C::Word>>::N,
        blocks: blocks::<C::Word, I>,
        padded: padded::<C::Word, I>,
        interleaved: interleaved::<C::Word, I>,
        digests: digests::<C::Word, I>,
        prefetch: |_, _, _| {},
    };
    const TABLE: [Kernel<C::Word>; 2] = [
        Kernel {
            name: "portable",
            needs: 0,
            route: KernelKind::Full,
            lanes: Self::LANES,
            run: Run::Vectors(Vectors {
                feed: &Self::FEED,
                run: RunVectors::Words(RunWords {
                    advance: advance::<C, I, G>,
                    shared: if C::SHARED == C::BLOCK / C::Word::BYTES {
                        None
                    } else {
                        Some(advance_shared_lanes::<C, I, G>)
                    },
                }),
                prefetch: false,
            }),
        },
        kernel::<C>(),
    ];
    const PLAN: Plan = Plan::only(Self::LANES);
    const KERNELS: Kernels<C::Word> = {
        let table: &'static Table<C::Word> = &Self::TABLE;
        Kernels { shape: &Self::SHAPE, table, sets: 0, plans: [&Self::PLAN; 3] }
    };
}

fn advance<C: Compression, I: Isa + Default, G: Groups>(
    shape: &Shape<C::Word>,
    from: LaneStart<'_, C::Word>,
    states: &mut [C::Word],
    stride: usize,
    words: &[C::Word],
    blocks: usize,
) {
    let groups = PhantomData::<G>;
    I::default().run(AdvanceLanes::<C, _> { shape, from, states, stride, words, blocks, groups });
}

fn advance_shared_lanes<C: Compression, I: Isa + Default, G: Groups>(
    shape: &Shape<C::Word>,
    states: &mut [C::Word],
    stride: usize,
    shared: &[C::Word],
) {
    let groups = PhantomData::<G>;
    I::default().run(AdvanceSharedLanes::<C, _> { shape, states, stride, shared, groups });
}

fn blocks<W: Word, I: Isa + Default>(
    block: BlockShape,
    runs: &Runs<'_>,
    at: usize,
    out: &mut [W],
    stride: usize,
) {
    I::default().run(FeedBlocks { block, runs, at, out, stride });
}

fn padded<W: Word, I: Isa + Default>(
    block: BlockShape,
    runs: &Runs<'_>,
    pads: &[u8],
    at: usize,
    out: &mut [W],
    stride: usize,
) {
    I::default().run(FeedPadded { block, runs, pads, at, out, stride });
}

fn interleaved<W: Word, I: Isa + Default>(
    block: BlockShape,
    data: &[u8],
    from: usize,
    prefetch: bool,
    out: &mut [W],
    stride: usize,
) {
    I::default().run(FeedInterleaved { block, data, from, prefetch, out, stride });
}

fn digests<W: Word, I: Isa + Default>(
    order: ByteOrder,
    states: &[W],
    stride: usize,
    size: usize,
    out: &mut [u8],
) {
    I::default().run(FeedDigests { order, states, stride, size, out });
}
