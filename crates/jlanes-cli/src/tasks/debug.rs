//! `--debug`: kernels, occupancy of lanes, and throughput.

use std::{
    fmt::Write,
    time::{Duration, Instant},
};

use jlanes_files::Stats;

use crate::report::Console;

/// Prints the statistics of a run that began at `start`.
pub(crate) fn print(console: &Console, stats: &Stats, start: Instant) {
    let seconds = start.elapsed().max(Duration::from_micros(1)).as_secs_f64();
    let Stats { threads, bytes, files, .. } = stats;
    let rate = *bytes as f64 / seconds;
    let counted = |n: u64, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let (files, bytes) = (counted(*files, "file"), counted(*bytes, "byte"));
    let threads = counted(*threads as u64, "thread");
    console.say(format!("{files}, {bytes}, {threads}, {rate:.0} bytes/s"));
    for (computations, report) in &stats.reports {
        let names: Vec<_> = computations.iter().map(ToString::to_string).collect();
        let mut text = format!("{}: kernels ", names.join(","));
        for (i, (live, kernel)) in report.kernels.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let _ = write!(text, "{comma}{kernel} from {live}");
        }
        let usage = report.usage;
        if usage.steps == 0 {
            text.push_str("; occupancy not counted");
        } else {
            let mean = usage.blocks as f64 / usage.steps as f64;
            let lanes = counted(report.lanes as u64, "lane");
            let _ = write!(text, "; {lanes}, {mean:.2} live on average");
        }
        console.say(text);
    }
}
