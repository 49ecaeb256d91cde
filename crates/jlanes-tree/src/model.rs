//! The papers' cost model: compressions ("Updates") of a message, which do not depend on the
//! machine.

use jlanes_core::{compression::Compression, hash::HashFunction};

pub mod skein;

/// Updates of one hash of `len` bytes, with blocks of `block` bytes (\[SMS\] and \[SH\], equation 1):
/// the padding is a byte and a length field of an eighth of a block.
///
/// ```
/// use jlanes_tree::model::updates;
///
/// assert_eq!(updates(8192, 64), 129);
/// assert_eq!(updates(55, 64), 1);
/// assert_eq!(updates(56, 64), 2);
/// assert_eq!(updates(112, 128), 2);
/// ```
///
/// # Panics
/// If `block` is 0.
#[must_use]
pub const fn updates(len: u64, block: usize) -> u64 {
    let block = block as u64;
    len / block + 1 + (len % block + block / 8 >= block) as u64
}

/// A hash function, as far as the model of j-lanes goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Bytes of a word.
    pub word: usize,
    /// Bytes of a block.
    pub block: usize,
    /// Bytes of a digest.
    pub digest: usize,
}

impl Shape {
    /// The shape of `F`.
    #[must_use]
    pub fn of<F: HashFunction>() -> Self {
        use digest::typenum::Unsigned;
        use jlanes_core::{hash::WordOf, lanes::Word};
        Self {
            word: WordOf::<F>::BYTES,
            block: F::Compression::BLOCK,
            digest: F::OutputSize::USIZE,
        }
    }

    /// Bytes of slice `lane` of `len` bytes that are dealt out to `j` lanes.
    #[must_use]
    pub const fn slice(&self, len: u64, j: u64, lane: u64) -> u64 {
        let word = self.word as u64;
        let row = j * word;
        let rest = (len % row).saturating_sub(lane * word);
        len / row * word + if rest < word { rest } else { word }
    }

    /// Updates of raw j-lanes: of every slice, and of the wrapping step (\[JL\], Figures 1 and 2).
    ///
    /// ```
    /// use jlanes_tree::model::Shape;
    ///
    /// let sha256 = Shape { word: 4, block: 64, digest: 32 };
    /// assert_eq!([4, 8, 16].map(|j| sha256.jlanes_raw(8192, j)), [135, 141, 153]);
    /// ```
    #[must_use]
    pub const fn jlanes_raw(&self, len: u64, j: u64) -> u64 {
        let mut sum = updates(j * self.digest as u64, self.block);
        let mut lane = 0;
        while lane < j {
            sum += updates(self.slice(len, j, lane), self.block);
            lane += 1;
        }
        sum
    }

    /// Updates of j-lanes, profile v1: one more for the leaves' prefix, whose chaining value they
    /// share, and one for the root's.
    #[must_use]
    pub const fn jlanes(&self, len: u64, j: u64) -> u64 {
        self.jlanes_raw(len, j) + 2
    }
}
