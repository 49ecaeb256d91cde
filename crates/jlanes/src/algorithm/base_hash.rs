//! [`BaseHash`], a hash that trees can be built on.

use core::fmt;

use super::{Fixed, Skein};

/// A hash that trees can be built on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BaseHash {
    /// A hash with a fixed digest length.
    Fixed(Fixed),
    /// Skein without a tree.
    Skein(Skein),
}

impl BaseHash {
    /// Bytes of the digest.
    #[must_use]
    pub fn output_size(self) -> usize {
        match self {
            Self::Fixed(fixed) => fixed.output_size(),
            Self::Skein(skein) => skein.bytes,
        }
    }

    /// Bytes of a block.
    #[must_use]
    pub fn block_size(self) -> usize {
        match self {
            Self::Fixed(fixed) => fixed.block_size(),
            Self::Skein(skein) => skein.size.state_size(),
        }
    }

    /// Bytes of the word by which trees distribute a message.
    #[must_use]
    pub fn word_size(self) -> usize {
        match self {
            Self::Fixed(fixed) => fixed.word_size(),
            Self::Skein(_) => 8,
        }
    }
}

impl fmt::Display for BaseHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(fixed) => fixed.fmt(f),
            Self::Skein(skein) => skein.fmt(f),
        }
    }
}
