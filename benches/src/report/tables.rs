//! Markdown tables of rows.

use std::fmt::Write as _;

use crate::row::{Row, human, mebibytes};

pub(super) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

/// Rows with all figures.
pub(super) fn contests(rows: &[&Row]) -> String {
    let peaks = rows.iter().any(|row| row.peer_peak.is_some());
    let predicted = rows.iter().any(|row| row.predicted.is_some());
    let mut head = vec!["", "input", "jlanes", "", "peer", "", "ratio", "target", ""];
    head.extend(["MiB of jlanes", "MiB of the peer"].iter().filter(|_| peaks));
    head.extend(["predicted"].iter().filter(|_| predicted));
    let number = |figure: Option<f64>| figure.map_or_else(String::new, |it| format!("{it:.2}"));
    let cells = rows.iter().map(|row| {
        let [name, size, ours, peer] =
            [&row.name, &row.size, &row.ours, &row.peer].map(Clone::clone);
        let (ratio, target, verdict) = (ratio(row), number(row.target), row.verdict().to_owned());
        let (our, their) = (row.our_figure(), row.peer_figure());
        let mut cells = vec![name, size, ours, our, peer, their, ratio, target, verdict];
        let mib = |bytes: Option<u64>| bytes.map_or_else(String::new, mebibytes);
        cells.extend([row.ours_peak, row.peer_peak].map(mib).into_iter().filter(|_| peaks));
        cells.extend([number(row.predicted)].into_iter().filter(|_| predicted));
        cells
    });
    table(&head, cells)
}

/// The ratio with its interval, or the gap.
fn ratio(row: &Row) -> String {
    match (row.ratio, row.ratio_low, row.ratio_high) {
        (Some(_), Some(low), Some(high)) => format!("{} ({low:.2} to {high:.2})", speed_up(row)),
        (Some(_), ..) => speed_up(row),
        _ => row.gap.clone().unwrap_or_default(),
    }
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
pub(super) fn side_by_side(names: &[&str], records: &[Vec<&Row>]) -> String {
    columns(names, &["speed-up"], records, |row| [speed(row, row.ours_s), speed_up(row)])
}

/// The same lines of several records, each with its name: speed-ups alone.
pub(super) fn speed_ups(names: &[&str], records: &[Vec<&Row>]) -> String {
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
    table(&head, cells)
}

/// The ratio with the mark of its age.
fn speed_up(row: &Row) -> String {
    row.ratio.map_or_else(String::new, |ratio| format!("**{ratio:.2}**{}", row.age.mark()))
}

/// Gains of programs over others.
pub(super) fn gains(rows: &[&Row]) -> String {
    let time = |seconds: Option<f64>| seconds.map_or_else(String::new, human);
    let cells = rows.iter().map(|row| {
        vec![
            format!("{}: {}", row.name, row.size),
            format!("{}, {}", time(row.peer_s), row.peer),
            time(row.ours_s),
            row.ratio.map_or_else(String::new, |ratio| format!("**{ratio:.1}**{}", row.age.mark())),
        ]
    });
    table(&["program", "before", "after", "gain"], cells)
}
