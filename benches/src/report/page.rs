//! The report's Markdown.

use std::fmt::Write as _;

mod papers;
pub(super) mod tables;
mod targets;

use super::{Findings, headline, machine::Machine, slug};
use crate::{
    row::Row,
    sections::{Table, calibrate::Policy, memory::LIMIT},
    workload::MIB,
};

pub(super) use papers::figures_of_files;

/// The page.
pub(super) fn page(machine: &Machine, date: &str, findings: &Findings) -> String {
    let mut text = format!("# jlanes on {}, {date}\n\n{INTRODUCTION}\n", machine.cpu);
    failures(&mut text, findings);
    text.push_str("\n## In short\n\n![Times as fast as the others](headline.svg)\n\n");
    text.push_str(&tables::short(&headline::rows(&findings.rows)));
    targets::write(&mut text, findings);
    text.push_str("\n## The machine\n\n");
    let facts = machine.facts.iter().map(|(name, fact)| vec![(*name).to_owned(), fact.clone()]);
    let took = vec!["This report took".to_owned(), format!("{} s", findings.seconds)];
    tables::table(&mut text, &["", ""], facts.chain([took]));
    papers::write(&mut text, findings);
    for table in Table::ALL {
        section(&mut text, table, &findings.of(table));
    }
    memory(&mut text, findings);
    policies(&mut text, &findings.policies);
    text
}

const INTRODUCTION: &str = "\
Written by `cargo run --release -p jlanes-bench --features peers -- report`. In each table all \
contestants ran alternately in one process (or as alternating processes, for files), digests \
were compared wherever two compute the same function, and figures are medians over the rounds, ± half the distance between the quartiles. \
The ratio says how many times as fast as the peer jlanes is. Cycles (c/B) are the core's own, by a \
chain of dependent multiplications. In-process times are this thread's, so that other load does not \
count; work on several threads and whole processes are timed by the wall clock. The limit is that of \
a core which starts two 512-bit operations a cycle, one of them a rotation. A line that names a \
backend forces it: so it imitates a CPU that has nothing better.";

fn failures(text: &mut String, findings: &Findings) {
    if findings.failures.is_empty() {
        return;
    }
    text.push_str("\n**Failed:**\n\n");
    for failure in &findings.failures {
        let _ = writeln!(text, "- {failure}");
    }
}

/// A table of contests that belongs to no paper.
fn section(text: &mut String, table: Table, rows: &[&Row]) {
    if rows.is_empty() {
        return;
    }
    let _ = write!(text, "\n## {}\n\n", table.title());
    if !plotted(rows.to_vec()).is_empty() {
        let _ = write!(text, "![How many times as fast as the peers]({}.svg)\n\n", table.name());
    }
    tables::contests(text, rows);
}

/// The rows of a table that its plot shows: those with targets.
pub(super) fn plotted(mut rows: Vec<&Row>) -> Vec<&Row> {
    rows.retain(|row| row.target.is_some() && row.ratio.is_some());
    rows
}

fn memory(text: &mut String, findings: &Findings) {
    if findings.peaks.is_empty() {
        return;
    }
    text.push_str("\n## Memory by the size of the file\n\n");
    let limit = LIMIT / MIB as u64;
    let _ = write!(text, "Most MiB that `jlanes-sum` had resident, over files that are holes, ");
    let _ = write!(text, "mapped pages included; it must stay below {limit}.\n\n");
    let rows = findings.peaks.chunk_by(|a, b| a.size == b.size).flat_map(|peaks| {
        peaks.iter().map(|peak| {
            let mebibytes = peak.bytes.map(|bytes| format!("{:.1}", bytes as f64 / MIB as f64));
            let figure = mebibytes.or_else(|| peak.gap.clone()).unwrap_or_default();
            let verdict = tables::verdict(peak.met());
            vec![peak.size.clone(), peak.algorithm.to_owned(), figure, verdict.to_owned()]
        })
    });
    tables::table(text, &["file", "algorithm", "MiB", ""], rows);
}

fn policies(text: &mut String, policies: &[Policy]) {
    if policies.is_empty() {
        return;
    }
    text.push_str("\n## The best kernel by live lanes\n\n");
    text.push_str("GB/s of the live lanes' bytes, in cache.\n");
    for policy in policies {
        let plot = slug(policy.hash);
        let _ = write!(text, "\n### {}\n\n![{0} by live lanes]({plot}.svg)\n\n", policy.hash);
        let backends = policy.backends.iter().copied();
        let head: Vec<&str> = ["live"].into_iter().chain(backends).chain(["auto takes"]).collect();
        let rows = policy.lines.iter().map(|line| {
            let speeds = line.speeds.iter().map(|speed| format!("{speed:.2}"));
            let live = [line.live.to_string()].into_iter();
            live.chain(speeds).chain([line.kernel.to_owned()]).collect()
        });
        tables::table(text, &head, rows);
        text.push('\n');
        for verdict in policy.verdicts() {
            let _ = writeln!(text, "- {verdict}");
        }
    }
}
