//! Kernels with one message per state, for any instruction set: scalar code, or one lane of a
//! register.

use core::marker::PhantomData;

use crate::{
    compression::{AdvanceStreamsFn, Compression, MAX_BLOCK_BYTES, RunByteOrder, Shape},
    simd::{
        portable::{PlainWords, Portable},
        subslice::{subslice, subslice_mut},
        vector::{Array, ByteOrder, Isa, SimdWord, VectorCode, Word},
    },
};

/// The lanes that compute a single stream.
pub trait OneLane {
    /// All lanes compute the same, and the first one counts.
    type Of<W: Word, I: Isa>: SimdWord<W>;

    /// The proof that they take.
    fn proof<W: Word, I: Isa>(isa: I) -> <Self::Of<W, I> as SimdWord<W>>::Proof;
}

/// Scalar registers, in code compiled for the instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;
/// One lane of the instruction set's vectors.
#[derive(Clone, Copy, Debug)]
pub struct VectorLane;

impl OneLane for Scalar {
    type Of<W: Word, I: Isa> = PlainWords<W, 1>;

    #[inline(always)]
    fn proof<W: Word, I: Isa>(_: I) {}
}

impl OneLane for VectorLane {
    type Of<W: Word, I: Isa> = W::Vector<I>;

    #[inline(always)]
    fn proof<W: Word, I: Isa>(isa: I) -> I::Proof {
        isa.proof()
    }
}

/// [`AdvanceStreamsFn`] of one stream, block by block in one lane.
pub struct AdvanceOne<'a, C: Compression, L> {
    /// The numbers of the compression function.
    pub shape: &'a Shape<C::Word>,
    /// The stream's state.
    pub state: &'a mut [C::Word],
    /// The stream's blocks.
    pub run: &'a [u8],
    /// The byte order of the blocks.
    pub order: RunByteOrder,
    /// The number of blocks.
    pub blocks: usize,
    /// The kind of lane.
    pub lane: PhantomData<L>,
}

impl<C: Compression, L: OneLane, I: Isa> VectorCode<I> for AdvanceOne<'_, C, L> {
    type Out = ();

    #[inline(always)]
    fn call(self, isa: I) {
        let proof = L::proof::<C::Word, I>(isa);
        let Self { shape, state, run, order, blocks, .. } = self;
        let mut lanes = load_state::<C, L::Of<C::Word, I>>(proof, state);
        let block = C::words(shape) * C::Word::BYTES;
        // the other order is rare, so its blocks are copied: a second copy of the rounds would be larger
        let swaps = C::ORDER != ByteOrder::NATIVE && order == RunByteOrder::Native;
        let mut swapped;
        for mut run in run.chunks_exact(block).take(blocks) {
            if swaps {
                swapped = [0; MAX_BLOCK_BYTES];
                for (to, from) in swapped.chunks_exact_mut(C::Word::BYTES).zip(words::<C>(run)) {
                    from.write(C::ORDER, to);
                }
                run = &swapped[..block];
            }
            C::compress_bytes(proof, shape, &mut lanes, run, C::ORDER);
        }
        store_state::<C, L::Of<C::Word, I>>(&lanes, state);
    }
}

/// [`AdvanceStreamsFn`] of one stream, in portable code.
pub fn advance_one<C: Compression>(
    shape: &Shape<C::Word>,
    state: &mut [C::Word],
    runs: &[&[u8]],
    order: RunByteOrder,
    blocks: usize,
    shared: &[C::Word],
) {
    let _: AdvanceStreamsFn<C::Word> = advance_one::<C>;
    let lane = PhantomData::<Scalar>;
    Portable::<1>.run(AdvanceOne::<C, _> { shape, state, run: runs[0], order, blocks, lane });
    advance_shared::<C>(shape, state, shared);
}

/// Advances one stream by a shared block, in portable code.
pub fn advance_shared<C: Compression>(
    shape: &Shape<C::Word>,
    state: &mut [C::Word],
    shared: &[C::Word],
) {
    advance_shared_by::<C>(shape, state, shared, |state, block| {
        advance_one::<C>(shape, state, &[block], RunByteOrder::Native, 1, &[]);
    });
}

/// [`advance_shared`] with `advance` for a block in the CPU's byte order. A block with a schedule stays in
/// portable code.
pub fn advance_shared_by<C: Compression>(
    shape: &Shape<C::Word>,
    state: &mut [C::Word],
    shared: &[C::Word],
    advance: impl FnOnce(&mut [C::Word], &[u8]),
) {
    if shared.is_empty() {
        return;
    }
    if !C::HAS_SCHEDULE {
        // without a schedule, the shared words are the block itself
        let mut block = [0; MAX_BLOCK_BYTES];
        for (to, word) in block.chunks_exact_mut(C::Word::BYTES).zip(shared) {
            word.write(ByteOrder::NATIVE, to);
        }
        return advance(state, &block[..C::words(shape) * C::Word::BYTES]);
    }
    let mut lanes = load_state::<C, PlainWords<C::Word, 1>>((), state);
    C::compress_shared((), shape, &mut lanes, shared);
    store_state::<C, PlainWords<C::Word, 1>>(&lanes, state);
}

/// The words of a block in the CPU's order.
#[inline(always)]
fn words<C: Compression>(block: &[u8]) -> impl Iterator<Item = C::Word> {
    block.chunks_exact(C::Word::BYTES).map(|bytes| C::Word::read(ByteOrder::NATIVE, bytes))
}

#[inline(always)]
fn load_state<C: Compression, L: SimdWord<C::Word>>(
    proof: L::Proof,
    state: &[C::Word],
) -> C::State<L> {
    let state = subslice(state, 0, C::State::<L>::LEN);
    let mut lanes = C::State::<L>::splat(L::splat(proof, C::Word::default()));
    for i in 0..C::State::<L>::LEN {
        lanes.as_mut()[i] = L::splat(proof, state[i]);
    }
    lanes
}

#[inline(always)]
fn store_state<C: Compression, L: SimdWord<C::Word>>(lanes: &C::State<L>, state: &mut [C::Word]) {
    let state = subslice_mut(state, 0, C::State::<L>::LEN);
    for i in 0..C::State::<L>::LEN {
        let mut words = [C::Word::default(); MAX_WORDS];
        lanes.as_ref()[i].store(&mut words);
        state[i] = words[0];
    }
}

/// The maximum number of words of a register.
const MAX_WORDS: usize = 16;
