//! Blocks that wait for their check until they fill a register.

use crate::simd::lanes::Word;

/// The most blocks that wait.
pub const SLOTS: usize = 16;

/// The most words that a check of a block needs.
pub const WORDS: usize = 27;

/// Blocks that wait for their check, of a [`Compression`](super::Compression) with
/// [`DEFERS`](super::Compression::DEFERS).
#[derive(Debug)]
pub struct Deferred<W> {
    /// Word `i` of the block in slot `s` is word `s` of row `i`.
    pub rows: [[W; SLOTS]; WORDS],
    /// The slots in use.
    pub len: usize,
    /// Whether a check has found something.
    pub found: bool,
}

impl<W: Word> Deferred<W> {
    /// No blocks.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        Self { rows: [[W::default(); SLOTS]; WORDS], len: 0, found: false }
    }
}

impl<W: Word> Default for Deferred<W> {
    fn default() -> Self {
        Self::new()
    }
}
