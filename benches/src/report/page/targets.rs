//! What we meant to reach, and whether we did.

use std::fmt::Write as _;

use super::{super::Findings, tables};
use crate::{row::Row, sections::memory::LIMIT, workload::MIB};

/// A line of the table.
struct Target {
    what: String,
    input: String,
    peer: String,
    wanted: String,
    found: String,
    met: Option<bool>,
}

/// The section.
pub(super) fn write(text: &mut String, findings: &Findings) {
    let rows = findings.rows.iter().filter(|row| row.target.is_some());
    let targets: Vec<Target> =
        rows.map(Target::of_row).chain(memory(findings)).chain(instructions(findings)).collect();
    let count = |met| targets.iter().filter(|target| target.met == met).count();
    let (met, missed, open) = (count(Some(true)), count(Some(false)), count(None));
    let _ = write!(text, "\n## Targets\n\n{met} met, {missed} missed, {open} not measured. ");
    let _ = write!(text, "{EXPLANATION}\n\n");
    let head = ["", "what", "input", "compared with", "wanted", "found"];
    let lines = targets.into_iter().map(|target| {
        let Target { what, input, peer, wanted, found, met } = target;
        vec![tables::verdict(met).to_owned(), what, input, peer, wanted, found]
    });
    tables::table(text, &head, lines);
}

const EXPLANATION: &str = "\
Targets are ratios to the peer in the same run. Where they differ by class of CPU, they are those of this \
CPU; the others were reached by a prototype on an Intel Xeon with AVX-512.";

impl Target {
    fn of_row(row: &Row) -> Self {
        let found = match (row.ratio, &row.gap) {
            (Some(ratio), _) => format!("{ratio:.2}"),
            (None, gap) => gap.clone().unwrap_or_default(),
        };
        Self {
            what: format!("{} ({})", row.name, row.ours),
            input: row.size.clone(),
            peer: row.peer.clone(),
            wanted: row.target.map_or_else(String::new, |target| format!("{target:.2}")),
            found,
            met: row.met(),
        }
    }
}

/// No file may make our tool grow.
fn memory(findings: &Findings) -> impl Iterator<Item = Target> {
    let largest = findings.peaks.chunk_by(|a, b| a.size == b.size).last().unwrap_or_default();
    largest.iter().map(|peak| {
        let figure = peak.bytes.map(|bytes| format!("{:.0} MiB", bytes as f64 / MIB as f64));
        Target {
            what: format!("memory of jlanes-sum ({})", peak.algorithm),
            input: peak.size.clone(),
            peer: String::new(),
            wanted: format!("at most {} MiB", LIMIT / MIB as u64),
            found: figure.or_else(|| peak.gap.clone()).unwrap_or_default(),
            met: peak.met(),
        }
    })
}

/// [SMS], Fig. 5: schedules of several blocks save instructions; on the paper's CPU a quarter or so.
const SAVINGS: [(&str, &str, f64); 2] =
    [("SHA-256", "n-SMS on avx2", 0.27), ("SHA-512", "n-SMS on avx2", 0.21)];

fn instructions(findings: &Findings) -> impl Iterator<Item = Target> {
    SAVINGS.into_iter().filter_map(|(hash, method, paper)| {
        let count =
            findings.counts.iter().find(|count| count.hash == hash && count.method == method)?;
        let saved = count.relative.map(|relative| 1.0 - relative);
        Some(Target {
            what: format!("{hash}, instructions saved by {method}"),
            input: "512 bytes".to_owned(),
            peer: "plain".to_owned(),
            wanted: format!("{:.0} %, as in [SMS]", paper * 100.0),
            found: saved.map_or_else(String::new, |saved| format!("{:.0} %", saved * 100.0)),
            met: saved.map(|saved| saved >= paper),
        })
    })
}
