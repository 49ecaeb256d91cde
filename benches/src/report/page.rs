//! The report's Markdown.

use std::fmt::Write as _;

use super::{Findings, machine::Machine, slug};
use crate::{
    row::Row,
    sections::{Table, calibrate::Policy, instructions::Count},
};

/// The page.
pub(super) fn page(machine: &Machine, date: &str, findings: &Findings) -> String {
    let mut text = format!("# jlanes on {}, {date}\n\n{INTRODUCTION}\n\n", machine.cpu);
    table(
        &mut text,
        &["", ""],
        machine.facts.iter().map(|(name, fact)| vec![(*name).to_owned(), fact.clone()]),
    );
    for section in Table::ALL {
        let rows = findings.of(section);
        if !rows.is_empty() {
            contests(&mut text, section, &rows);
        }
    }
    if !findings.policies.is_empty() {
        text.push_str("\n## The best kernel by live lanes\n\n");
        text.push_str("GB/s of the live lanes' bytes, in cache.\n");
        findings.policies.iter().for_each(|policy| policy_table(&mut text, policy));
    }
    if !findings.counts.is_empty() {
        instructions(&mut text, &findings.counts);
    }
    text
}

const INTRODUCTION: &str = "\
Written by `cargo run --release -p jlanes-bench --features peers -- report`. In each table all \
contestants ran alternately in one process (or as alternating processes, for files), every digest \
was compared, and figures are medians over the rounds, ± half the distance between the quartiles. \
The ratio says how many times as fast as the peer jlanes is. Cycles are the core's own, by a chain \
of dependent multiplications. In-process times are this thread's, so that other load does not \
count. The limit is that of a core which starts two 512-bit operations a cycle, one of them a \
rotation. A line that names a backend forces it: so it imitates a CPU that has nothing better.";

fn contests(text: &mut String, section: Table, rows: &[&Row]) {
    let _ = write!(text, "\n## {}\n\n", section.title());
    if section == Table::Figures {
        for figure in rows.chunk_by(|a, b| a.name == b.name) {
            let name = &figure[0].name;
            let _ = write!(text, "![{name}]({}.svg)\n\n", slug(name));
        }
    } else {
        let count =
            |met| rows.iter().filter(|row| row.target.is_some() && row.met() == met).count();
        let (met, missed, open) = (count(Some(true)), count(Some(false)), count(None));
        let _ = write!(text, "Targets: {met} met, {missed} missed, {open} not measured.\n\n");
        let _ = write!(text, "![How many times as fast as the peers]({}.svg)\n\n", section.name());
    }
    let head = ["", "input", "jlanes", "", "peer", "", "ratio", "target", ""];
    table(text, &head, rows.iter().map(|row| contest(row)));
}

fn contest(row: &Row) -> Vec<String> {
    let figure = |given: Option<f64>, digits: usize| {
        given.map_or_else(|| "—".to_owned(), |value| format!("{value:.digits$}"))
    };
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
        figure(row.target, 2),
        row.verdict().to_owned(),
    ]
}

fn policy_table(text: &mut String, policy: &Policy) {
    let _ = write!(
        text,
        "\n### {}\n\n![{0} by live lanes]({}.svg)\n\n",
        policy.hash,
        slug(policy.hash)
    );
    let head: Vec<&str> =
        ["live"].into_iter().chain(policy.backends.iter().copied()).chain(["auto takes"]).collect();
    table(
        text,
        &head,
        policy.lines.iter().map(|line| {
            let speeds = line.speeds.iter().map(|speed| format!("{speed:.2}"));
            let live = [line.live.to_string()].into_iter();
            live.chain(speeds).chain([line.kernel.to_owned()]).collect()
        }),
    );
    text.push('\n');
    for verdict in policy.verdicts() {
        let _ = writeln!(text, "- {verdict}");
    }
}

fn instructions(text: &mut String, counts: &[Count]) {
    text.push_str("\n## Instructions of linear hashing\n\n");
    text.push_str("Counted by callgrind for 512 bytes of a long message ([SMS], Fig. 5).\n\n");
    table(
        text,
        &["hash", "method", "instructions", "of the plain"],
        counts.iter().map(|count| {
            let gap = || count.gap.clone().unwrap_or_default();
            vec![
                count.hash.to_owned(),
                count.method.clone(),
                count.instructions.map_or_else(gap, |instructions| format!("{instructions:.0}")),
                count.relative.map_or_else(String::new, |relative| format!("{relative:.3}")),
            ]
        }),
    );
}

fn table(text: &mut String, head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let _ = writeln!(text, "| {} |", head.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(head.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
}
