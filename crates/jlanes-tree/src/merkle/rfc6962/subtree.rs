//! Subtrees of a log (Merkle Tree Certificates, section 4), and [`LogProof`], a proof as a list of subtrees.
//!
//! Every proof shows that one subtree is a part of another. An entry is a subtree of one leaf; an older log and the
//! whole log are subtrees from 0. This file computes with ranges of entries only: the hashes come from a
//! [`Tree`](crate::merkle::Tree) or from tiles.

use alloc::{vec, vec::Vec};
use core::ops::Range;

use crate::merkle::Error;

/// Whether the entries of `range` are a subtree of a log that is long enough: its start is a multiple of the
/// least power of two that is not below its length.
#[must_use]
pub fn is_subtree(range: &Range<u64>) -> bool {
    range.end.checked_sub(range.start).is_some_and(|len| {
        // no multiple of a power above 2^63 is in range, but for 0
        len.checked_next_power_of_two()
            .map_or(range.start == 0, |power| range.start.is_multiple_of(power))
    })
}

/// The two adjacent subtrees that cover `range`. The first may begin earlier, by less than half of its
/// length; the second is empty if the range has at most one entry.
///
/// # Errors
/// [`Error::NotSubtree`] if the range ends before its start.
pub fn cover(range: Range<u64>) -> Result<[Range<u64>; 2], Error> {
    let Range { start, end } = range;
    if start > end {
        return Err(Error::NotSubtree { start, end });
    }
    if end - start <= 1 {
        return Ok([range, end..end]);
    }
    let last = end - 1;
    // the bits below the one in which the paths of the first and the last entry part
    let low = (1 << (start ^ last).ilog2()) - 1;
    let middle = last & !low;
    let left = start & u64::MAX << bit_len(!start & low);
    Ok([left..middle, middle..end])
}

/// Checks that `range` is a subtree of a log of `leaves` entries.
pub(super) fn check_subtree(range: &Range<u64>, leaves: u64) -> Result<(), Error> {
    let Range { start, end } = *range;
    if !is_subtree(range) {
        return Err(Error::NotSubtree { start, end });
    }
    if end > leaves { Err(Error::NoSuchLeaf { index: end, leaves }) } else { Ok(()) }
}

/// Checks that `index` is in the subtree `range`.
pub(super) fn check_entry(range: &Range<u64>, index: u64) -> Result<(), Error> {
    check_subtree(range, range.end)?;
    let missing = Error::NoSuchLeaf { index, leaves: range.end };
    if range.contains(&index) { Ok(()) } else { Err(missing) }
}

/// The number of bits of `value`.
pub(super) fn bit_len(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}

/// The nodes over a power of two of entries that a subtree has, from left to right: height, and index at
/// that height.
pub(super) fn full_nodes(subtree: Range<u64>) -> impl DoubleEndedIterator<Item = (u32, u64)> {
    let len = subtree.end - subtree.start;
    let heights = (0..bit_len(len)).rev().filter(move |height| len >> height & 1 == 1);
    // the longer nodes are before each node
    heights.map(move |height| {
        let before = (len >> height) - 1;
        (height, (subtree.start >> height) + before)
    })
}

/// The height of most logs, which have up to 2^32 entries: the length of their proofs.
const USUAL_HEIGHT: usize = 32;

/// A proof of a log as a list of subtrees, the deepest first. It consists of their hashes.
///
/// It needs no log, and tells what to read of one that is in tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogProof {
    subtrees: Vec<Range<u64>>,
}

impl LogProof {
    /// The hash of a subtree alone.
    ///
    /// # Errors
    /// [`Error::NotSubtree`].
    pub fn subtree(range: Range<u64>) -> Result<Self, Error> {
        check_subtree(&range, range.end)?;
        Ok(Self { subtrees: vec![range] })
    }

    /// The proof that entry `index` is in a subtree.
    ///
    /// # Errors
    /// [`Error::NotSubtree`]; [`Error::NoSuchLeaf`] if the subtree has no such entry.
    pub fn inclusion(range: Range<u64>, index: u64) -> Result<Self, Error> {
        check_entry(&range, index)?;
        Ok(Self::of(index..index + 1, range))
    }

    /// The proof that the log of `leaves` entries has a subtree. It is empty for an empty subtree.
    ///
    /// # Errors
    /// [`Error::NotSubtree`]; [`Error::NoSuchLeaf`] if the log is shorter.
    pub fn consistency(range: Range<u64>, leaves: u64) -> Result<Self, Error> {
        check_subtree(&range, leaves)?;
        let whole = if range.is_empty() { range.clone() } else { 0..leaves };
        Ok(Self::of(range, whole))
    }

    /// The subtrees, in the order of the proof's hashes.
    #[must_use]
    pub fn subtrees(&self) -> &[Range<u64>] {
        &self.subtrees
    }

    /// The proof that `inner` is within `whole`. Both are subtrees.
    fn of(mut inner: Range<u64>, mut whole: Range<u64>) -> Self {
        let (mut subtrees, mut known) = (Vec::with_capacity(USUAL_HEIGHT), true);
        while inner != whole {
            // the largest power of two below the length
            let middle = whole.start + (1 << (whole.end - whole.start - 1).ilog2());
            if inner.end <= middle {
                subtrees.push(middle..whole.end);
                whole.end = middle;
            } else {
                subtrees.push(whole.start..middle);
                if inner.start < middle {
                    // `inner` has the whole left side, and is no node
                    (inner.start, known) = (middle, false);
                }
                whole.start = middle;
            }
        }
        if !known {
            subtrees.push(inner);
        }
        subtrees.reverse();
        Self { subtrees }
    }
}
