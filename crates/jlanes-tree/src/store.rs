//! Storage of a tree hasher's lanes: inline, if their number is in the type, or on the heap.

use alloc::{boxed::Box, vec};

use jlanes_core::{
    compression::{Compression, MAX_BLOCK, Shape},
    hash::{HashFunction, WordOf},
    simd::lanes::{Array, Word},
};

use crate::ParameterError;

/// The maximum number of lanes of a tree.
pub(crate) const MAX_J: usize = 256;

/// Buffered bytes per lane: a block, and one more word for functions that treat the last block
/// differently, which shows that the block is not the last.
const ROOM: usize = MAX_BLOCK + 8;

/// Chaining values and buffered bytes of `lanes()` lanes.
pub trait Store<W>: Clone {
    /// Number of lanes.
    fn lanes(&self) -> usize;
    /// The chaining values, with word `i` of lane `l` at `i * lanes() + l`, and the buffer, at
    /// least a block and a word per lane.
    fn parts(&mut self) -> (&mut [W], &mut [u8]);
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

impl<F: HashFunction, const J: usize> Store<WordOf<F>> for Inline<F, J> {
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
pub struct Heap<W> {
    lanes: usize,
    states: Box<[W]>,
    buffer: Box<[u8]>,
}

impl<W: Word> Heap<W> {
    /// Storage for `j` lanes of a compression function.
    pub(crate) fn new(shape: &Shape<W>, j: usize) -> Result<Self, ParameterError> {
        if !(1..=MAX_J).contains(&j) {
            return Err(ParameterError::Lanes(j));
        }
        Ok(Self {
            lanes: j,
            states: vec![W::default(); j * shape.state].into(),
            buffer: vec![0; j * (shape.block + W::BYTES)].into(),
        })
    }
}

impl<W: Clone> Store<W> for Heap<W> {
    fn lanes(&self) -> usize {
        self.lanes
    }

    fn parts(&mut self) -> (&mut [W], &mut [u8]) {
        (&mut self.states, &mut self.buffer)
    }
}
