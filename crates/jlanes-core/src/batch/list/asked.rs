//! Messages in memory as the batch asks for them: many at a time.
//!
//! Every way of having messages is a type of its own, and there are as many as callers and hash
//! functions. So what is compiled for each of them is loops, and the scheduling once for all. It
//! calls them so seldom that short messages do not notice.

use crate::simd::lanes::copy;

/// Messages in several pieces are copied together up to this length.
pub(super) const SHORT: usize = 256;

/// One message of several pieces, copied together.
pub(crate) type Copied = [u8; SHORT];

/// Messages that have numbers, each in `P` pieces.
pub(crate) trait Asked<'a, const P: usize> {
    /// The lengths of the pieces, if they are the same in the messages `0..count`.
    fn alike(&self, count: usize) -> Option<[usize; P]>;

    /// Tells the lengths of the messages from `first` on.
    #[cfg(feature = "alloc")]
    fn lens(&self, first: usize, to: &mut [(usize, bool)]);

    /// Gives the messages of `numbers` from the one with the number `first` on.
    fn ask(&self, numbers: Numbers<'_>, first: usize, to: &mut [[&'a [u8]; P]]);

    /// Copies the messages of `numbers` from the one with the number `first` on together, and tells
    /// their lengths.
    fn together(&self, numbers: Numbers<'_>, first: usize, to: &mut [Copied], lens: &mut [usize]);

    /// Copies the messages from the one with the number `first` on together, whose pieces are alike:
    /// each to `len` bytes of `to`.
    fn packed(&self, first: usize, len: usize, to: &mut [u8]);

    /// Message `i`.
    fn one(&self, i: usize) -> [&'a [u8]; P];
}

impl<'a, const P: usize, F: Fn(usize) -> [&'a [u8]; P]> Asked<'a, P> for F {
    fn alike(&self, count: usize) -> Option<[usize; P]> {
        let lens = |i: usize| self(i).map(<[u8]>::len);
        let first = (count > 0).then(|| lens(0))?;
        (1..count).all(|i| lens(i) == first).then_some(first)
    }

    #[cfg(feature = "alloc")]
    fn lens(&self, first: usize, to: &mut [(usize, bool)]) {
        for (i, (len, _)) in (first..).zip(to) {
            *len = self(i).iter().map(|piece| piece.len()).sum();
        }
    }

    fn ask(&self, numbers: Numbers<'_>, first: usize, to: &mut [[&'a [u8]; P]]) {
        match numbers {
            Numbers::All(_) => {
                for (to, i) in to.iter_mut().zip(first..) {
                    *to = self(i);
                }
            }
            Numbers::These(numbers) => {
                for (to, i) in to.iter_mut().zip(&numbers[first..]) {
                    *to = self(*i);
                }
            }
        }
    }

    fn together(&self, numbers: Numbers<'_>, first: usize, to: &mut [Copied], lens: &mut [usize]) {
        for ((at, len), to) in (first..).zip(lens).zip(to) {
            *len = copy_together(&self(numbers.at(at)), to);
        }
    }

    fn packed(&self, first: usize, len: usize, to: &mut [u8]) {
        for (i, to) in (first..).zip(to.chunks_exact_mut(len)) {
            copy_together(&self(i), to);
        }
    }

    fn one(&self, i: usize) -> [&'a [u8]; P] {
        self(i)
    }
}

/// Numbers of messages, in the order in which they have their turn.
#[derive(Clone, Copy)]
pub(crate) enum Numbers<'n> {
    /// From 0 on, so many.
    All(usize),
    #[cfg_attr(not(feature = "alloc"), expect(dead_code))] // nothing is put in order
    These(&'n [usize]),
}

impl<'n> Numbers<'n> {
    pub(super) fn len(self) -> usize {
        match self {
            Self::All(count) => count,
            Self::These(numbers) => numbers.len(),
        }
    }

    /// The number `at` of them.
    #[inline]
    fn at(self, at: usize) -> usize {
        match self {
            Self::All(_) => at,
            Self::These(numbers) => numbers[at],
        }
    }

    pub(super) fn iter(self) -> impl Iterator<Item = usize> + 'n {
        (0..self.len()).map(move |at| self.at(at))
    }
}

/// Copies a message together and returns its length.
#[inline(always)] // a frame of its own costs as much as the copy of two digests
fn copy_together<const P: usize>(pieces: &[&[u8]; P], out: &mut [u8]) -> usize {
    let mut at = 0;
    for piece in pieces {
        let to = &mut out[at..at + piece.len()];
        if let (Some(to), Ok(piece)) = (to.first_chunk_mut::<32>(), <&[u8; 32]>::try_from(*piece)) {
            *to = *piece; // digests, of which pairs consist
        } else {
            copy(to, piece);
        }
        at += piece.len();
    }
    at
}
