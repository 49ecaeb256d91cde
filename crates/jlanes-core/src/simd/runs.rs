//! [`Runs`]: the bytes of messages that a kernel reads in place, one run per lane. They know their shortest,
//! up to which no lane needs a check.

/// Runs of bytes, one per lane: the parts of messages that a kernel reads in place.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    runs: &'a [&'a [u8]],
    /// Bytes of the shortest run.
    shortest: usize,
    equal: bool,
}

impl<'a> Runs<'a> {
    /// The runs of the lanes from lane 0 on. Their lengths are compared here, even if the caller knows them
    /// to be equal: loads rely on [`shortest`](Self::shortest), and an `AsRef` may return another slice in
    /// each call.
    #[inline(always)]
    #[must_use]
    pub fn new(runs: &'a [&'a [u8]]) -> Self {
        let len = runs.first().map_or(0, |run| run.len());
        let equal = runs.iter().fold(0, |differ, run| differ | (run.len() ^ len)) == 0;
        let shortest =
            if equal { len } else { runs.iter().fold(len, |least, run| least.min(run.len())) };
        Self { runs, shortest, equal }
    }

    /// The runs, none shorter than [`shortest`](Self::shortest).
    #[inline(always)]
    #[must_use]
    pub fn runs(&self) -> &'a [&'a [u8]] {
        self.runs
    }

    /// The runs from lane `first` on.
    #[inline(always)]
    #[must_use]
    pub(crate) fn from(&self, first: usize) -> Self {
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
    pub fn are_equal(&self) -> bool {
        self.equal
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
        assert_eq!((some.shortest(), some.are_equal(), some.runs().len()), (4, false, 3));
        let equal = Runs::new(&runs[1..2]);
        assert_eq!((equal.shortest(), equal.are_equal()), (4, true));
        assert_eq!(some.from(1).runs(), &runs[1..]);
        assert_eq!((Runs::new(&[]).shortest(), Runs::new(&[]).are_equal()), (0, true));
    }
}
