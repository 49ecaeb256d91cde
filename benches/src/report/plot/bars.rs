//! Bars: the speed-up over the peers, or the speed of each method.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::{
    coord::ranged1d::{IntoSegmentedCoord, SegmentValue},
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::{BLUE, Drawing, GREY, ORANGE, WIDTH};
use crate::row::Row;

/// Bars with something in common.
struct Bars<'a> {
    title: &'a str,
    /// What their lengths mean.
    across: &'a str,
    bars: Vec<Bar>,
}

struct Bar {
    name: String,
    length: f64,
    /// What is written behind it.
    note: String,
    color: RGBColor,
    /// Where it should reach, or cannot reach beyond.
    tick: Option<f64>,
}

impl Bar {
    /// Where its note begins: behind it, and behind the tick if that is in the way.
    fn note_from(&self, most: f64) -> f64 {
        let (gap, width) = (most / 150.0, most / 5.0);
        let hidden = |tick: &f64| (self.length..self.length + width).contains(tick);
        self.tick.filter(hidden).unwrap_or(self.length) + gap
    }
}

/// A bar for each row: our speed-up over the peer; a tick at the target.
///
/// # Errors
/// If the file cannot be written.
pub(in super::super) fn ratios(path: &Path, title: &str, rows: &[&Row]) -> Result<()> {
    // If all rows have the same name, only the method differs.
    let alike = rows.windows(2).all(|rows| rows[0].name == rows[1].name);
    let bar = |row: &&Row| {
        let length = row.ratio?;
        let name = match alike {
            true => format!("{} vs {}", row.ours, row.peer),
            false => format!("{}, {} vs {}", row.name, row.size, row.peer),
        };
        let color = match row.met() {
            Some(false) => ORANGE,
            None if length < 1.0 => GREY,
            _ => BLUE,
        };
        Some(Bar { name, length, note: format!("{length:.2}"), color, tick: row.target })
    };
    let across = "times as fast as the peer (tick: target; orange: target missed; grey: slower)";
    Bars { title, across, bars: rows.iter().filter_map(bar).collect() }.write(path)
}

/// A bar for each method: its speed; a tick where the core's ports end.
///
/// # Errors
/// If the file cannot be written.
pub(in super::super) fn methods(path: &Path, title: &str, rows: &[&Row]) -> Result<()> {
    let bar = |row: &Row, name: &str, seconds: Option<f64>, limit: Option<f64>, color| {
        let seconds = seconds?;
        let color = if name.contains("jlanes") { BLUE } else { color };
        let length = row.gigabytes_per_second(seconds);
        let cycles = row.cycles_per_byte(seconds);
        let note = cycles.map_or_else(
            || format!("{length:.2}"),
            |cycles| format!("{length:.2} ({cycles:.2} c/B)"),
        );
        Some(Bar { name: name.to_owned(), length, note, color, tick: limit })
    };
    let mut bars = Vec::new();
    if let Some(row) = rows.iter().find(|row| row.ratio.is_some()) {
        bars.extend(bar(row, &row.ours, row.ours_s, row.limit(), BLUE));
    }
    bars.extend(rows.iter().filter_map(|row| bar(row, &row.peer, row.peer_s, None, GREY)));
    let across = match rows.iter().any(|row| row.limit().is_some()) {
        true => "GB/s, and core cycles a byte (blue: jlanes; tick: limit of the core's ports)",
        false => "GB/s (blue: jlanes)",
    };
    Bars { title, across, bars }.write(path)
}

impl Bars<'_> {
    fn write(&self, path: &Path) -> Result<()> {
        if self.bars.is_empty() {
            return Ok(());
        }
        let size = (WIDTH, 100 + 22 * self.bars.len() as u32);
        let root = SVGBackend::new(path, size).into_drawing_area();
        self.draw(&root).map_err(|error| anyhow!("{}: {error}", path.display()))
    }

    fn draw(&self, root: &Drawing<'_>) -> Result<(), Box<dyn std::error::Error>> {
        let bars = &self.bars;
        let most = bars.iter().flat_map(|bar| [bar.length, bar.tick.unwrap_or(0.0)]);
        // Room for the note behind the longest.
        let most = most.fold(0.0, f64::max) * 1.25;
        let longest = bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(root)
            .caption(self.title, ("sans-serif", 18))
            .margin(8)
            .margin_right(24)
            .x_label_area_size(40)
            .y_label_area_size(20 + 7 * longest as u32)
            .build_cartesian_2d(0.0..most, (0..bars.len() - 1).into_segmented())?;
        let label = |place: &SegmentValue<usize>| match place {
            SegmentValue::CenterOf(i) => {
                bars.get(bars.len() - 1 - i).map_or_else(String::new, |bar| bar.name.clone())
            }
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(bars.len())
            .y_label_formatter(&label)
            .x_desc(self.across)
            .label_style(("sans-serif", 13))
            .draw()?;
        let behind =
            ("sans-serif", 12).into_text_style(root).pos(Pos::new(HPos::Left, VPos::Center));
        for (i, bar) in bars.iter().rev().enumerate() {
            let (low, high) = (SegmentValue::Exact(i), SegmentValue::Exact(i + 1));
            let mut shape = Rectangle::new([(0.0, low), (bar.length, high)], bar.color.filled());
            shape.set_margin(3, 3, 0, 0);
            chart.draw_series([shape])?;
            let place = (bar.note_from(most), SegmentValue::CenterOf(i));
            chart.draw_series([Text::new(bar.note.clone(), place, behind.clone())])?;
            if let Some(tick) = bar.tick {
                let ends = [(tick, SegmentValue::Exact(i)), (tick, SegmentValue::Exact(i + 1))];
                chart.draw_series([PathElement::new(ends.to_vec(), BLACK.stroke_width(2))])?;
            }
        }
        root.present()?;
        Ok(())
    }
}
