//! Messages in memory as the batch asks for them: many at a time.
//!
//! Every way of having messages is a type of its own, and there are as many as callers and hash
//! functions. So what is compiled for each of them is loops, and the scheduling once for all. It
//! calls them so seldom that short messages do not notice.

/// Messages that have numbers, each in `P` pieces.
pub(crate) trait Asked<'a, const P: usize> {
    /// The lengths of the pieces, if they are the same in the messages `0..count`.
    fn alike(&self, count: usize) -> Option<[usize; P]>;

    /// Tells the lengths of the messages from `first` on.
    #[cfg(feature = "alloc")]
    fn lens(&self, first: usize, to: &mut [(usize, bool)]);

    /// Gives the messages from `first` on.
    fn from(&self, first: usize, to: &mut [[&'a [u8]; P]]);

    /// Gives the messages with these numbers.
    fn these(&self, numbers: &[usize], to: &mut [[&'a [u8]; P]]);

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

    fn from(&self, first: usize, to: &mut [[&'a [u8]; P]]) {
        for (i, to) in (first..).zip(to) {
            *to = self(i);
        }
    }

    fn these(&self, numbers: &[usize], to: &mut [[&'a [u8]; P]]) {
        for (i, to) in numbers.iter().zip(to) {
            *to = self(*i);
        }
    }

    fn one(&self, i: usize) -> [&'a [u8]; P] {
        self(i)
    }
}

/// Numbers of messages, in the order in which they have their turn.
#[derive(Clone, Copy)]
pub(super) enum Numbers<'n> {
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

    pub(super) fn iter(self) -> impl Iterator<Item = usize> + 'n {
        (0..self.len()).map(move |at| match self {
            Self::All(_) => at,
            Self::These(numbers) => numbers[at],
        })
    }

    /// Asks for the messages whose numbers are those from the one with the number `first` on.
    pub(super) fn ask<'a, const P: usize>(
        self,
        first: usize,
        messages: &dyn Asked<'a, P>,
        to: &mut [[&'a [u8]; P]],
    ) {
        match self {
            Self::All(_) => messages.from(first, to),
            Self::These(numbers) => messages.these(&numbers[first..], to),
        }
    }
}
