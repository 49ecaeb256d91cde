//! A line of a table: what was measured, of whom, and whether the target was met.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{age::Age, measure::Samples, workload::MIB};

/// One contestant's figures compared with another's: a line of a record, which needs no other line to be
/// understood. Seconds are medians over the rounds, spreads half the distance between quartiles relative to the
/// median; a row without figures is a named gap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Row {
    /// The CPU: its name, family, model, stepping, and its class in the policy's table.
    pub(crate) cpu: String,
    /// The day, in UTC.
    pub(crate) day: String,
    /// The section that measures it.
    pub(crate) section: String,
    /// The name of the line.
    pub(crate) name: String,
    /// The shape of the input.
    pub(crate) size: String,
    pub(crate) ours: String,
    /// The method that ours is compared with.
    pub(crate) peer: String,
    /// Whether the peer computes another function, so that only speeds compare. Records before 2026-11-30 do not
    /// note it.
    pub(crate) other_function: bool,
    /// Bytes of input.
    pub(crate) bytes: u64,
    /// The kernel that our policy selects, where that is the subject.
    pub(crate) kernel: Option<String>,
    /// Cycles a byte that our method cannot go below, by a model of the core's ports.
    pub(crate) limit_cpb: Option<f64>,
    /// The core's clock meanwhile.
    pub(crate) clock_ghz: Option<f64>,
    /// Seconds that we took.
    pub(crate) ours_s: Option<f64>,
    pub(crate) ours_spread: Option<f64>,
    /// Seconds of all cores that we kept busy, for whole processes.
    pub(crate) ours_cpu_s: Option<f64>,
    /// Seconds that the peer took.
    pub(crate) peer_s: Option<f64>,
    pub(crate) peer_spread: Option<f64>,
    /// Seconds of all cores that the peer kept busy, for whole processes.
    pub(crate) peer_cpu_s: Option<f64>,
    /// Bytes that we had resident at most, for whole processes.
    pub(crate) ours_peak: Option<u64>,
    /// Bytes that the peer had resident at most, for whole processes.
    pub(crate) peer_peak: Option<u64>,
    /// Instructions that we executed, where they are counted.
    pub(crate) instructions: Option<f64>,
    /// Our speed-up over the peer, the median over the rounds; for instructions and memory, how many times as
    /// many the peer needs.
    pub(crate) ratio: Option<f64>,
    /// The lower quartile of the rounds' ratios.
    pub(crate) ratio_low: Option<f64>,
    /// The upper quartile.
    pub(crate) ratio_high: Option<f64>,
    /// The ratio that a model predicts.
    pub(crate) predicted: Option<f64>,
    /// The least ratio that is good enough.
    pub(crate) target: Option<f64>,
    /// Why a figure is missing.
    pub(crate) gap: Option<String>,
    /// Whether it is of older code than the record notes, because its section was not measured again.
    pub(crate) older_code: bool,
    /// Whether its kernels are today's.
    #[serde(skip)]
    pub(crate) age: Age,
}

/// Beginning of the gap of a line that failed.
const FAILED: &str = "FAILED: ";

impl Row {
    /// A line that failed.
    pub(crate) fn of_failure(name: String, error: &anyhow::Error) -> Self {
        Self { name, gap: Some(format!("{FAILED}{error:#}")), ..Self::default() }
    }

    /// Whether the line failed: digests differ, or the system refused something.
    pub(crate) fn failed(&self) -> bool {
        self.gap.as_ref().is_some_and(|gap| gap.starts_with(FAILED))
    }

    /// The row with our times, the peer's, and their ratio.
    pub(crate) fn timed(self, ours: &Samples, peer: &Samples) -> Self {
        let ratio = ours.speed_up_over(peer);
        Self {
            ours_s: Some(ours.median()),
            ours_spread: Some(ours.spread()),
            peer_s: Some(peer.median()),
            peer_spread: Some(peer.spread()),
            ratio: Some(ratio.median()),
            ratio_low: Some(ratio.quantile(0.25)),
            ratio_high: Some(ratio.quantile(0.75)),
            ..self
        }
    }

    /// Whether the target is met, if there is one and we know. It is missed only if the interval of the ratio
    /// excludes it.
    pub(crate) fn met(&self) -> Option<bool> {
        Some(self.ratio_high.or(self.ratio)? >= self.target?)
    }

    /// Half the distance between the quartiles of the ratio, relative to it.
    pub(crate) fn ratio_spread(&self) -> Option<f64> {
        Some((self.ratio_high? - self.ratio_low?) / 2.0 / self.ratio?)
    }

    /// Bytes per nanosecond for a duration.
    pub(crate) fn gigabytes_per_second(&self, seconds: f64) -> f64 {
        self.bytes as f64 / seconds / 1e9
    }

    /// Core cycles per byte for a duration, if the clock is known and there are bytes.
    pub(crate) fn cycles_per_byte(&self, seconds: f64) -> Option<f64> {
        (self.bytes > 0).then_some(self.clock_ghz? / self.gigabytes_per_second(seconds))
    }

    /// GB/s that our method cannot go beyond, where that is known.
    pub(crate) fn limit_gb_per_s(&self) -> Option<f64> {
        Some(self.clock_ghz? / self.limit_cpb?)
    }

    /// Whether it is of a figure in a paper: those begin with the paper's mark.
    pub(crate) fn is_in_paper(&self) -> bool {
        self.name.starts_with('[')
    }

    /// Our figure: instructions or memory if these are the subject, else the speed, and how near it is to the limit.
    pub(crate) fn our_figure(&self) -> String {
        if let Some(count) = self.instructions {
            return format!("{count:.0} instructions");
        }
        if let (None, Some(peak)) = (self.ours_s, self.ours_peak) {
            return format!("{} MiB", mebibytes(peak));
        }
        let speed = self.speed(self.ours_s, self.ours_spread, self.ours_cpu_s);
        let cycles = self.ours_s.and_then(|seconds| self.cycles_per_byte(seconds));
        match (self.limit_cpb, cycles) {
            (Some(limit), Some(cycles)) => {
                format!("{speed}, {:.0}% of limit", limit / cycles * 100.0)
            }
            _ => speed,
        }
    }

    /// The peer's speed.
    pub(crate) fn peer_figure(&self) -> String {
        self.speed(self.peer_s, self.peer_spread, self.peer_cpu_s)
    }

    /// The columns that tell this line from the others of a record.
    pub(crate) fn key(&self) -> [&str; 5] {
        [&self.section, &self.name, &self.size, &self.ours, &self.peer]
    }

    /// The cost of our work: cycles if the clock is known, else seconds; instructions where these are counted.
    pub(crate) fn ours_cost(&self) -> Option<f64> {
        let cycles = |seconds| self.cycles_per_byte(seconds).unwrap_or(seconds);
        self.instructions.or_else(|| self.ours_s.map(cycles))
    }

    /// The word for [`met`](Self::met).
    pub(crate) fn verdict(&self) -> &'static str {
        match self.met() {
            Some(true) => "met",
            Some(false) => "MISSED",
            None if self.target.is_some() => "gap",
            None => "",
        }
    }

    /// A speed in the units that suit it.
    fn speed(&self, seconds: Option<f64>, spread: Option<f64>, cpu_seconds: Option<f64>) -> String {
        let (Some(seconds), Some(spread)) = (seconds, spread) else { return "-".to_owned() };
        let percent = spread * 100.0;
        match (self.cycles_per_byte(seconds), cpu_seconds) {
            (Some(cycles), _) => {
                let speed = self.gigabytes_per_second(seconds);
                format!("{speed:.3} GB/s ±{percent:.0}% {cycles:.3} c/B")
            }
            (None, None) if self.bytes > 0 => {
                format!("{:.3} GB/s ±{percent:.0}%", self.gigabytes_per_second(seconds))
            }
            (None, Some(cpu)) => format!("{} ±{percent:.0}% cpu {}", human(seconds), human(cpu)),
            (None, None) => format!("{} ±{percent:.0}%", human(seconds)),
        }
    }
}

/// The columns, aligned for a terminal.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, size, ours, peer, .. } = self;
        write!(f, "{name:42} {size:24} {ours:10} ")?;
        if let Some(gap) = &self.gap {
            return write!(f, "vs {peer:14} no figure: {gap}");
        }
        write!(f, "{:44} vs {peer:14} {:29} ", self.our_figure(), self.peer_figure())?;
        write!(f, "{:5.2}x", self.ratio.unwrap_or(f64::NAN))?;
        if let Some(predicted) = self.predicted {
            write!(f, "  predicted {predicted:5.2}x")?;
        }
        match self.target {
            Some(target) => write!(f, "  target {target:5.2}x {}", self.verdict()),
            None => Ok(()),
        }
    }
}

/// Seconds in the unit that suits them.
pub(crate) fn human(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 1.0 => format!("{seconds:.3} s"),
        _ if seconds >= 1e-3 => format!("{:.2} ms", seconds * 1e3),
        _ if seconds >= 1e-5 => format!("{:.1} µs", seconds * 1e6),
        _ => format!("{:.0} ns", seconds * 1e9),
    }
}

pub(crate) fn mebibytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / MIB as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_missed_only_if_the_interval_excludes_it() {
        let rounds = |ratios: [f64; 3]| {
            let row = Row { target: Some(2.0), ..Row::default() };
            row.timed(&Samples(vec![1.0; 3]), &Samples(ratios.into())).met()
        };
        assert_eq!(rounds([2.0, 2.1, 2.2]), Some(true));
        assert_eq!(rounds([1.8, 1.95, 2.2]), Some(true));
        assert_eq!(rounds([1.8, 1.85, 1.9]), Some(false));
        assert_eq!(Row { ratio: Some(1.0), ..Row::default() }.met(), None);
    }
}
