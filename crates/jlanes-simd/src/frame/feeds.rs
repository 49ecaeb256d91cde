//! The feeds of each instruction set, for words of both widths.

use core::marker::PhantomData;

use jlanes_core::{
    kernel::{
        Feed,
        feed::{BlockShape, FeedBlocks, FeedDigests, FeedInterleaved, FeedPadded},
    },
    simd::{
        isa::Isa,
        lanes::{ByteOrder, SimdWord, Vector as _, Word},
        runs::Runs,
    },
};

use super::token::Token;

/// An instruction set with kernels over vectors.
pub(crate) trait HasFeed: Token {
    /// The set that provides their feed: this one, or another one with the same vectors.
    type By: Isa + Token;
}

/// The feed of the instruction set `I` for words `W`.
pub(crate) struct FeedOf<I, W>(PhantomData<(I, W)>);

impl<I: Isa + Token, W: Word> FeedOf<I, W> {
    pub(crate) const FEED: &'static Feed<W> = &Feed {
        lanes: <W::Vector<I> as SimdWord<W>>::N,
        blocks: blocks::<I, W>,
        padded: padded::<I, W>,
        interleaved: interleaved::<I, W>,
        digests: digests::<I, W>,
        prefetch: prefetch::<I, W>,
    };
}

fn blocks<I: Isa + Token, W: Word>(
    block: BlockShape,
    runs: &Runs<'_>,
    at: usize,
    out: &mut [W],
    stride: usize,
) {
    I::get().run(FeedBlocks { block, runs, at, out, stride });
}

fn padded<I: Isa + Token, W: Word>(
    block: BlockShape,
    runs: &Runs<'_>,
    pads: &[u8],
    at: usize,
    out: &mut [W],
    stride: usize,
) {
    I::get().run(FeedPadded { block, runs, pads, at, out, stride });
}

fn interleaved<I: Isa + Token, W: Word>(
    block: BlockShape,
    data: &[u8],
    from: usize,
    prefetch: bool,
    out: &mut [W],
    stride: usize,
) {
    I::get().run(FeedInterleaved { block, data, from, prefetch, out, stride });
}

fn digests<I: Isa + Token, W: Word>(
    order: ByteOrder,
    states: &[W],
    stride: usize,
    size: usize,
    out: &mut [u8],
) {
    I::get().run(FeedDigests { order, states, stride, size, out });
}

/// Bytes of a cache line.
const LINE: usize = 64;

fn prefetch<I: Isa + Token, W: Word>(runs: &[&[u8]], at: usize, len: usize) {
    let proof = I::get().proof();
    for run in runs {
        for line in (0..len).step_by(LINE) {
            W::Vector::<I>::prefetch(proof, run, at.wrapping_add(line));
        }
    }
}
