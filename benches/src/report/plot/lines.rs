//! Speeds as lines: by live lanes, and by size.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::{Drawing, NO_TARGET, WIDTH};
use crate::{row::Row, sections::calibrate::Policy, workload};

/// Lines of speeds over something.
struct Lines<'a> {
    title: &'a str,
    across: &'a str,
    /// How a place on the axis is written.
    place: fn(&f64) -> String,
    lines: Vec<Line<'a>>,
    /// The line that matters most.
    bold: usize,
}

struct Line<'a> {
    name: &'a str,
    points: Vec<(f64, f64)>,
}

/// A line for each backend: speed by live lanes.
///
/// # Errors
/// If the file cannot be written.
pub(in super::super) fn policy(path: &Path, policy: &Policy) -> Result<()> {
    let lines = policy.backends.iter().enumerate().map(|(i, name)| {
        let points = policy.lines.iter().map(|line| (line.live as f64, line.speeds[i]));
        Line { name, points: points.collect() }
    });
    let lines = Lines {
        title: policy.hash,
        across: "live lanes",
        place: |live| format!("{live:.0}"),
        lines: lines.collect(),
        bold: policy.backends.len() - 1,
    };
    lines.write(path)
}

/// A line for each method: speed by size, of rows that differ in size and method alone.
///
/// # Errors
/// If the file cannot be written.
pub(in super::super) fn sizes(path: &Path, title: &str, rows: &[&Row]) -> Result<()> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for row in rows {
        for (name, seconds) in [(&row.ours, row.ours_s), (&row.peer, row.peer_s)] {
            let (Some(seconds), true) = (seconds, row.bytes > 0) else { continue };
            let point = ((row.bytes as f64).log2(), row.gigabytes_per_second(seconds));
            match lines.iter_mut().find(|line| line.name == name) {
                // Our own figure comes again with every rival's.
                Some(line) if line.points.contains(&point) => {}
                Some(line) => line.points.push(point),
                None => lines.push(Line { name, points: vec![point] }),
            }
        }
    }
    let place = |log: &f64| workload::human(log.exp2().round() as usize);
    Lines { title, across: "bytes in all", place, lines, bold: 0 }.write(path)
}

impl Lines<'_> {
    fn write(&self, path: &Path) -> Result<()> {
        let root = SVGBackend::new(path, (WIDTH, 480)).into_drawing_area();
        self.draw(&root).map_err(|error| anyhow!("{}: {error}", path.display()))
    }

    fn draw(&self, root: &Drawing<'_>) -> Result<(), Box<dyn std::error::Error>> {
        let points = || self.lines.iter().flat_map(|line| line.points.iter().copied());
        let first = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
        let last = points().map(|point| point.0).fold(0.0, f64::max);
        let fastest = points().map(|point| point.1).fold(0.0, f64::max);
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(root)
            .caption(self.title, ("sans-serif", 18))
            .margin(8)
            .margin_right(24)
            .x_label_area_size(40)
            .y_label_area_size(56)
            .build_cartesian_2d(first..last, 0.0..fastest * 1.08)?;
        chart
            .configure_mesh()
            .x_desc(self.across)
            .y_desc("GB/s")
            .x_labels(20)
            .x_label_formatter(&self.place)
            .label_style(("sans-serif", 13))
            .draw()?;
        for (i, line) in self.lines.iter().enumerate() {
            let bold = i == self.bold;
            let color = if bold { BLACK.to_rgba() } else { Palette99::pick(i).to_rgba() };
            let style = color.stroke_width(if bold { 3 } else { 2 });
            chart
                .draw_series(LineSeries::new(line.points.iter().copied(), style))?
                .label(line.name)
                .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 22, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.85))
            .border_style(NO_TARGET)
            .label_font(("sans-serif", 13))
            .draw()?;
        root.present()?;
        Ok(())
    }
}
