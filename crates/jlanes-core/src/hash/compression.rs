//! What a compression function is, and the states of many lanes.

use crate::simd::lanes::{Array, ByteOrder, Lanes, Word};

/// A compression function, written once for every lane width.
pub trait Compression: Copy + Send + Sync + 'static {
    /// 32- or 64-bit words.
    type Word: Word;
    /// What a lane carries from block to block: the chaining value, for Skein also the tweak.
    type State<T: Copy>: Array<T>;
    /// One block as words.
    type Block<T: Copy>: Array<T>;
    /// One `T` per lane, for as many lanes as any engine fills: the widest registers, and as many
    /// of them side by side as pay.
    type PerLane<T: Copy>: Array<T>;
    /// A block that all lanes share, made ready by [`share`](Self::share).
    type Shared: Clone;
    /// Bytes of a block.
    const BLOCK: usize;
    /// How words are written as bytes.
    const ORDER: ByteOrder;
    /// Whether [`compress`](Self::compress) is another one for [`Lanes::SERIAL`] lanes.
    const SERIAL: bool = false;
    /// Whether there are kernels for the words of one message dealt out to the lanes, which only
    /// j-lanes trees want. Portable code serves where there are none.
    const INTERLEAVED: bool = true;

    /// Advances every lane by one block ("Update" in the papers).
    fn compress<V: Lanes<Self::Word>>(
        proof: V::Proof,
        state: &mut Self::State<V>,
        block: Self::Block<V>,
    );

    /// What [`compress_shared`](Self::compress_shared) needs of a block: for functions with a
    /// message schedule, all its words (\[SMS\] section 5).
    fn share(block: &Self::Block<Self::Word>) -> Self::Shared;

    /// Advances every lane by the same block.
    fn compress_shared<V: Lanes<Self::Word>>(
        proof: V::Proof,
        state: &mut Self::State<V>,
        shared: &Self::Shared,
    );

    /// What [`close`](Self::close) is told of a lane whose message of `total` bytes ends `tail`
    /// bytes into its last block. A lane whose message goes on is told two zeros.
    ///
    /// By default it is the length in bits, the higher word first (FIPS 180-4, section 5.1).
    #[inline]
    fn closing(_tail: usize, total: u128) -> [Self::Word; 2] {
        let bits = total.wrapping_mul(8);
        [Self::Word::truncate(bits >> (8 * Self::Word::BYTES)), Self::Word::truncate(bits)]
    }

    /// Prepares the lanes' last block, which holds the end of the message and zeros.
    ///
    /// By default the length takes the place of the last two words.
    #[inline(always)]
    fn close<V: Lanes<Self::Word>>(
        _state: &mut Self::State<V>,
        block: &mut Self::Block<V>,
        closing: [V; 2],
    ) {
        let words = block.as_mut();
        let (high, low) = match Self::ORDER {
            ByteOrder::Big => (words.len() - 2, words.len() - 1),
            ByteOrder::Little => (words.len() - 1, words.len() - 2),
        };
        words[high] = words[high].or(closing[0]);
        words[low] = words[low].or(closing[1]);
    }
}

/// The most lanes that any engine fills for `C`.
#[must_use]
pub const fn max_lanes<C: Compression>() -> usize {
    const { assert!(C::PerLane::<u8>::LEN <= crate::engine::MAX_LANES) }
    C::PerLane::<u8>::LEN
}

/// The words of one block in memory.
#[inline]
pub fn block_words<C: Compression>(bytes: &[u8]) -> C::Block<C::Word> {
    let mut words = C::Block::<C::Word>::splat(C::Word::default());
    let row = bytes[..C::BLOCK].chunks_exact(C::Word::BYTES);
    for (word, bytes) in words.as_mut().iter_mut().zip(row) {
        *word = C::Word::read(C::ORDER, bytes);
    }
    words
}

/// Writes the bytes of `words`, as many of them as there is room for.
#[inline]
pub fn write_words<C: Compression>(words: &[C::Word], out: &mut [u8]) {
    let mut words = words.iter();
    let mut chunks = out.chunks_exact_mut(C::Word::BYTES);
    for (bytes, word) in chunks.by_ref().zip(words.by_ref()) {
        word.write(C::ORDER, bytes);
    }
    // a digest may end within a word
    if let (rest @ [_, ..], Some(word)) = (chunks.into_remainder(), words.next()) {
        let mut whole = [0; size_of::<u64>()];
        word.write(C::ORDER, &mut whole);
        rest.copy_from_slice(&whole[..rest.len()]);
    }
}

/// The states of many lanes, word by word: word `i` of lane `l` stands at `i * stride + l`, so that
/// a vector of lanes is one contiguous load.
#[derive(Debug)]
pub struct LaneStates<'a, W> {
    words: &'a mut [W],
    stride: usize,
}

impl<'a, W: Copy> LaneStates<'a, W> {
    /// States over `words`, whose rows are `stride` lanes long.
    #[inline]
    pub fn new(words: &'a mut [W], stride: usize) -> Self {
        Self { words, stride }
    }

    /// The same states for a shorter time.
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

    /// Copies lane `lane`'s words out.
    #[inline]
    pub fn get<A: Array<W>>(&self, lane: usize) -> A {
        let mut state = A::splat(self.words[lane]);
        for (i, word) in state.as_mut().iter_mut().enumerate() {
            *word = self.words[i * self.stride + lane];
        }
        state
    }

    /// Overwrites lane `lane`.
    #[inline]
    pub fn set<A: Array<W>>(&mut self, lane: usize, state: &A) {
        for (i, word) in state.as_ref().iter().enumerate() {
            self.words[i * self.stride + lane] = *word;
        }
    }

    /// The states of the lanes `first..first + N` in vectors.
    #[inline(always)]
    pub fn load<C: Compression<Word = W>, V: Lanes<W>>(
        &self,
        proof: V::Proof,
        first: usize,
    ) -> C::State<V>
    where
        W: Word,
    {
        let mut state = C::State::<V>::splat(V::splat(proof, W::default()));
        for i in 0..C::State::<V>::LEN {
            state.as_mut()[i] = V::load(proof, self.row(i, first));
        }
        state
    }

    /// The inverse of [`load`](Self::load).
    #[inline(always)]
    pub fn store<C: Compression<Word = W>, V: Lanes<W>>(
        &mut self,
        first: usize,
        state: &C::State<V>,
    ) where
        W: Word,
    {
        for i in 0..C::State::<V>::LEN {
            state.as_ref()[i].store(self.row_mut(i, first));
        }
    }
}

/// The states of as many lanes as any engine fills for `C`.
#[derive(Clone, Copy)]
pub struct AllLanes<C: Compression>(C::State<C::PerLane<C::Word>>);

impl<C: Compression> AllLanes<C> {
    /// `state` in every lane.
    #[inline]
    #[must_use]
    pub fn broadcast(state: &C::State<C::Word>) -> Self {
        let mut lanes = Self::default();
        for (row, word) in lanes.0.as_mut().iter_mut().zip(state.as_ref()) {
            *row = Array::splat(*word);
        }
        lanes
    }

    /// The states as engines take them.
    #[inline]
    pub fn states(&mut self) -> LaneStates<'_, C::Word> {
        LaneStates::new(Array::flatten_mut(self.0.as_mut()), max_lanes::<C>())
    }

    /// The state in lane `lane`.
    #[inline]
    #[must_use]
    pub fn get(&self, lane: usize) -> C::State<C::Word> {
        let mut state = C::State::splat(C::Word::default());
        for (word, row) in state.as_mut().iter_mut().zip(self.0.as_ref()) {
            *word = row.as_ref()[lane];
        }
        state
    }

    /// Word by word, one row per word.
    #[inline]
    pub fn rows(&self) -> &[C::PerLane<C::Word>] {
        self.0.as_ref()
    }

    /// Word by word, one row per word.
    #[inline]
    pub fn rows_mut(&mut self) -> &mut [C::PerLane<C::Word>] {
        self.0.as_mut()
    }

    /// Overwrites the states, with the feature `zeroize`.
    #[inline]
    pub fn wipe(&mut self) {
        crate::wipe::words(Array::flatten_mut(self.0.as_mut()));
    }
}

impl<C: Compression> Default for AllLanes<C> {
    #[inline]
    fn default() -> Self {
        Self(Array::splat(Array::splat(C::Word::default())))
    }
}
