//! Compares two records line by line, which guards speed between releases.
//!
//! Machines differ from day to day, and peers get faster: a line has regressed only if we take
//! more cycles than before *and* lost ground to the peer, both by more than the spreads of the two
//! records explain.

use std::fmt;

use crate::{age::Age, row::Row};

/// Changes below this are noise, however quiet the records say they were.
const MIN_CHANGE: f64 = 0.03;
/// Quartile distances that a change must exceed.
const MIN_SPREADS: f64 = 3.0;

/// One line of two records.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    before: &'a Row,
    after: &'a Row,
}

/// The lines that both records measured, in the order of the later one.
pub(crate) fn changes<'a>(before: &'a [Row], after: &'a [Row]) -> impl Iterator<Item = Change<'a>> {
    after.iter().filter_map(|after| {
        let before = before.iter().find(|before| before.key() == after.key())?;
        (before.gap.is_none() && after.gap.is_none()).then_some(Change { before, after })
    })
}

impl Change<'_> {
    /// Our cost now relative to before: above 1 is slower.
    pub(crate) fn cost(&self) -> f64 {
        ratio(self.after.ours_cost(), self.before.ours_cost())
    }

    /// Our lead over the peer now relative to before: below 1 is ground lost.
    pub(crate) fn lead(&self) -> f64 {
        ratio(self.after.ratio, self.before.ratio)
    }

    /// Whether this is a regression beyond noise.
    pub(crate) fn regressed(&self) -> bool {
        let noise = |spread: fn(&Row) -> Option<f64>| {
            let sum = spread(self.before).unwrap_or(0.0) + spread(self.after).unwrap_or(0.0);
            (MIN_SPREADS * sum).max(MIN_CHANGE)
        };
        self.cost() > 1.0 + noise(|row| row.ours_spread)
            && self.lead() < 1.0 - noise(Row::ratio_spread)
    }
}

fn ratio(after: Option<f64>, before: Option<f64>) -> f64 {
    match (after, before) {
        (Some(after), Some(before)) => after / before,
        _ => 1.0,
    }
}

impl fmt::Display for Change<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { name, size, ours, peer, .. } = self.after;
        let percent = |ratio: f64| (ratio - 1.0) * 100.0;
        write!(f, "{name:42} {size:24} {ours:10} vs {peer:14} ")?;
        write!(f, "cost {:+6.1} %  lead {:+6.1} %", percent(self.cost()), percent(self.lead()))?;
        f.write_str(match self.before.age {
            Age::Today => "  same kernels",
            Age::Changed => "  other kernels",
            Age::Unknown => "",
        })?;
        f.write_str(if self.regressed() { "  REGRESSED" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ours_s: f64, ratio: f64, spread: f64) -> Row {
        Row {
            bytes: 1 << 20,
            clock_ghz: Some(3.0),
            ours_s: Some(ours_s),
            ours_spread: Some(spread),
            ratio: Some(ratio),
            ratio_low: Some(ratio * (1.0 - spread)),
            ratio_high: Some(ratio * (1.0 + spread)),
            ..Row::default()
        }
    }

    fn regressed(before: Row, after: Row) -> bool {
        let (before, after) = ([before], [after]);
        changes(&before, &after).next().is_some_and(|change| change.regressed())
    }

    #[test]
    fn a_slower_line_that_lost_ground_has_regressed() {
        assert!(regressed(row(1.0, 2.0, 0.01), row(1.2, 1.67, 0.01)));
    }

    #[test]
    fn a_slower_machine_is_no_regression() {
        assert!(!regressed(row(1.0, 2.0, 0.01), row(1.2, 2.0, 0.01)));
    }

    #[test]
    fn a_faster_peer_is_no_regression() {
        assert!(!regressed(row(1.0, 2.0, 0.01), row(1.0, 1.6, 0.01)));
    }

    #[test]
    fn a_change_within_the_spread_is_no_regression() {
        assert!(!regressed(row(1.0, 2.0, 0.05), row(1.2, 1.67, 0.05)));
    }

    #[test]
    fn lines_of_one_record_only_are_left_out() {
        let other = Row { name: "other".to_owned(), ..row(1.0, 2.0, 0.0) };
        assert_eq!(changes(&[row(1.0, 2.0, 0.0)], &[other]).count(), 0);
    }
}
