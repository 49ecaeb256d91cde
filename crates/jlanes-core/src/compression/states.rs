//! The states of many lanes, word by word, as kernels load and store them.

use super::shape::Shape;
use crate::{
    simd::vector::{Array, Word},
    wipe,
};

/// Adjacent lanes, from `first` up to `end`.
#[derive(Clone, Copy, Debug)]
pub struct LaneRange {
    /// The first lane.
    pub first: usize,
    /// The lane after the last one.
    pub end: usize,
}

impl LaneRange {
    /// The number of lanes.
    #[inline(always)]
    #[must_use]
    pub fn len(self) -> usize {
        self.end - self.first
    }

    /// Whether there are no lanes.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.first == self.end
    }

    /// The lanes in steps of `width`; the last step may have fewer.
    #[inline(always)]
    pub(crate) fn steps(self, width: usize) -> impl Iterator<Item = Self> {
        let step = move |first| Self { first, end: self.end.min(first + width) };
        (self.first..self.end).step_by(width).map(step)
    }
}

/// The destination of the contiguous digests of lanes.
#[derive(Debug)]
pub struct ContiguousDigests<'a> {
    /// The places of the digests, one after the other.
    pub bytes: &'a mut [u8],
    /// Bytes of a digest.
    pub size: usize,
}

impl<'a> ContiguousDigests<'a> {
    /// Digests of `N` bytes each.
    #[cfg(feature = "blake3")]
    pub(crate) fn of_arrays<const N: usize>(digests: &'a mut [[u8; N]]) -> Self {
        Self { bytes: digests.as_flattened_mut(), size: N }
    }

    /// The places of the digests of `lanes`.
    #[inline(always)]
    pub(crate) fn of_lanes(&mut self, lanes: LaneRange) -> ContiguousDigests<'_> {
        let LaneRange { first, end } = lanes;
        ContiguousDigests { bytes: &mut self.bytes[first * self.size..end * self.size], ..*self }
    }

    /// The place of a lane's digest.
    #[inline(always)]
    pub(crate) fn lane(&mut self, lane: usize) -> &mut [u8] {
        &mut self.bytes[lane * self.size..][..self.size]
    }
}

/// Rows of words in lanes' order: row `i` starts at `i * stride`.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, W> {
    /// The words, from the first lane in use on.
    pub words: &'a [W],
    /// Words from one row to the next.
    pub stride: usize,
}

impl<W: Copy> Rows<'_, W> {
    /// Copies the words of lane `lane`.
    #[inline]
    pub(crate) fn get_into(&self, lane: usize, state: &mut [W]) {
        for (i, word) in state.iter_mut().enumerate() {
            *word = self.words[i * self.stride + lane];
        }
    }
}

/// The states at which the lanes of a kernel start.
#[derive(Clone, Copy, Debug)]
pub enum LaneStart<'a, W> {
    /// The states that the kernel overwrites.
    Own,
    /// The same state in every lane.
    Same(&'a [W]),
    /// A state for each lane.
    Each(Rows<'a, W>),
}

impl<W: Copy> LaneStart<'_, W> {
    /// Copies the start of lane `lane`, if it is not the lane's own state.
    pub(crate) fn get_into(&self, lane: usize, state: &mut [W]) {
        match self {
            Self::Own => {}
            Self::Same(start) => state.copy_from_slice(start),
            Self::Each(rows) => rows.get_into(lane, state),
        }
    }

    /// The states of the lanes from `first` on.
    pub(crate) fn skip_lanes(self, first: usize) -> Self {
        match self {
            Self::Each(Rows { words, stride }) => {
                Self::Each(Rows { words: &words[first..], stride })
            }
            same => same,
        }
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

    /// The states, in the layout of kernels.
    #[inline(always)]
    pub(crate) fn words_mut(&mut self) -> &mut [W] {
        self.words
    }

    /// The states of the lanes from `first` on, in the layout of kernels.
    #[inline(always)]
    pub(crate) fn skip_lanes(&mut self, first: usize) -> &mut [W] {
        &mut self.words[first..]
    }

    /// The states, to be read.
    #[inline(always)]
    pub(crate) fn rows(&self) -> Rows<'_, W> {
        Rows { words: self.words, stride: self.stride }
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
        self.rows().get_into(lane, state);
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
    words: W::LaneStorage,
    stride: usize,
}

impl<W: Word> LaneBuffer<W> {
    /// Storage for states of `shape`.
    #[inline]
    #[must_use]
    pub fn new(shape: &Shape<W>) -> Self {
        Self { words: Array::splat(W::default()), stride: shape.max_lanes }
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
        wipe::words(self.words.as_mut());
    }
}
