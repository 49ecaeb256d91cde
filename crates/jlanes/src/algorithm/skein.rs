//! Skein's sizes of state and digest.

use core::fmt;

/// Skein with an output length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Skein {
    pub(super) size: SkeinSize,
    pub(super) bytes: usize,
}

/// The size of Skein's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SkeinSize {
    /// Skein-256.
    Skein256,
    /// Skein-512.
    Skein512,
    /// Skein-1024.
    Skein1024,
}

impl Skein {
    /// The size of the state.
    #[must_use]
    pub fn size(self) -> SkeinSize {
        self.size
    }

    /// Bytes of the digest.
    #[must_use]
    pub fn output_size(self) -> usize {
        self.bytes
    }

    /// Bits of the digest.
    #[must_use]
    pub fn output_bits(self) -> u64 {
        8 * self.bytes as u64
    }
}

impl SkeinSize {
    /// Bytes of the state, which is also the usual digest.
    #[must_use]
    pub fn state_size(self) -> usize {
        match self {
            Self::Skein256 => 32,
            Self::Skein512 => 64,
            Self::Skein1024 => 128,
        }
    }
}

impl fmt::Display for Skein {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.size.state_size();
        write!(f, "skein{}", 8 * state)?;
        if self.bytes == state { Ok(()) } else { write!(f, "-{}", self.output_bits()) }
    }
}
