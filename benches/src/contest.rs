//! A line of a table before it is measured: a workload, our method, the rivals and the targets.

use anyhow::Result;

use crate::{
    clock::Stopwatch,
    cpu::PortModel,
    measure::{Timing, alternate},
    method::Method,
    row::Row,
    workload::Workload,
};

/// A line of a table.
pub(crate) trait Line {
    /// The description of the line, as far as it is known before measuring.
    fn title(&self) -> String;

    /// Measures all methods in one run: a row for each rival, in order.
    fn run(&self, timing: Timing) -> Result<Vec<Row>>;
}

/// Our method and its rivals over one workload, with the ratios that we mean to reach.
pub(crate) struct Contest {
    /// The columns that are known before the contest runs.
    pub(crate) row: Row,
    pub(crate) workload: Workload,
    pub(crate) ours: Method,
    /// Whether methods use threads: then the wall clock counts, and cycles mean nothing.
    threaded: bool,
    /// Whether our method is its own rival, too: the ratio is what noise makes of 1.
    pub(crate) against_itself: bool,
    /// The others, each with the ratio that we mean to reach.
    rivals: Vec<(Method, Option<f64>)>,
}

/// The name of our method as its own rival.
pub(crate) const ITSELF: &str = "itself";

impl Contest {
    /// A line without rivals yet.
    pub(crate) fn new(name: impl Into<String>, workload: Workload, ours: Method) -> Self {
        let (size, bytes) = (workload.description().to_owned(), workload.bytes());
        let row = Row { name: name.into(), size, bytes, ..Row::default() };
        Self { row, workload, ours, threaded: false, against_itself: false, rivals: Vec::new() }
    }

    /// Other columns that are known before the contest runs.
    pub(crate) fn with(mut self, set: impl FnOnce(&mut Row)) -> Self {
        set(&mut self.row);
        self
    }

    pub(crate) fn ours_named(self, ours: impl Into<String>) -> Self {
        Self { ours: self.ours.named(ours), ..self }
    }

    /// Notes the limit that the core's ports set to our kernel.
    pub(crate) fn limited_to(self, model: PortModel) -> Self {
        self.with(|row| row.limit_cpb = model.limit_cpb())
    }

    /// Says that methods use threads.
    pub(crate) fn on_all_cores(self) -> Self {
        Self { threaded: true, ..self }
    }

    /// A rival with `target` as the wanted speed-up.
    pub(crate) fn against(self, rival: Method, target: impl Into<Option<f64>>) -> Self {
        self.against_all([rival], target)
    }

    /// Rivals with `target` as the wanted speed-up.
    pub(crate) fn against_all(
        mut self,
        rivals: impl IntoIterator<Item = Method>,
        target: impl Into<Option<f64>>,
    ) -> Self {
        let target = target.into();
        self.rivals.extend(rivals.into_iter().map(|rival| (rival, target)));
        self
    }

    /// Rivals without a target.
    pub(crate) fn beside(self, rivals: impl IntoIterator<Item = Method>) -> Self {
        self.against_all(rivals, None)
    }

    /// All methods, ours first.
    #[cfg(test)]
    pub(crate) fn methods(&self) -> impl Iterator<Item = &Method> {
        std::iter::once(&self.ours).chain(self.rivals.iter().map(|(rival, _)| rival))
    }

    /// The row for a rival, without figures yet.
    fn row(&self, rival: &Method, target: Option<f64>) -> Row {
        Row {
            ours: self.ours.name.clone(),
            peer: rival.name.clone(),
            other_function: rival.other_function,
            target,
            gap: self.ours.gap().or_else(|| rival.gap()),
            ..self.row.clone()
        }
    }
}

impl Line for Contest {
    fn title(&self) -> String {
        format!("{}, {}", self.row.name, self.row.size)
    }

    fn run(&self, timing: Timing) -> Result<Vec<Row>> {
        let rivals = self.rivals.iter();
        let mut rows: Vec<Row> = rivals.map(|(rival, target)| self.row(rival, *target)).collect();
        let messages = self.workload.messages();
        let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let Some(ours) = self.ours.contestant(&messages) else { return Ok(rows) };

        let mut contestants = vec![ours];
        for (rival, _) in &self.rivals {
            let Some(contestant) = rival.contestant(&messages) else { continue };
            if !rival.other_function {
                contestants[0].agrees_with(&contestant)?;
            }
            contestants.push(contestant);
        }
        if self.against_itself {
            let peer = ITSELF.to_owned();
            rows.push(Row { peer, predicted: None, ..self.row(&self.ours, None) });
            contestants.extend(self.ours.contestant(&messages));
        }
        let stopwatch = if self.threaded { Stopwatch::Wall } else { timing.stopwatch };
        let measured = alternate(&mut contestants, Timing { stopwatch, ..timing })?;

        let clock_ghz = (!self.threaded).then(|| measured.clock_ghz.median());
        let (ours, theirs) = measured.times.split_first().expect("we take part");
        let mut theirs = theirs.iter();
        let fill = |row: Row| match row.gap {
            None => Row { clock_ghz, ..row.timed(ours, theirs.next().expect("no gap, so a time")) },
            Some(_) => row,
        };
        Ok(rows.into_iter().map(fill).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_ratio_has_an_interval_and_noise_has_no_target() {
        let length =
            |name| Method::each(name, 1, |message, digest| digest[0] = message.len() as u8);
        let contest = Contest::new("lengths", Workload::equal(3, 5), length("ours"));
        let contest = Contest { against_itself: true, ..contest.against(length("theirs"), 0.5) };
        let timing =
            Timing { rounds: 4, min_time: Duration::from_micros(10), stopwatch: Stopwatch::Thread };
        let rows = contest.run(timing).unwrap();
        let peers = rows.iter().map(|row| (&*row.peer, row.target));
        assert!(peers.eq([("theirs", Some(0.5)), (ITSELF, None)]));
        for row in rows {
            let bounds = row.ratio_low.unwrap()..=row.ratio_high.unwrap();
            assert!(bounds.contains(&row.ratio.unwrap()), "{row}");
        }
    }
}
