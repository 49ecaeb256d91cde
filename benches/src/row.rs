//! A line of a table: what was measured, of whom, and whether the target was met.

use std::{fmt, path::Path};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::measure::Samples;

/// One contestant's speed compared with another's. Seconds are medians, spreads half the distance between
/// quartiles relative to the median; a row without a ratio is a named gap.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The section that measures it.
    pub section: String,
    /// The name of the line.
    pub name: String,
    /// The shape of the input.
    pub size: String,
    /// Our method.
    pub ours: String,
    /// The peer's.
    pub peer: String,
    /// Bytes of input.
    pub bytes: u64,
    /// Cycles a byte that our method cannot go below, by a model of the core's ports.
    pub limit_cpb: Option<f64>,
    /// The core's clock meanwhile.
    pub clock_ghz: Option<f64>,
    /// Seconds that we took.
    pub ours_s: Option<f64>,
    /// Spread of that.
    pub ours_spread: Option<f64>,
    /// Seconds of all cores that we kept busy, for whole processes.
    pub ours_cpu_s: Option<f64>,
    /// Seconds that the peer took.
    pub peer_s: Option<f64>,
    /// Spread of that.
    pub peer_spread: Option<f64>,
    /// Seconds of all cores that the peer kept busy, for whole processes.
    pub peer_cpu_s: Option<f64>,
    /// Bytes that we had resident at most, for whole processes.
    pub ours_peak: Option<u64>,
    /// Bytes that the peer had resident at most, for whole processes.
    pub peer_peak: Option<u64>,
    /// Our speed-up over the peer: the median over the rounds.
    pub ratio: Option<f64>,
    /// Spread of that.
    pub ratio_spread: Option<f64>,
    /// The least ratio that is good enough.
    pub target: Option<f64>,
    /// Why a figure is missing.
    pub gap: Option<String>,
}

impl Row {
    /// Takes in our times and the peer's.
    #[must_use]
    pub fn timed(self, ours: &Samples, peer: &Samples) -> Self {
        let ratio = ours.speed_up_over(peer);
        Self {
            ours_s: Some(ours.median()),
            ours_spread: Some(ours.spread()),
            peer_s: Some(peer.median()),
            peer_spread: Some(peer.spread()),
            ratio: Some(ratio.median()),
            ratio_spread: Some(ratio.spread()),
            ..self
        }
    }

    /// Whether the target is met, if there is one and we know.
    #[must_use]
    pub fn met(&self) -> Option<bool> {
        Some(self.ratio? >= self.target?)
    }

    /// Bytes per nanosecond for a duration.
    #[must_use]
    pub fn gigabytes_per_second(&self, seconds: f64) -> f64 {
        self.bytes as f64 / seconds / 1e9
    }

    /// Core cycles per byte for a duration, if the clock is known and there are bytes.
    #[must_use]
    pub fn cycles_per_byte(&self, seconds: f64) -> Option<f64> {
        (self.bytes > 0).then_some(self.clock_ghz? / self.gigabytes_per_second(seconds))
    }

    /// GB/s that our method cannot go beyond, where that is known.
    #[must_use]
    pub fn limit(&self) -> Option<f64> {
        Some(self.clock_ghz? / self.limit_cpb?)
    }

    /// Our speed, and how near it is to the limit.
    pub(crate) fn our_speed(&self) -> String {
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
    pub(crate) fn peer_speed(&self) -> String {
        self.speed(self.peer_s, self.peer_spread, self.peer_cpu_s)
    }

    /// What tells this line from the others of a record.
    pub(crate) fn key(&self) -> [&str; 5] {
        [&self.section, &self.name, &self.size, &self.ours, &self.peer]
    }

    /// What our work costs: cycles if the clock is known, else seconds.
    #[must_use]
    pub fn ours_cost(&self) -> Option<f64> {
        let seconds = self.ours_s?;
        Some(self.cycles_per_byte(seconds).unwrap_or(seconds))
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
        write!(f, "{:44} vs ", self.our_speed())?;
        write!(f, "{peer:14} {:29} ", self.peer_speed())?;
        write!(f, "{:5.2}x", self.ratio.unwrap_or(f64::NAN))?;
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

/// Writes a record, of [`Row`]s or of what else has columns.
///
/// # Errors
/// If the file cannot be written.
pub fn write_csv<T: Serialize>(path: &Path, rows: &[T]) -> Result<()> {
    let mut writer = csv::Writer::from_path(path).with_context(|| path.display().to_string())?;
    for row in rows {
        writer.serialize(row)?;
    }
    writer.flush().with_context(|| path.display().to_string())
}

/// Reads a record that [`write_csv`] wrote.
///
/// # Errors
/// If the file cannot be read or is no record.
pub fn read_csv(path: &Path) -> Result<Vec<Row>> {
    let mut reader = csv::Reader::from_path(path).with_context(|| path.display().to_string())?;
    let rows: csv::Result<Vec<Row>> = reader.deserialize().collect();
    rows.with_context(|| path.display().to_string())
}
