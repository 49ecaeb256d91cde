//! How many times as fast as the peers, as bars.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::{
    coord::ranged1d::{IntoSegmentedCoord, SegmentValue},
    prelude::*,
};

use super::{Drawing, NO_TARGET, WIDTH};
use crate::row::Row;

const MET: RGBColor = RGBColor(0x2a, 0x78, 0xb5);
const MISSED: RGBColor = RGBColor(0xd9, 0x7a, 0x1e);

/// A bar for each row: how many times as fast as the peer we are; a tick where the target is.
///
/// # Errors
/// If the file cannot be written.
pub(in super::super) fn ratios(path: &Path, title: &str, rows: &[&Row]) -> Result<()> {
    let bars: Vec<(&Row, f64)> = rows.iter().filter_map(|row| Some((*row, row.ratio?))).collect();
    if bars.is_empty() {
        return Ok(());
    }
    let most = bars.iter().flat_map(|(row, ratio)| [*ratio, row.target.unwrap_or(0.0)]);
    let most = most.fold(1.0, f64::max) * 1.08;
    let root = SVGBackend::new(path, (WIDTH, 90 + 22 * bars.len() as u32)).into_drawing_area();
    draw_ratios(&root, title, &bars, most).map_err(|error| anyhow!("{}: {error}", path.display()))
}

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
