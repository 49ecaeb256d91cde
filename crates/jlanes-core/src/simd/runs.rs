//! [`Runs`]: the bytes of messages that a kernel reads in place, one run per lane. They know their shortest,
//! up to which no lane needs a check.

/// Runs of bytes, one per lane: the parts of messages that a kernel reads in place.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    runs: &'a [&'a [u8]],
    /// Bytes of the shortest run.
    shortest: usize,
    equal_lengths: bool,
}

impl<'a> Runs<'a> {
    /// The runs of the lanes from lane 0 on. Their lengths are compared here, even if the caller knows them
    /// to be equal: loads rely on [`shortest`](Self::shortest), and an `AsRef` may return another slice in
    /// each call.
    #[inline(always)]
    #[must_use]
    pub fn new(runs: &'a [&'a [u8]]) -> Self {
        let len = runs.first().map_or(0, |run| run.len());
        let equal_lengths = runs.iter().fold(0, |differ, run| differ | (run.len() ^ len)) == 0;
        let shortest = if equal_lengths {
            len
        } else {
            runs.iter().fold(len, |least, run| least.min(run.len()))
        };
        Self { runs, shortest, equal_lengths }
    }

    /// The runs, none shorter than [`shortest`](Self::shortest).
    #[inline(always)]
    #[must_use]
    pub fn runs(&self) -> &'a [&'a [u8]] {
        self.runs
    }

    /// The runs from lane `first` on; [`shortest`](Self::shortest) stays that of all.
    #[inline(always)]
    #[must_use]
    pub(crate) fn skip_lanes(&self, first: usize) -> Self {
        Self { runs: &self.runs[first..], ..*self }
    }

    /// The minimum length of the runs.
    #[inline(always)]
    #[must_use]
    pub fn shortest(&self) -> usize {
        self.shortest
    }

    /// Whether all runs have equal lengths.
    #[inline(always)]
    #[must_use]
    pub fn have_equal_lengths(&self) -> bool {
        self.equal_lengths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_know_their_shortest() {
        let text = &[0; 9][..];
        let runs = [&text[..7], &text[..4], text];
        let some = Runs::new(&runs);
        assert_eq!((some.shortest(), some.have_equal_lengths(), some.runs().len()), (4, false, 3));
        let equal = Runs::new(&runs[1..2]);
        assert_eq!((equal.shortest(), equal.have_equal_lengths()), (4, true));
        assert_eq!(some.skip_lanes(1).runs(), &runs[1..]);
        assert_eq!((Runs::new(&[]).shortest(), Runs::new(&[]).have_equal_lengths()), (0, true));
    }
}
