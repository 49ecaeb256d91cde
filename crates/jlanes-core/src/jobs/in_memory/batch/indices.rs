//! [`Indices`], which messages of a layout a batch has, and in which order.

use core::ops::Range;

/// Indices of messages, in processing order.
#[derive(Clone, Copy, Debug)]
pub enum Indices<'n> {
    /// From the first up to, but excluding, the second.
    Range(usize, usize),
    /// A list of indices.
    List(&'n [usize]),
}

impl Indices<'_> {
    /// The index at a position.
    #[inline]
    pub(super) fn at_position(self, position: usize) -> usize {
        match self {
            Self::Range(first, _) => first + position,
            Self::List(indices) => indices[position],
        }
    }

    /// The indices at these positions.
    pub(super) fn part(self, positions: Range<usize>) -> Self {
        match self {
            Self::Range(first, _) => Self::Range(first + positions.start, first + positions.end),
            Self::List(indices) => Self::List(&indices[positions]),
        }
    }

    /// Maps indices by `f` into `to`, until it is full.
    #[inline]
    pub(crate) fn map_into<T>(self, to: &mut [T], f: impl Fn(usize) -> T) {
        match self {
            Self::Range(first, _) => {
                for (i, to) in to.iter_mut().enumerate() {
                    *to = f(first + i);
                }
            }
            Self::List(indices) => {
                for (to, i) in to.iter_mut().zip(indices) {
                    *to = f(*i);
                }
            }
        }
    }
}
