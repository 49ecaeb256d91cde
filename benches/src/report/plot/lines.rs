//! Speeds as lines: by live lanes, and by size.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::{BLUE, Drawing, GREY, ORANGE, WIDTH};
use crate::{ports, row::Row, sections::calibrate::Policy, workload};

/// Colours that differ on white, also for most who do not see all of them.
const COLORS: [RGBColor; 9] = [
    BLUE,
    ORANGE,
    RGBColor(0x2c, 0x96, 0x4b),
    RGBColor(0xc2, 0x3b, 0x3b),
    RGBColor(0x8a, 0x5f, 0xb8),
    RGBColor(0x8b, 0x57, 0x42),
    RGBColor(0xd8, 0x6f, 0xb6),
    RGBColor(0x12, 0xa5, 0xb5),
    RGBColor(0x9a, 0x9b, 0x1f),
];

/// Lines of speeds over something.
struct Lines<'a> {
    title: &'a str,
    across: &'a str,
    /// How a place on the axis is written.
    place: fn(&u32) -> String,
    lines: Vec<Line<'a>>,
    /// The line that matters most.
    bold: usize,
    /// GB/s that the core's ports allow.
    limit: Option<f64>,
}

struct Line<'a> {
    name: &'a str,
    points: Vec<(u32, f64)>,
}

/// A line for each backend: speed by live lanes.
///
/// # Errors
/// If the file cannot be written.
pub(in super::super) fn policy(path: &Path, policy: &Policy) -> Result<()> {
    let lines = policy.backends.iter().enumerate().map(|(i, name)| {
        let points = policy.lines.iter().map(|line| (line.live as u32, line.speeds[i]));
        Line { name, points: points.collect() }
    });
    let limit = match policy.hash {
        "SHA-256" => Some(ports::SHA256_BUFFERS),
        "SHA-512" => Some(ports::SHA512),
        "Skein-512" => Some(ports::THREEFISH512),
        _ => None,
    };
    let lines = Lines {
        title: policy.hash,
        across: "live lanes",
        place: u32::to_string,
        lines: lines.collect(),
        bold: policy.backends.len() - 1,
        limit: limit.and_then(ports::Kernel::limit).map(|cpb| policy.clock_ghz / cpb),
    };
    lines.write(path)
}

/// A line for each method: speed by size, of rows that differ in size and method alone. Sizes are
/// powers of two.
///
/// # Errors
/// If the file cannot be written.
pub(in super::super) fn sizes(path: &Path, title: &str, rows: &[&Row]) -> Result<()> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for row in rows {
        for (name, seconds) in [(&row.ours, row.ours_s), (&row.peer, row.peer_s)] {
            let (Some(seconds), true) = (seconds, row.bytes > 0) else { continue };
            let point = (row.bytes.ilog2(), row.gigabytes_per_second(seconds));
            match lines.iter_mut().find(|line| line.name == name) {
                // Our own figure comes again with every rival's.
                Some(line) if line.points.contains(&point) => {}
                Some(line) => line.points.push(point),
                None => lines.push(Line { name, points: vec![point] }),
            }
        }
    }
    let place = |log: &u32| workload::human(1 << log);
    let limit = rows.iter().find_map(|row| row.limit());
    Lines { title, across: "bytes in all", place, lines, bold: 0, limit }.write(path)
}

impl Lines<'_> {
    fn write(&self, path: &Path) -> Result<()> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let root = SVGBackend::new(path, (WIDTH, 480)).into_drawing_area();
        self.draw(&root).map_err(|error| anyhow!("{}: {error}", path.display()))
    }

    /// The style of a line.
    fn style(&self, i: usize) -> ShapeStyle {
        if i == self.bold {
            return BLACK.stroke_width(3);
        }
        COLORS[i % COLORS.len()].stroke_width(2)
    }

    fn draw(&self, root: &Drawing<'_>) -> Result<(), Box<dyn std::error::Error>> {
        let points = || self.lines.iter().flat_map(|line| line.points.iter().copied());
        let first = points().map(|point| point.0).min().unwrap_or(0);
        let last = points().map(|point| point.0).max().unwrap_or(1);
        let fastest = points().map(|point| point.1).chain(self.limit).fold(0.0, f64::max);
        root.fill(&WHITE)?;
        let (left, right) = root.split_horizontally(WIDTH - 230);
        let mut chart = ChartBuilder::on(&left)
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
            .x_labels(12)
            .x_label_formatter(&self.place)
            .label_style(("sans-serif", 13))
            .draw()?;
        for (i, line) in self.lines.iter().enumerate() {
            let style = self.style(i);
            let points = line.points.iter().copied();
            chart.draw_series(LineSeries::new(points.clone(), style))?;
            chart.draw_series(points.map(|point| Circle::new(point, 3, style.filled())))?;
        }
        if let Some(limit) = self.limit {
            let ends = [(first, limit), (last, limit)];
            chart.draw_series(DashedLineSeries::new(ends, 6, 4, GREY.stroke_width(2)))?;
        }
        self.legend(&right)?;
        root.present()?;
        Ok(())
    }

    /// Names next to the plot, where they hide nothing.
    fn legend(&self, area: &Drawing<'_>) -> Result<(), Box<dyn std::error::Error>> {
        let names = self.lines.iter().enumerate().map(|(i, line)| (line.name, self.style(i)));
        let limit = self.limit.map(|_| ("limit of the ports (dashed)", GREY.stroke_width(1)));
        for (i, (name, style)) in names.chain(limit).enumerate() {
            let y = 50 + 20 * i as i32;
            area.draw(&PathElement::new(vec![(0, y), (20, y)], style))?;
            area.draw(&Text::new(name, (26, y - 6), ("sans-serif", 13)))?;
        }
        Ok(())
    }
}
