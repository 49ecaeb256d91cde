//! The layouts of parents in files, which follow from the message's length.

use jlanes_core::hashes::blake3::CHUNK;

/// Bytes of a parent: two values.
pub(super) const PARENT: usize = 64;

/// Bytes of the length in front of some encodings.
pub(super) const LENGTH_BYTES: usize = 8;

/// The maximum length of a subtree that begins at byte `offset`; `None` at 0, where any length fits.
#[must_use]
pub const fn max_len(offset: u64) -> Option<u64> {
    match offset {
        0 => None,
        _ => Some(1 << offset.trailing_zeros()),
    }
}

/// The length of the left child of a subtree of `len` bytes; `None` if it is one chunk.
#[must_use]
pub const fn left_len(len: u64) -> Option<u64> {
    match len.div_ceil(CHUNK as u64) {
        0 | 1 => None,
        chunks => Some((CHUNK as u64) << (chunks - 1).ilog2()),
    }
}

/// The layout of an outboard: chunks in a group, and whether the message's length is in front. Inside of
/// groups no parents are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(super) log: u8,
    pub(super) has_length: bool,
}

impl Layout {
    /// The outboard of Bao (`.obao`): all parents, and the length in front.
    pub const BAO: Self = Self { log: 0, has_length: true };
    /// The outboard of iroh (`.obao4`): groups of sixteen chunks, no length.
    pub const OBAO4: Self = Self { log: 4, has_length: false };

    /// Groups of 2^`log` chunks, no length; `None` if `log` exceeds 7.
    #[must_use]
    pub const fn groups(log: u8) -> Option<Self> {
        // a whole block has at least two groups
        if log <= 7 { Some(Self { log, has_length: false }) } else { None }
    }

    /// The layout of [`BAO`](Self::BAO) and [`OBAO4`](Self::OBAO4) with an outboard of `outboard` bytes
    /// for a message of `len` bytes.
    #[must_use]
    pub fn of_lengths(len: u64, outboard: u64) -> Option<Self> {
        [Self::BAO, Self::OBAO4].into_iter().find(|layout| layout.outboard_len(len) == outboard)
    }

    /// Bytes of the outboard of a message of `len` bytes.
    #[must_use]
    pub const fn outboard_len(self, len: u64) -> u64 {
        self.header_bytes() + PARENT as u64 * (group_count(len, self.log) - 1)
    }

    /// Bytes before the parents.
    pub(super) const fn header_bytes(self) -> u64 {
        if self.has_length { LENGTH_BYTES as u64 } else { 0 }
    }
}

/// Bytes of a group of 2^`log` chunks.
pub(super) const fn group(log: u8) -> u64 {
    (CHUNK as u64) << log
}

/// Groups of 2^`log` chunks in `len` bytes.
pub(super) const fn group_count(len: u64, log: u8) -> u64 {
    match len {
        0 => 1,
        _ => len.div_ceil(group(log)),
    }
}
