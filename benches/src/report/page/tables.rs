//! Markdown tables of rows.

use std::fmt::Write as _;

use crate::row::{Row, human};

/// A table.
pub(in super::super) fn table(
    text: &mut String,
    head: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) {
    let _ = writeln!(text, "| {} |", head.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(head.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
}

/// Rows with all figures.
pub(super) fn contests(text: &mut String, rows: &[&Row]) {
    let peaks = rows.iter().any(|row| row.ours_peak.is_some());
    let mut head = vec!["", "input", "jlanes", "", "peer", "", "ratio", "target", ""];
    if peaks {
        head.extend(["MiB of jlanes", "MiB of the peer"]);
    }
    let rows = rows.iter().map(|row| {
        let mut cells = contest(row);
        if peaks {
            cells.extend([row.ours_peak, row.peer_peak].map(mebibytes));
        }
        cells
    });
    table(text, &head, rows);
}

fn contest(row: &Row) -> Vec<String> {
    let ratio = match (row.ratio, row.ratio_spread) {
        (Some(ratio), Some(spread)) => format!("**{ratio:.2}** ± {:.2}", ratio * spread),
        _ => row.gap.clone().unwrap_or_default(),
    };
    vec![
        row.name.clone(),
        row.size.clone(),
        row.ours.clone(),
        row.our_speed(),
        row.peer.clone(),
        row.peer_speed(),
        ratio,
        row.target.map_or_else(String::new, |target| format!("{target:.2}")),
        row.verdict().to_owned(),
    ]
}

fn mebibytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(String::new, |bytes| format!("{:.1}", bytes as f64 / 1048576.0))
}

/// Seconds as people like them for such a row.
fn speed(row: &Row, seconds: Option<f64>) -> String {
    match seconds {
        Some(seconds) if row.section == "files" || row.bytes < 1000 => human(seconds),
        Some(seconds) => format!("{:.2} GB/s", row.gigabytes_per_second(seconds)),
        None => String::new(),
    }
}

/// The same lines of several records, each with its name: speeds and speed-ups.
pub(in super::super) fn side_by_side(names: &[&str], records: &[Vec<&Row>]) -> String {
    let figures = |row: &Row| [speed(row, row.ours_s), speed_up(row)];
    columns(names, &[SPEED_UP], records, figures)
}

/// The same lines of several records, each with its name: speed-ups alone.
pub(in super::super) fn speed_ups(names: &[&str], records: &[Vec<&Row>]) -> String {
    columns(names, &[], records, |row| [speed_up(row)])
}

/// Lines of several records, `N` columns for each record. The first has the record's name, the others
/// are called `more`.
fn columns<const N: usize>(
    names: &[&str],
    more: &[&str],
    records: &[Vec<&Row>],
    figures: impl Fn(&Row) -> [String; N],
) -> String {
    // sizes of files found on a disk differ between machines
    let same = |a: &Row, b: &Row| {
        (&a.name, &a.peer) == (&b.name, &b.peer) && (a.section == "files" || a.size == b.size)
    };
    let mut lines: Vec<&Row> = Vec::new();
    for row in records.iter().flatten() {
        if !lines.iter().any(|line| same(line, row)) {
            lines.push(row);
        }
    }
    let mut head = vec!["work", "input", "compared with"];
    head.extend(names.iter().flat_map(|name| [&[*name], more].concat()));
    let cells = lines.iter().map(|line| {
        let of_record = |rows: &Vec<&Row>| {
            let row = rows.iter().find(|row| same(line, row));
            row.map_or_else(|| [const { String::new() }; N], |row| figures(row))
        };
        let cells = [&line.name, &line.size, &line.peer].into_iter().cloned();
        cells.chain(records.iter().flat_map(of_record)).collect()
    });
    let mut text = String::new();
    table(&mut text, &head, cells);
    text
}

const SPEED_UP: &str = "speed-up";

fn speed_up(row: &Row) -> String {
    row.ratio.map_or_else(String::new, |ratio| format!("**{ratio:.2}**"))
}

/// Rows with the figures that a reader in a hurry wants.
pub(in super::super) fn short(rows: &[&Row]) -> String {
    let mut text = String::new();
    let rows = rows.iter().map(|row| {
        vec![
            row.name.clone(),
            row.size.clone(),
            speed(row, row.ours_s),
            row.peer.clone(),
            speed(row, row.peer_s),
            speed_up(row),
        ]
    });
    table(&mut text, &["work", "input", "jlanes", "compared with", "", SPEED_UP], rows);
    text
}

/// What programs gained over others.
pub(in super::super) fn gains(rows: &[&Row]) -> String {
    let mut text = String::new();
    let time = |seconds: Option<f64>| seconds.map_or_else(String::new, human);
    let rows = rows.iter().map(|row| {
        vec![
            format!("{}: {}", row.name, row.size),
            format!("{}, {}", time(row.peer_s), row.peer),
            time(row.ours_s),
            row.ratio.map_or_else(String::new, |ratio| format!("**{ratio:.1}**")),
        ]
    });
    table(&mut text, &["program", "before", "after", "gain"], rows);
    text
}

/// A word for a target.
pub(super) fn verdict(met: Option<bool>) -> &'static str {
    match met {
        Some(true) => "met",
        Some(false) => "MISSED",
        None => "gap",
    }
}
