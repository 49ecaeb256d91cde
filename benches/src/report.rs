//! Pages, charts and figures of documents, made from a record.

mod chart;
mod headline;
mod page;
mod plot;
mod quote;
mod tables;

use std::time::Instant;

use anyhow::Result;

pub(crate) use self::{chart::chart, page::write, quote::quote};
use crate::{
    measure::Timing,
    record::{Record, machine_rows},
    row::Row,
    sections::{Effort, Table},
};

/// Measures all sections.
pub(crate) fn measure(effort: &Effort) -> Result<Record> {
    let start = Instant::now();
    let of_table = |table: Table| {
        // calibration has the most lines, and needs less precision
        let parts = if table == Table::Calibrate { 2 } else { 1 };
        let timing = Timing { min_time: effort.timing.min_time / parts, ..effort.timing };
        table.measure(&Effort { timing, ..effort.clone() })
    };
    let mut rows: Vec<Row> = Table::ALL.into_iter().flat_map(of_table).collect();
    rows.extend(machine_rows(start.elapsed().as_secs()));
    Record::of_today(rows)
}
