//! The order in which messages in memory take the lanes.

use alloc::{vec, vec::Vec};

/// The number of blocks up to which messages are sorted exactly.
const EXACT: usize = 64;
/// Classes of longer messages: a quarter of an octave each.
const LONG: usize = 4 * usize::BITS as usize;
/// Messages that are requested at a time.
const ASKED: usize = 64;

/// Fills in, for messages from an index on, the number of blocks and whether the pieces may be
/// copied together.
pub(super) type Shapes<'s> = dyn Fn(usize, &mut [(usize, bool)]) + 's;

/// Indices of messages, sorted by decreasing number of blocks.
///
/// Long messages start first, so that none runs alone at the end, and neighbours end together. The
/// order does not affect the result.
pub(super) struct Order {
    numbers: Vec<usize>,
    /// The first non-empty class.
    first: usize,
    /// The start of each class in `numbers`, from `first` on, and the end of the last one.
    starts: Vec<usize>,
}

/// Messages of one class.
pub(super) struct SizeClass<'a> {
    /// The number of blocks, if all messages have the same and their pieces may be copied together.
    pub(super) blocks: Option<usize>,
    /// The messages' indices.
    pub(super) messages: &'a [usize],
}

impl Order {
    /// The order of `count` messages.
    pub(super) fn new(count: usize, shapes: &Shapes<'_>) -> Self {
        let mut classes = vec![0_u16; count];
        let mut counts = [0_u32; LONG + EXACT];
        let mut asked = [(0, false); ASKED];
        for (n, classes) in classes.chunks_mut(ASKED).enumerate() {
            let asked = &mut asked[..classes.len()];
            shapes(n * ASKED, asked);
            for (to, (blocks, together)) in classes.iter_mut().zip(asked) {
                let class = class(*blocks, *together);
                counts[class] += 1;
                *to = class as u16;
            }
        }
        let first = counts.iter().position(|count| *count > 0).unwrap_or(0);
        let last = counts.iter().rposition(|count| *count > 0).unwrap_or(0);
        if first == last {
            return Self { numbers: (0..count).collect(), first, starts: vec![0, count] };
        }
        let mut starts = vec![0];
        let mut next = 0;
        for count in &counts[first..=last] {
            next += *count as usize;
            starts.push(next);
        }
        let mut numbers = vec![0; count];
        let mut places = starts.clone();
        for (i, class) in classes.into_iter().enumerate() {
            let place = &mut places[usize::from(class) - first];
            numbers[*place] = i;
            *place += 1;
        }
        Self { numbers, first, starts }
    }

    /// All indices in order.
    pub(super) fn numbers(&self) -> &[usize] {
        &self.numbers
    }

    /// The number of blocks, if all messages have the same and their pieces may be copied together.
    pub(super) fn alike(&self) -> Option<usize> {
        let mut classes = self.classes();
        let only = classes.next()?;
        classes.next().is_none().then_some(only.blocks).flatten()
    }

    /// The non-empty classes.
    pub(super) fn classes(&self) -> impl Iterator<Item = SizeClass<'_>> {
        let ranges = self.starts.windows(2).map(|ends| ends[0]..ends[1]);
        let classes = (self.first..).zip(ranges).filter(|(_, range)| !range.is_empty());
        classes.map(|(class, range)| SizeClass {
            blocks: (class >= LONG).then(|| LONG + EXACT - class),
            messages: &self.numbers[range],
        })
    }
}

/// The class of a message.
fn class(blocks: usize, together: bool) -> usize {
    if together && blocks <= EXACT {
        return LONG + EXACT - blocks;
    }
    let scaled = blocks + 4; // the quarters of an octave need two bits below the highest
    let octave = scaled.ilog2();
    LONG - 1 - (4 * octave as usize + (scaled >> (octave - 2)) % 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order_of(count: usize, shape: impl Fn(usize) -> (usize, bool)) -> Order {
        Order::new(count, &|first, shapes| {
            for (i, to) in (first..).zip(shapes) {
                *to = shape(i);
            }
        })
    }

    #[test]
    fn every_message_is_there_once_and_long_ones_come_first() {
        let shape = |i: usize| (1 + i * i % 1000, !i.is_multiple_of(7));
        let order = order_of(500, shape);
        let mut seen = vec![0; 500];
        let mut before = usize::MAX;
        for class in order.classes() {
            for i in class.messages {
                seen[*i] += 1;
                match class.blocks {
                    Some(blocks) => assert_eq!(shape(*i), (blocks, true)),
                    None => assert!(shape(*i).0 > EXACT || !shape(*i).1),
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
                    assert_eq!(class(blocks, true) == expected, blocks > EXACT);
                }
                expected = expected.wrapping_sub(1);
            }
        }
        assert_eq!(expected, usize::MAX, "the longest messages are in the first class");
        assert_eq!(class(EXACT, true), LONG);
    }

    #[test]
    fn messages_are_alike_if_they_share_an_exact_class() {
        assert_eq!(order_of(70, |_| (3, true)).alike(), Some(3));
        assert_eq!(order_of(70, |_| (EXACT, true)).alike(), Some(EXACT));
        assert_eq!(order_of(70, |_| (EXACT + 1, true)).alike(), None);
        assert_eq!(order_of(70, |_| (3, false)).alike(), None);
        assert_eq!(order_of(70, |i| (3 + i / 69, true)).alike(), None);
        assert_eq!(order_of(0, |_| (3, true)).alike(), None);
    }

    #[test]
    fn the_longest_message_has_a_class() {
        let order = order_of(2, |i| (if i == 0 { 1 } else { usize::MAX / 64 }, true));
        assert_eq!(order.numbers, [1, 0]);
    }
}
