//! Compression functions, and the states of many lanes.

use super::{deferred::Deferred, padding::Ending};
use crate::{
    kernel::{AdvanceStreams, Rows, Shape, portable},
    simd::{
        isa::Isa,
        lanes::{Array, ByteOrder, SimdWord, Word},
        part::part,
    },
};

/// A compression function, written once for every lane width.
pub trait Compression: Copy + Send + Sync + 'static {
    /// 32- or 64-bit words.
    type Word: Word;
    /// The data that a lane carries from block to block: the chaining value, for Skein also the
    /// tweak.
    type State<T: Copy>: Array<T>;
    /// One block as words.
    type Block<T: Copy>: Array<T>;
    /// One `T` per lane, for as many lanes as any engine fills: the widest registers, times the
    /// number of interleaved ones.
    type PerLane<T: Copy>: Array<T>;
    /// Bytes of a block.
    const BLOCK: usize;
    /// The byte order of words.
    const ORDER: ByteOrder;
    /// Whether [`compress`](Self::compress) has another version for lanes that are bound by latency
    /// ([`SimdWord::LATENCY_BOUND`]).
    const LATENCY_BOUND: bool = false;
    /// Number of rounds, for code shared by variants.
    const ROUNDS: usize = 0;
    /// What the last block needs apart from the bytes after the message.
    const ENDING: Ending = Ending::Length;
    /// Words that [`share`](Self::share) makes of a block.
    const SHARED: usize = Self::BLOCK / Self::Word::BYTES;
    /// One stream in scalar code. Functions that this crate itself calls have it compiled here, and
    /// not again in every crate with a table of kernels.
    const SCALAR: AdvanceStreams<Self::Word> = portable::advance_one::<Self>;

    /// Whether kernels of lanes call [`compress_deferring`](Self::compress_deferring), and
    /// [`compress`](Self::compress) only if a check has found something.
    const DEFERS: bool = false;

    /// Advances every lane by one block ("Update" in the papers).
    fn compress<V: SimdWord<Self::Word>>(
        proof: V::Proof,
        state: &mut Self::State<V>,
        block: Self::Block<V>,
    );

    /// Advances every lane by one block, and puts off checks that few lanes need.
    #[inline(always)]
    fn compress_deferring<I: Isa, V: SimdWord<Self::Word, Proof = I::Proof>>(
        isa: I,
        state: &mut Self::State<V>,
        block: Self::Block<V>,
        _deferred: &mut Deferred<Self::Word>,
    ) {
        Self::compress(isa.proof(), state, block);
    }

    /// Makes up for the checks; returns whether one has found something.
    #[inline(always)]
    fn settle<I: Isa>(_: I, _deferred: &mut Deferred<Self::Word>) -> bool {
        false
    }

    /// [`compress`](Self::compress) as `shape` asks for it: the same, unless one text computes
    /// different functions.
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
        Self::BLOCK / Self::Word::BYTES
    }

    /// Advances every lane by one block, with row `i` at `rows[i * V::N..]`.
    #[inline(always)]
    fn compress_rows<V: SimdWord<Self::Word>>(
        proof: V::Proof,
        shape: &Shape<Self::Word>,
        state: &mut Self::State<V>,
        rows: &[Self::Word],
    ) {
        let mut block = Self::Block::<V>::splat(V::splat(proof, Self::Word::default()));
        for i in 0..Self::Block::<V>::LEN {
            block.as_mut()[i] = V::load(proof, part(rows, i * V::N, V::N));
        }
        Self::compress_as(proof, shape, state, block);
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

    /// Advances every lane by the same block.
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

/// The maximum number of lanes that any engine fills for `C`.
#[must_use]
pub const fn max_lanes<C: Compression>() -> usize {
    const { assert!(C::PerLane::<u8>::LEN <= crate::kernel::MAX_LANES) }
    C::PerLane::<u8>::LEN
}

/// Reads words from `bytes` until `words` is full.
#[inline]
pub fn read_words<W: Word>(order: ByteOrder, bytes: &[u8], words: &mut [W]) {
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(W::BYTES)) {
        *word = W::read(order, bytes);
    }
}

/// Writes the bytes of `words` until `out` is full.
#[inline]
pub fn write_words<W: Word>(order: ByteOrder, words: &[W], out: &mut [u8]) {
    let mut words = words.iter();
    let mut chunks = out.chunks_exact_mut(W::BYTES);
    for (bytes, word) in chunks.by_ref().zip(words.by_ref()) {
        word.write(order, bytes);
    }
    // a digest may end within a word
    if let (rest @ [_, ..], Some(word)) = (chunks.into_remainder(), words.next()) {
        let mut whole = [0; size_of::<u64>()];
        word.write(order, &mut whole);
        rest.copy_from_slice(&whole[..rest.len()]);
    }
}

/// The states of many lanes, word by word: word `i` of lane `l` is at `i * stride + l`, so a vector
/// of lanes is one contiguous load.
#[derive(Debug)]
pub struct LaneStates<'a, W> {
    words: &'a mut [W],
    stride: usize,
}

impl<'a, W: Copy> LaneStates<'a, W> {
    /// States over `words` with rows of `stride` lanes.
    #[inline]
    pub fn new(words: &'a mut [W], stride: usize) -> Self {
        Self { words, stride }
    }

    /// The same states for a shorter lifetime.
    #[inline]
    pub fn reborrow(&mut self) -> LaneStates<'_, W> {
        LaneStates { words: self.words, stride: self.stride }
    }

    /// Word `i` of the lanes from `first` on.
    #[inline(always)]
    pub fn row(&self, i: usize, first: usize) -> &[W] {
        &self.words[i * self.stride..][first..self.stride]
    }

    /// Word `i` of the lanes from `first` on.
    #[inline(always)]
    pub fn row_mut(&mut self, i: usize, first: usize) -> &mut [W] {
        &mut self.words[i * self.stride..][first..self.stride]
    }

    /// The states of the lanes from `first` on, in the layout of kernels.
    #[inline(always)]
    pub(crate) fn from(&mut self, first: usize) -> &mut [W] {
        &mut self.words[first..]
    }

    /// Words from one row to the next.
    #[inline(always)]
    #[must_use]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Copies the words of lane `lane`.
    #[inline]
    pub fn get_into(&self, lane: usize, state: &mut [W]) {
        Rows { words: self.words, stride: self.stride }.get_into(lane, state);
    }

    /// Copies the words of lane `lane`.
    #[inline]
    pub fn get<A: Array<W>>(&self, lane: usize) -> A {
        let mut state = A::splat(self.words[lane]);
        self.get_into(lane, state.as_mut());
        state
    }

    /// Overwrites lane `lane`.
    #[inline]
    pub fn set(&mut self, lane: usize, state: &[W]) {
        for (i, word) in state.iter().enumerate() {
            self.words[i * self.stride + lane] = *word;
        }
    }
}

/// Storage for the states of as many lanes as any kernel fills, for any function with such words.
#[derive(Clone, Copy)]
#[repr(align(64))] // vectors load a row
pub struct LaneBuffer<W: Word> {
    words: W::LaneStates,
    stride: usize,
}

impl<W: Word> LaneBuffer<W> {
    /// Storage for states of `shape`.
    #[inline]
    #[must_use]
    pub fn new(shape: &Shape<W>) -> Self {
        Self { words: Array::splat(W::default()), stride: shape.lanes }
    }

    /// The states.
    #[inline]
    pub fn states(&mut self) -> LaneStates<'_, W> {
        LaneStates::new(self.words.as_mut(), self.stride)
    }

    /// The state in lane `lane`.
    #[inline]
    pub fn get_into(&self, lane: usize, state: &mut [W]) {
        self.rows(0).get_into(lane, state);
    }

    /// The states of the lanes from `first` on, in the layout of kernels.
    #[inline]
    #[must_use]
    pub fn rows(&self, first: usize) -> Rows<'_, W> {
        Rows { words: &self.words.as_ref()[first..], stride: self.stride }
    }

    /// Overwrites the states, with the feature `zeroize`.
    #[inline]
    pub fn wipe(&mut self) {
        crate::wipe::words(self.words.as_mut());
    }
}
