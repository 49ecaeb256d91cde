//! Compression functions: a block into a state, written once over lanes of any width. Below it are their
//! padding, shape and states.

use crate::simd::{
    subslice::subslice,
    vector::{Array, ByteOrder, SimdWord, Word},
};

pub mod padding;
mod shape;
mod states;

pub use shape::{
    AdvanceStreamsFn, Ending, MAX_BLOCK_BYTES, MAX_LANES, RunByteOrder, Shape, ShareFn,
};
pub use states::{ContiguousDigests, LaneBuffer, LaneRange, LaneStart, LaneStates, Rows};

/// A compression function, written once for every lane width.
pub trait Compression: Copy + Send + Sync + 'static {
    /// 32- or 64-bit words.
    type Word: Word;
    /// The data that a lane carries from block to block: the chaining value, for Skein also the
    /// tweak.
    type State<T: Copy>: Array<T>;
    /// The words of one block.
    type Block<T: Copy>: Array<T>;
    /// The maximum number of lanes that any backend fills: those of the widest registers, times the
    /// number of interleaved ones.
    const MAX_LANES: usize;
    /// Bytes of a block.
    const BLOCK_BYTES: usize;
    /// The byte order of words.
    const ORDER: ByteOrder;
    /// Number of rounds, for code shared by variants.
    const ROUNDS: usize = 0;
    /// How a message ends in its last block or in the state, apart from the byte after it and zeros.
    const ENDING: Ending = Ending::Length;
    /// The lower of the two words of a state that hold the number of a message in a batch, if messages may have one.
    const NUMBER: Option<usize> = None;
    /// Words that [`share`](Self::share) makes of a block.
    const SHARED_WORDS: usize = Self::BLOCK_BYTES / Self::Word::BYTES;
    /// Whether a shared block is prepared: it has a message schedule, and not only the block's own words.
    const HAS_SCHEDULE: bool = Self::SHARED_WORDS != Self::BLOCK_BYTES / Self::Word::BYTES;
    /// The kernel of one stream in scalar code. Functions that this crate itself calls have it compiled here,
    /// and not again in every crate with a table of kernels.
    const SCALAR: Option<AdvanceStreamsFn<Self::Word>> = None;

    /// Advances every lane by one block ("Update" in the papers).
    fn compress<V: SimdWord<Self::Word>>(
        proof: V::Proof,
        state: &mut Self::State<V>,
        block: Self::Block<V>,
    );

    /// [`compress`](Self::compress) with the numbers in `shape`, for an implementation of several functions.
    /// Others ignore them.
    #[inline(always)]
    fn compress_as<V: SimdWord<Self::Word>>(
        proof: V::Proof,
        _shape: &Shape<Self::Word>,
        state: &mut Self::State<V>,
        block: Self::Block<V>,
    ) {
        Self::compress(proof, state, block);
    }

    /// Words of a block: a constant, unless one implementation serves several rates.
    #[inline(always)]
    #[must_use]
    fn words(_shape: &Shape<Self::Word>) -> usize {
        Self::BLOCK_BYTES / Self::Word::BYTES
    }

    /// Advances every lane by one block, with row `i` at `rows[i * V::N..]`.
    #[inline(always)]
    fn compress_rows<V: SimdWord<Self::Word>>(
        proof: V::Proof,
        shape: &Shape<Self::Word>,
        state: &mut Self::State<V>,
        rows: &[Self::Word],
    ) {
        Self::compress_as(proof, shape, state, load_lanes(proof, rows, V::N));
    }

    /// Advances every lane by the block in `bytes`, with words in `order`.
    #[inline(always)]
    fn compress_bytes<V: SimdWord<Self::Word>>(
        proof: V::Proof,
        shape: &Shape<Self::Word>,
        state: &mut Self::State<V>,
        bytes: &[u8],
        order: ByteOrder,
    ) {
        let mut block = Self::Block::<V>::splat(V::splat(proof, Self::Word::default()));
        let words = bytes.chunks_exact(Self::Word::BYTES);
        for (word, bytes) in block.as_mut().iter_mut().zip(words) {
            *word = V::splat(proof, Self::Word::read(order, bytes));
        }
        Self::compress_as(proof, shape, state, block);
    }

    /// The input of [`compress_shared`](Self::compress_shared) for a block: for functions with a
    /// message schedule, all its words (\[SMS\] section 5).
    fn share(block: &[Self::Word], out: &mut [Self::Word]) {
        out[..block.len()].copy_from_slice(block);
    }

    /// Advances every lane by the same block, prepared by [`share`](Self::share).
    #[inline(always)]
    fn compress_shared<V: SimdWord<Self::Word>>(
        proof: V::Proof,
        shape: &Shape<Self::Word>,
        state: &mut Self::State<V>,
        shared: &[Self::Word],
    ) {
        let mut block = Self::Block::<V>::splat(V::splat(proof, Self::Word::default()));
        for (word, shared) in block.as_mut().iter_mut().zip(shared) {
            *word = V::splat(proof, *shared);
        }
        Self::compress_as(proof, shape, state, block);
    }
}

/// A state or a block of every lane: row `i` is word `i`, and begins at `words[i * stride]`.
#[inline(always)]
pub(crate) fn load_lanes<W: Word, V: SimdWord<W>, A: Array<V>>(
    proof: V::Proof,
    words: &[W],
    stride: usize,
) -> A {
    let mut rows = A::splat(V::splat(proof, W::default()));
    for i in 0..A::LEN {
        rows.as_mut()[i] = V::load(proof, subslice(words, i * stride, V::N));
    }
    rows
}

/// The maximum number of lanes that any backend fills for `C`.
#[must_use]
pub const fn max_lanes<C: Compression>() -> usize {
    const { assert!(C::MAX_LANES <= MAX_LANES) }
    C::MAX_LANES
}

impl<W: Word> Shape<W> {
    /// The constants of `C` as a value.
    #[must_use]
    pub const fn of<C: Compression<Word = W>>() -> Self {
        Self {
            block_bytes: C::BLOCK_BYTES,
            block_words: C::BLOCK_BYTES / W::BYTES,
            state_words: C::State::<W>::LEN,
            rounds: C::ROUNDS,
            whole_output: false,
            max_lanes: C::MAX_LANES,
            order: C::ORDER,
            ending: C::ENDING,
            share: (C::share, C::SHARED_WORDS),
        }
    }
}
