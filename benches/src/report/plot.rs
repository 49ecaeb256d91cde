//! Draws charts as SVG: bars of speed-ups or speeds, and lines of speed by size or live lanes.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::{
    coord::{
        Shift,
        ranged1d::{IntoSegmentedCoord, SegmentValue},
    },
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use crate::row::Row;

const WIDTH: u32 = 1000;
const GREY: RGBColor = RGBColor(0x9a, 0x9a, 0x9a);
pub(super) const BLUE: RGBColor = RGBColor(0x2a, 0x78, 0xb5);
const ORANGE: RGBColor = RGBColor(0xd9, 0x7a, 0x1e);
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
const TITLE: (&str, i32) = ("sans-serif", 18);
const LABEL: (&str, i32) = ("sans-serif", 13);

type Drawing<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type DrawResult = Result<(), Box<dyn std::error::Error>>;

/// Bars with something in common.
pub(super) struct Bars<'a> {
    pub(super) title: &'a str,
    /// The meaning of their lengths.
    pub(super) x_label: &'a str,
    pub(super) bars: Vec<Bar>,
}

pub(super) struct Bar {
    pub(super) name: String,
    pub(super) length: f64,
    /// The text behind it.
    pub(super) note: String,
    pub(super) color: RGBColor,
    /// The target, or the limit.
    pub(super) tick: Option<f64>,
}

/// Draws a bar for each row: our speed-up over the peer; a tick at the target. Returns whether there is a bar.
pub(super) fn ratios(path: &Path, title: &str, rows: &[&Row]) -> Result<bool> {
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
    let x_label = "speed-up over the peer (tick: target; orange: target missed; grey: slower)";
    Bars { title, x_label, bars: rows.iter().filter_map(bar).collect() }.write(path)
}

/// Draws a bar for each method: its speed; a tick at the limit of the ports. Returns whether there is a bar.
pub(super) fn methods(path: &Path, title: &str, rows: &[&Row]) -> Result<bool> {
    let bar = |row: &Row, name: &str, seconds: Option<f64>, tick: Option<f64>| {
        let seconds = seconds?;
        let length = row.gigabytes_per_second(seconds);
        let cycles = row.cycles_per_byte(seconds);
        let cycles = cycles.map_or_else(String::new, |cycles| format!(" ({cycles:.2} c/B)"));
        let ours = tick.is_some() || name == row.ours || name.contains("jlanes");
        let color = if ours { BLUE } else { GREY };
        Some(Bar {
            name: name.to_owned(),
            length,
            note: format!("{length:.2}{cycles}"),
            color,
            tick,
        })
    };
    let ours = rows.iter().find(|row| row.ratio.is_some());
    let ours = ours.and_then(|row| bar(row, &row.ours, row.ours_s, row.limit_gb_per_s()));
    let peers = rows.iter().filter_map(|row| bar(row, &row.peer, row.peer_s, None));
    let x_label = "GB/s, and core cycles a byte (blue: jlanes; tick: limit of the core's ports)";
    Bars { title, x_label, bars: ours.into_iter().chain(peers).collect() }.write(path)
}

impl Bars<'_> {
    fn write(&self, path: &Path) -> Result<bool> {
        if self.bars.is_empty() {
            return Ok(false);
        }
        let root = SVGBackend::new(path, self.size()).into_drawing_area();
        self.draw(&root).map_err(|error| anyhow!("{}: {error}", path.display()))?;
        Ok(true)
    }

    pub(super) fn size(&self) -> (u32, u32) {
        (WIDTH, 100 + 22 * self.bars.len() as u32)
    }

    pub(super) fn draw(&self, root: &Drawing<'_>) -> DrawResult {
        let bars = &self.bars;
        let reach = bars.iter().flat_map(|bar| [bar.length, bar.tick.unwrap_or(0.0)]);
        // Room for the note behind the longest.
        let most = reach.fold(0.0, f64::max) * 1.25;
        let longest = bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(root)
            .caption(self.title, TITLE)
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
            .light_line_style(TRANSPARENT)
            .y_labels(bars.len())
            .y_label_formatter(&label)
            .x_desc(self.x_label)
            .label_style(LABEL)
            .draw()?;
        let behind = LABEL.into_text_style(root).pos(Pos::new(HPos::Left, VPos::Center));
        for (i, bar) in bars.iter().rev().enumerate() {
            let (low, high) = (SegmentValue::Exact(i), SegmentValue::Exact(i + 1));
            let mut shape = Rectangle::new([(0.0, low), (bar.length, high)], bar.color.filled());
            shape.set_margin(3, 3, 0, 0);
            chart.draw_series([shape])?;
            // behind the bar, and behind the tick if that is in the way
            let hidden = |tick: &f64| (bar.length..bar.length + most / 5.0).contains(tick);
            let end = bar.tick.filter(hidden).unwrap_or(bar.length) + most / 150.0;
            let place = (end, SegmentValue::CenterOf(i));
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

/// Draws a line for each method: GB/s by a row's `place` on the axis `x_label`. Returns whether there is a line.
pub(super) fn lines(
    path: &Path,
    title: &str,
    x_label: &str,
    rows: &[&Row],
    place: fn(&Row) -> u32,
    label: fn(&u32) -> String,
) -> Result<bool> {
    let mut lines: Vec<(&str, Vec<(u32, f64)>)> = Vec::new();
    for row in rows {
        for (name, seconds) in [(&row.ours, row.ours_s), (&row.peer, row.peer_s)] {
            let (Some(seconds), true) = (seconds, row.bytes > 0) else { continue };
            let point = (place(row), row.gigabytes_per_second(seconds));
            match lines.iter_mut().find(|(its, _)| its == name) {
                // Our own figure comes again with every rival's.
                Some((_, points)) if points.contains(&point) => {}
                Some((_, points)) => points.push(point),
                None => lines.push((name, vec![point])),
            }
        }
    }
    if lines.is_empty() {
        return Ok(false);
    }
    let limit = rows.iter().find_map(|row| row.limit_gb_per_s());
    let root = SVGBackend::new(path, (WIDTH, 480)).into_drawing_area();
    draw_lines(&root, title, x_label, &lines, limit, label)
        .map_err(|error| anyhow!("{}: {error}", path.display()))?;
    Ok(true)
}

fn draw_lines(
    root: &Drawing<'_>,
    title: &str,
    x_label: &str,
    lines: &[(&str, Vec<(u32, f64)>)],
    limit: Option<f64>,
    label: fn(&u32) -> String,
) -> DrawResult {
    let points = || lines.iter().flat_map(|(_, points)| points.iter().copied());
    let first = points().map(|point| point.0).min().unwrap_or(0);
    let last = points().map(|point| point.0).max().unwrap_or(1).max(first + 1);
    let fastest = points().map(|point| point.1).chain(limit).fold(0.0, f64::max);
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(root)
        .caption(title, TITLE)
        .margin(8)
        .x_label_area_size(40)
        .y_label_area_size(56)
        .margin_right(24)
        .build_cartesian_2d(first..last, 0.0..fastest * 1.08)?;
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT)
        .x_desc(x_label)
        .y_desc("GB/s")
        .x_labels(12)
        .x_label_formatter(&label)
        .label_style(LABEL);
    mesh.draw()?;
    for (i, (name, points)) in lines.iter().enumerate() {
        // ours comes first
        let style =
            if i == 0 { BLACK.stroke_width(3) } else { COLORS[i % COLORS.len()].stroke_width(2) };
        chart
            .draw_series(LineSeries::new(points.iter().copied(), style).point_size(3))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    }
    if let Some(limit) = limit {
        let style = GREY.stroke_width(2);
        chart
            .draw_series(DashedLineSeries::new([(first, limit), (last, limit)], 6, 4, style))?
            .label("limit of the ports (dashed)")
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    }
    // speeds grow: there is room in the upper left corner
    let mut names = chart.configure_series_labels();
    names.position(SeriesLabelPosition::UpperLeft).background_style(WHITE.mix(0.8));
    names.label_font(LABEL).draw()?;
    root.present()?;
    Ok(())
}
