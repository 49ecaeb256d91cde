//! What a compression function is, and the kernels that run one over lanes.

use crate::simd::{
    isa::{Isa, Kernel},
    lanes::{Array, Lanes, Word},
    layout::Layout,
};

/// A compression function, written once for every lane width.
pub trait Compression: Copy + Send + Sync + 'static {
    /// 32- or 64-bit words.
    type Word: Word;
    /// What a lane carries from block to block: the chaining value, for Skein also the tweak.
    type State<T: Copy>: Array<T>;
    /// One block as words.
    type Block<T: Copy>: Array<T>;
    /// Bytes of a block.
    const BLOCK: usize;
    /// Words of an expanded block ([`expand`](Self::expand)).
    const SCHEDULE: usize;

    /// One row of a block: `N` consecutive words, in the function's byte order.
    fn load_row<V: Lanes<Self::Word>>(proof: V::Proof, bytes: &[u8]) -> V;

    /// Advances every lane by one block ("Update" in the papers).
    fn compress<V: Lanes<Self::Word>>(
        proof: V::Proof,
        state: &mut Self::State<V>,
        block: Self::Block<V>,
    );

    /// Writes what [`compress_expanded`](Self::compress_expanded) needs of a block into the first
    /// [`SCHEDULE`](Self::SCHEDULE) words of `schedule`: `W_t + K_t` for SHA-2, `W_t` for SHA-1.
    fn expand(block: &Self::Block<Self::Word>, schedule: &mut [Self::Word]);

    /// Advances every lane by the same, already expanded block (\[SMS\] section 5).
    fn compress_expanded<V: Lanes<Self::Word>>(
        proof: V::Proof,
        state: &mut Self::State<V>,
        schedule: &[Self::Word],
    );
}

/// The words of one block in memory, as [`Compression::expand`] takes them.
#[inline]
pub fn block_words<C: Compression>(bytes: &[u8]) -> C::Block<C::Word> {
    use crate::simd::portable::Plain;
    let mut words = C::Block::<C::Word>::splat(C::Word::default());
    let row = bytes[..C::BLOCK].chunks_exact(C::Word::BYTES);
    for (word, bytes) in words.as_mut().iter_mut().zip(row) {
        *word = C::load_row::<Plain<C::Word, 1>>((), bytes).0[0];
    }
    words
}

/// Chaining values of many lanes, word by word: word `i` of lane `l` stands at `i * stride + l`,
/// so that a vector of lanes is one contiguous load.
#[derive(Debug)]
pub struct Columns<'a, W> {
    words: &'a mut [W],
    stride: usize,
}

impl<'a, W: Copy> Columns<'a, W> {
    /// Columns over `words`, whose rows are `stride` lanes long.
    #[inline]
    pub fn new(words: &'a mut [W], stride: usize) -> Self {
        Self { words, stride }
    }

    /// The same columns for a shorter time.
    #[inline]
    pub fn reborrow(&mut self) -> Columns<'_, W> {
        Columns { words: self.words, stride: self.stride }
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
}

/// Loads the states of the lanes `first..first + N` into vectors.
#[inline(always)]
fn load_states<C: Compression, V: Lanes<C::Word>>(
    proof: V::Proof,
    columns: &Columns<'_, C::Word>,
    first: usize,
) -> C::State<V> {
    let mut state = C::State::<V>::splat(V::splat(proof, C::Word::default()));
    for i in 0..C::State::<V>::LEN {
        state.as_mut()[i] = V::load(proof, columns.row(i, first));
    }
    state
}

/// The inverse of [`load_states`].
#[inline(always)]
fn store_states<C: Compression, V: Lanes<C::Word>>(
    columns: &mut Columns<'_, C::Word>,
    first: usize,
    state: &C::State<V>,
) {
    for i in 0..C::State::<V>::LEN {
        state.as_ref()[i].store(columns.row_mut(i, first));
    }
}

/// Advances the lanes `first..first + N` by `blocks` blocks that differ from lane to lane, and then
/// by one block that they share.
#[derive(Debug)]
pub struct Advance<'a, C: Compression, L> {
    /// Chaining values.
    pub states: Columns<'a, C::Word>,
    /// Where the blocks are.
    pub layout: L,
    /// First lane.
    pub first: usize,
    /// Blocks a lane.
    pub blocks: usize,
    /// The shared last block, expanded ([`Compression::expand`]); empty if there is none.
    pub last: &'a [C::Word],
}

impl<C: Compression, L: Layout> Kernel for Advance<'_, C, L> {
    type Out = ();

    #[inline(always)]
    fn call<I: Isa>(mut self, isa: I) {
        let proof = isa.proof();
        let layout = self.layout.narrow::<C>(self.first, self.blocks);
        let mut state =
            load_states::<C, <C::Word as Word>::Vector<I>>(proof, &self.states, self.first);
        for b in 0..self.blocks {
            let block = layout.load::<C, <C::Word as Word>::Vector<I>>(proof, b);
            C::compress(proof, &mut state, block);
        }
        if !self.last.is_empty() {
            C::compress_expanded(proof, &mut state, self.last);
        }
        store_states::<C, <C::Word as Word>::Vector<I>>(&mut self.states, self.first, &state);
    }
}
