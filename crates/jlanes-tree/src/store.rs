//! Storage of a tree hasher's lanes: inline, if their number is in the type, or on the heap.

use alloc::{boxed::Box, vec};

use jlanes_core::{
    hash::{HashFunction, MAX_BLOCK, WordOf, compression::Compression},
    simd::lanes::Array,
};

use crate::ParameterError;

/// The maximum number of lanes of a tree.
pub(crate) const MAX_J: usize = 256;

/// Buffered bytes per lane: a block, and one more word for functions that treat the last block
/// differently, which shows that the block is not the last.
const ROOM: usize = MAX_BLOCK + 8;

/// Chaining values and buffered bytes of `lanes()` lanes.
pub trait Store<F: HashFunction>: Clone {
    /// Number of lanes.
    fn lanes(&self) -> usize;
    /// The chaining values, with word `i` of lane `l` at `i * lanes() + l`, and the buffer, at
    /// least [`ROOM`] bytes per lane.
    fn parts(&mut self) -> (&mut [WordOf<F>], &mut [u8]);
}

/// `J` lanes stored inline.
#[derive(Clone)]
pub struct Inline<F: HashFunction, const J: usize> {
    states: <F::Compression as Compression>::State<[WordOf<F>; J]>,
    buffer: [[u8; ROOM]; J],
}

impl<F: HashFunction, const J: usize> Default for Inline<F, J> {
    #[inline]
    fn default() -> Self {
        const { assert!(1 <= J && J <= MAX_J, "between 1 and 256 lanes") };
        Self { states: Array::splat([WordOf::<F>::default(); J]), buffer: [[0; ROOM]; J] }
    }
}

impl<F: HashFunction, const J: usize> Store<F> for Inline<F, J> {
    #[inline]
    fn lanes(&self) -> usize {
        J
    }

    #[inline]
    fn parts(&mut self) -> (&mut [WordOf<F>], &mut [u8]) {
        (self.states.as_mut().as_flattened_mut(), self.buffer.as_flattened_mut())
    }
}

/// Lanes on the heap.
#[derive(Clone)]
pub struct Heap<F: HashFunction> {
    lanes: usize,
    states: Box<[WordOf<F>]>,
    buffer: Box<[u8]>,
}

impl<F: HashFunction> Heap<F> {
    /// Storage for `j` lanes.
    pub(crate) fn new(j: usize) -> Result<Self, ParameterError> {
        if !(1..=MAX_J).contains(&j) {
            return Err(ParameterError::Lanes(j));
        }
        use jlanes_core::simd::lanes::Word;
        let words = <F::Compression as Compression>::State::<WordOf<F>>::LEN;
        let bytes = F::Compression::BLOCK + WordOf::<F>::BYTES;
        Ok(Self {
            lanes: j,
            states: vec![WordOf::<F>::default(); j * words].into(),
            buffer: vec![0; j * bytes].into(),
        })
    }
}

impl<F: HashFunction> Store<F> for Heap<F> {
    fn lanes(&self) -> usize {
        self.lanes
    }

    fn parts(&mut self) -> (&mut [WordOf<F>], &mut [u8]) {
        (&mut self.states, &mut self.buffer)
    }
}
