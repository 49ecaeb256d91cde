//! [`Subtree`], and [`WantedRange`], the range that decides which subtrees a walk visits.

use core::ops::Range;

use jlanes_core::hashes::blake3::CHUNK;

use super::layout::{group_count, left_len};

/// The bytes of a message under a node of its tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subtree {
    pub(super) start: u64,
    pub(super) len: u64,
    /// The index of its own parent among all parents in pre-order; 0 only for the root.
    pub(super) parent_index: u64,
}

impl Subtree {
    pub(super) const fn whole(len: u64) -> Self {
        Self { start: 0, len, parent_index: 0 }
    }

    pub(super) const fn is_root(&self) -> bool {
        self.parent_index == 0
    }

    pub(super) const fn range(&self) -> Range<u64> {
        self.start..self.start + self.len
    }

    /// The children, in a tree with groups of 2^`log` chunks; `None` for one chunk.
    pub(super) fn children(&self, log: u8) -> Option<[Self; 2]> {
        let left = left_len(self.len)?;
        let parent_index = self.parent_index + group_count(left, log);
        Some([
            Self { start: self.start, len: left, parent_index: self.parent_index + 1 },
            Self { start: self.start + left, len: self.len - left, parent_index },
        ])
    }
}

/// The bytes that a walk leads to: at least the first of a range, or the message's last one if that is past the end.
#[derive(Clone, Copy)]
pub(super) struct WantedRange {
    start: u64,
    end: u64,
}

impl WantedRange {
    pub(super) fn new(range: &Range<u64>, len: u64) -> Self {
        let start = range.start.min(len.saturating_sub(1));
        Self { start, end: range.end.max(start.saturating_add(1)) }
    }

    pub(super) const fn touches(self, subtree: &Subtree) -> bool {
        subtree.is_root() || self.start < subtree.start + subtree.len && subtree.start < self.end
    }

    /// Whether all units of a subtree are touched.
    pub(super) const fn covers(self, subtree: &Subtree, unit: u64) -> bool {
        let last = subtree.len.saturating_sub(1) / unit * unit;
        self.start < subtree.start.saturating_add(unit) && subtree.start + last < self.end
    }

    /// Whether the last chunk of a message of `len` bytes is touched.
    pub(super) const fn touches_last_chunk(self, len: u64) -> bool {
        len.saturating_sub(1) / CHUNK as u64 * (CHUNK as u64) < self.end
    }
}
