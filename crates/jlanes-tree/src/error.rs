//! The error of a tree's parameters.

use core::{error, fmt};

/// Invalid parameters of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeError {
    /// The number of lanes is not in 1..=256.
    Lanes(usize),
    /// The word is empty, or longer than the hash's block.
    Word(usize),
    /// The hash's block cannot hold a prefix: it is shorter than 32 bytes.
    Block(usize),
    /// Leaves have no bytes.
    EmptyLeaf,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lanes(j) => write!(f, "{j} lanes are not between 1 and 256"),
            Self::Word(bytes) => write!(f, "a word of {bytes} bytes is empty or exceeds a block"),
            Self::Block(bytes) => write!(f, "a block of {bytes} bytes is shorter than 32 bytes"),
            Self::EmptyLeaf => f.write_str("leaves of no bytes"),
        }
    }
}

impl error::Error for TreeError {}
