//! The report's plots, as SVG.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::{
    coord::ranged1d::{IntoSegmentedCoord, SegmentValue},
    prelude::*,
};

use crate::{row::Row, sections::calibrate::Policy};

const WIDTH: u32 = 1000;
const MET: RGBColor = RGBColor(0x2a, 0x78, 0xb5);
const MISSED: RGBColor = RGBColor(0xd9, 0x7a, 0x1e);
const NO_TARGET: RGBColor = RGBColor(0x9a, 0x9a, 0x9a);

/// A bar for each row: how many times as fast as the peer we are; a tick where the target is.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn ratios(path: &Path, title: &str, rows: &[&Row]) -> Result<()> {
    let bars: Vec<(&Row, f64)> = rows.iter().filter_map(|row| Some((*row, row.ratio?))).collect();
    if bars.is_empty() {
        return Ok(());
    }
    let most = bars.iter().flat_map(|(row, ratio)| [*ratio, row.target.unwrap_or(0.0)]);
    let most = most.fold(1.0, f64::max) * 1.08;
    let root = SVGBackend::new(path, (WIDTH, 90 + 22 * bars.len() as u32)).into_drawing_area();
    draw_ratios(&root, title, &bars, most).map_err(|error| anyhow!("{}: {error}", path.display()))
}

type Drawing<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw_ratios(
    root: &Drawing<'_>,
    title: &str,
    bars: &[(&Row, f64)],
    most: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(root)
        .caption(title, ("sans-serif", 18))
        .margin(8)
        .margin_right(24)
        .x_label_area_size(36)
        .y_label_area_size(470)
        .build_cartesian_2d(0.0..most, (0..bars.len() - 1).into_segmented())?;
    let label = |place: &SegmentValue<usize>| match place {
        SegmentValue::CenterOf(i) => bars.get(bars.len() - 1 - i).map_or_else(String::new, name),
        _ => String::new(),
    };
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(bars.len())
        .y_label_formatter(&label)
        .x_desc("times as fast as the peer; tick: target; blue: met, orange: missed")
        .label_style(("sans-serif", 13))
        .draw()?;
    for (i, (row, ratio)) in bars.iter().rev().enumerate() {
        let color = match row.met() {
            Some(true) => MET,
            Some(false) => MISSED,
            None => NO_TARGET,
        };
        let (low, high) = (SegmentValue::Exact(i), SegmentValue::Exact(i + 1));
        let mut bar = Rectangle::new([(0.0, low), (*ratio, high)], color.filled());
        bar.set_margin(3, 3, 0, 0);
        chart.draw_series([bar])?;
        if let Some(target) = row.target {
            let (low, high) = (SegmentValue::Exact(i), SegmentValue::Exact(i + 1));
            chart.draw_series([PathElement::new(
                vec![(target, low), (target, high)],
                BLACK.stroke_width(2),
            )])?;
        }
    }
    root.present()?;
    Ok(())
}

fn name((row, _): &(&Row, f64)) -> String {
    format!("{}, {} vs {}", row.name, row.size, row.peer)
}

/// A line for each backend: speed by live lanes.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn policy(path: &Path, policy: &Policy) -> Result<()> {
    let root = SVGBackend::new(path, (WIDTH, 480)).into_drawing_area();
    draw_policy(&root, policy).map_err(|error| anyhow!("{}: {error}", path.display()))
}

fn draw_policy(root: &Drawing<'_>, policy: &Policy) -> Result<(), Box<dyn std::error::Error>> {
    let speeds = policy.lines.iter().flat_map(|line| line.speeds.iter().copied());
    let most = speeds.fold(0.0, f64::max) * 1.08;
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(root)
        .caption(format!("{} by live lanes", policy.hash), ("sans-serif", 18))
        .margin(8)
        .margin_right(24)
        .x_label_area_size(40)
        .y_label_area_size(56)
        .build_cartesian_2d(1.0..policy.lines.len() as f64, 0.0..most)?;
    chart
        .configure_mesh()
        .x_desc("live lanes")
        .y_desc("GB/s of live lanes")
        .x_labels(policy.lines.len())
        .x_label_formatter(&|live| format!("{live:.0}"))
        .label_style(("sans-serif", 13))
        .draw()?;
    for (i, backend) in policy.backends.iter().enumerate() {
        let auto = i + 1 == policy.backends.len();
        let color = if auto { BLACK.to_rgba() } else { Palette99::pick(i).to_rgba() };
        let style = color.stroke_width(if auto { 3 } else { 2 });
        let points = policy.lines.iter().map(|line| (line.live as f64, line.speeds[i]));
        chart
            .draw_series(LineSeries::new(points, style))?
            .label(*backend)
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
