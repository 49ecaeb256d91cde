//! Sorting of messages in memory by their number of blocks, so that neighbours end together.

use alloc::vec::Vec;
use core::{
    iter::{self, repeat_n},
    mem,
    ops::Range,
};

use crate::memory::try_collect;

/// The number of blocks up to which messages are sorted exactly.
const MAX_EXACT_BLOCKS: usize = 64;
/// The number of classes of longer messages: four from each power of two to the next.
const LONG_CLASSES: usize = 4 * usize::BITS as usize;
/// Messages that are requested at a time.
const SIZES_PER_FILL: usize = 64;

/// Fills in, for messages from an index on, the number of blocks and whether the pieces may be
/// copied together.
pub(super) type FillSizes<'s> = dyn Fn(usize, &mut [(usize, bool)]) + 's;

/// Indices of messages, sorted by decreasing number of blocks.
///
/// Long messages start first, so that none runs alone at the end, and neighbours end together. The
/// order does not affect the result.
pub(super) struct Sorted {
    pub(super) indices: Vec<usize>,
    pub(super) classes: Classes,
}

/// The classes of sorted messages.
pub(super) struct Classes {
    /// The range of classes that has all non-empty ones.
    used: Range<usize>,
    /// For each class in `used`, the place behind its last message.
    ends: [usize; LONG_CLASSES + MAX_EXACT_BLOCKS],
}

/// Messages of one class.
pub(super) struct SizeClass {
    /// The number of blocks, if all messages have the same and their pieces may be copied together.
    pub(super) blocks: Option<usize>,
    /// The places of the messages.
    pub(super) places: Range<usize>,
}

impl Sorted {
    /// The order of `count` messages, if there is memory for it: the caller's count sizes it.
    pub(super) fn new(count: usize, fill_sizes: &FillSizes<'_>) -> Option<Self> {
        let mut classes = try_collect(repeat_n(0_u16, count))?;
        let mut ends = [0; LONG_CLASSES + MAX_EXACT_BLOCKS];
        let mut sizes = [(0, false); SIZES_PER_FILL];
        for (n, classes) in classes.chunks_mut(SIZES_PER_FILL).enumerate() {
            let sizes = &mut sizes[..classes.len()];
            fill_sizes(n * SIZES_PER_FILL, sizes);
            for (to, (blocks, together)) in classes.iter_mut().zip(sizes) {
                let class = class(*blocks, *together);
                ends[class] += 1;
                *to = class as u16;
            }
        }
        let first = ends.iter().position(|count| *count > 0).unwrap_or(0);
        let used = first..ends.iter().rposition(|count| *count > 0).map_or(first, |last| last + 1);
        if used.len() <= 1 {
            return Some(Self { indices: try_collect(0..count)?, classes: Classes { used, ends } });
        }
        let mut indices = try_collect(repeat_n(0, count))?;
        // `ends` has the place of each class's next message: the class's start first, and its end after the loop
        let mut next = 0;
        for end in &mut ends[used.clone()] {
            next += mem::replace(end, next);
        }
        for (i, class) in classes.into_iter().enumerate() {
            let place = &mut ends[usize::from(class)];
            indices[*place] = i;
            *place += 1;
        }
        Some(Self { indices, classes: Classes { used, ends } })
    }
}

impl Classes {
    /// The number of blocks, if all messages have the same and their pieces may be copied together.
    pub(super) fn common_blocks(&self) -> Option<usize> {
        let mut classes = self.iter();
        let only = classes.next()?;
        classes.next().is_none().then_some(only.blocks).flatten()
    }

    /// The non-empty classes.
    pub(super) fn iter(&self) -> impl Iterator<Item = SizeClass> {
        let starts = iter::once(0).chain(self.ends[self.used.clone()].iter().copied());
        let ranges = starts.zip(&self.ends[self.used.clone()]).map(|(start, end)| start..*end);
        let classes = self.used.clone().zip(ranges).filter(|(_, range)| !range.is_empty());
        classes.map(|(class, places)| SizeClass {
            blocks: (class >= LONG_CLASSES).then(|| LONG_CLASSES + MAX_EXACT_BLOCKS - class),
            places,
        })
    }
}

/// The class of a message.
fn class(blocks: usize, together: bool) -> usize {
    if together && blocks <= MAX_EXACT_BLOCKS {
        return LONG_CLASSES + MAX_EXACT_BLOCKS - blocks;
    }
    let scaled = blocks + 4; // the quarters of an octave need two bits below the highest
    let octave = scaled.ilog2();
    LONG_CLASSES - 1 - (4 * octave as usize + (scaled >> (octave - 2)) % 4)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn order_of(count: usize, shape: impl Fn(usize) -> (usize, bool)) -> Sorted {
        Sorted::new(count, &|first, sizes| {
            for (i, to) in (first..).zip(sizes) {
                *to = shape(i);
            }
        })
        .expect("memory")
    }

    #[test]
    fn every_message_is_there_once_and_long_ones_come_first() {
        let shape = |i: usize| (1 + i * i % 1000, !i.is_multiple_of(7));
        let order = order_of(500, shape);
        let mut seen = vec![0; 500];
        let mut before = usize::MAX;
        for class in order.classes.iter() {
            for i in &order.indices[class.places] {
                seen[*i] += 1;
                match class.blocks {
                    Some(blocks) => assert_eq!(shape(*i), (blocks, true)),
                    None => assert!(shape(*i).0 > MAX_EXACT_BLOCKS || !shape(*i).1),
                }
            }
            if let Some(blocks) = class.blocks {
                assert!(blocks < before);
                before = blocks;
            }
        }
        assert_eq!(seen, vec![1; 500]);
    }

    #[test]
    fn quarters_of_octaves_are_classes_and_longer_ones_come_first() {
        let mut expected = class(0, false);
        for octave in 2..usize::BITS {
            for quarter in 4..8_usize {
                let shortest = (quarter << (octave - 2)) - 4;
                let longest = shortest + ((1 << (octave - 2)) - 1);
                for blocks in [shortest, longest] {
                    assert_eq!(class(blocks, false), expected, "{blocks} blocks");
                    assert_eq!(class(blocks, true) == expected, blocks > MAX_EXACT_BLOCKS);
                }
                expected = expected.wrapping_sub(1);
            }
        }
        assert_eq!(expected, usize::MAX, "the longest messages are in the first class");
        assert_eq!(class(MAX_EXACT_BLOCKS, true), LONG_CLASSES);
    }

    #[test]
    fn messages_are_alike_if_they_share_an_exact_class() {
        assert_eq!(order_of(70, |_| (3, true)).classes.common_blocks(), Some(3));
        assert_eq!(
            order_of(70, |_| (MAX_EXACT_BLOCKS, true)).classes.common_blocks(),
            Some(MAX_EXACT_BLOCKS)
        );
        assert_eq!(order_of(70, |_| (MAX_EXACT_BLOCKS + 1, true)).classes.common_blocks(), None);
        assert_eq!(order_of(70, |_| (3, false)).classes.common_blocks(), None);
        assert_eq!(order_of(70, |i| (3 + i / 69, true)).classes.common_blocks(), None);
        assert_eq!(order_of(0, |_| (3, true)).classes.common_blocks(), None);
    }

    #[test]
    fn the_longest_message_has_a_class() {
        let order = order_of(2, |i| (if i == 0 { 1 } else { usize::MAX / 64 }, true));
        assert_eq!(order.indices, [1, 0]);
    }
}
