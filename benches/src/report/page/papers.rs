//! The papers' claims, one paper after the other.

use std::fmt::Write as _;

use super::{
    super::{Findings, slug},
    tables,
};
use crate::{
    row::Row,
    sections::{Table, figures, instructions::Count, model::Prediction},
};

/// The papers' marks and titles.
const PAPERS: [(&str, &str); 4] = [
    ("[JL]", "S. Gueron, *A j-lanes tree hashing mode and j-lanes SHA-256* (2013)"),
    (
        "[SMS]",
        "S. Gueron, V. Krasnov, *Parallelizing message schedules to accelerate the computations of \
         hash functions* (2012)",
    ),
    ("[SH]", "S. Gueron, V. Krasnov, *Simultaneous hashing of multiple messages* (2012)"),
    (
        "[SK]",
        "K. Atighehchi, A. Enache, T. Muntean, G. Risterucci, *An efficient parallel algorithm for \
         Skein hash functions*",
    ),
];

/// A section a paper, then what the cost models predict.
pub(super) fn write(text: &mut String, findings: &Findings) {
    for (mark, title) in PAPERS {
        let of_files = figures_of_files(findings);
        let of_files = of_files.iter().filter(|rows| rows[0].name.starts_with(mark));
        let figures = figures::all().into_iter().filter(|figure| figure.title.starts_with(mark));
        let _ = write!(text, "\n## {mark} {title}\n");
        for figure in figures {
            draw(text, figure.title, figure.caption, &findings.named(figure.title));
        }
        if mark == "[SMS]" && !findings.counts.is_empty() {
            instructions(text, &findings.counts);
        }
        for rows in of_files {
            draw(text, &rows[0].name, FILES, rows);
        }
    }
    if !findings.predictions.is_empty() {
        predictions(text, &findings.predictions);
    }
}

const FILES: &str = "\
Whole processes, timed by the wall clock. DIVERSE has 350 files of 79 MB together, their sizes evenly \
on a logarithmic scale from 1 KiB; UNIFORM has 8 files of 17.76 MB. Cold: the page cache is dropped \
before each run. Memory is the most that was resident.";

/// The rows of each figure of files.
pub(in super::super) fn figures_of_files(findings: &Findings) -> Vec<Vec<&Row>> {
    let in_papers = |row: &&Row| row.section == Table::Files.name() && row.name.starts_with('[');
    let rows: Vec<&Row> = findings.rows.iter().filter(in_papers).collect();
    rows.chunk_by(|a, b| a.name == b.name).map(<[&Row]>::to_vec).collect()
}

fn draw(text: &mut String, title: &str, caption: &str, rows: &[&Row]) {
    if rows.is_empty() {
        return;
    }
    let plot = slug(title);
    let _ = write!(text, "\n### {title}\n\n{caption}\n\n");
    if rows.iter().any(|row| row.ratio.is_some()) {
        let _ = write!(text, "![{title}]({plot}.svg)\n\n");
    }
    let _ = write!(text, "<details><summary>Figures</summary>\n\n");
    tables::contests(text, rows);
    text.push_str("\n</details>\n");
}

fn instructions(text: &mut String, counts: &[Count]) {
    text.push_str("\n### [SMS] Fig. 5: instructions of linear hashing\n\n");
    text.push_str(
        "Counted by callgrind for 512 bytes of a long message, eight blocks of SHA-256. ",
    );
    text.push_str("Valgrind's CPU ends at AVX2.\n\n");
    let rows = counts.iter().map(|count| {
        let gap = || count.gap.clone().unwrap_or_default();
        vec![
            count.hash.to_owned(),
            count.method.clone(),
            count.instructions.map_or_else(gap, |instructions| format!("{instructions:.0}")),
            count.relative.map_or_else(String::new, |relative| format!("{relative:.3}")),
        ]
    });
    tables::table(text, &["hash", "method", "instructions", "of the plain"], rows);
}

fn predictions(text: &mut String, predictions: &[Prediction]) {
    text.push_str("\n## Predicted and measured\n\n");
    text.push_str(
        "Compressions as the papers' models count them (`jlanes_tree::model`), and the time that they take.\n\n",
    );
    let rows = predictions.iter().map(|prediction| {
        vec![
            prediction.what.clone(),
            prediction.size.clone(),
            format!("{:.3}", prediction.predicted),
            prediction.measured.map_or_else(String::new, |measured| format!("{measured:.3}")),
        ]
    });
    tables::table(text, &["", "input", "predicted", "measured"], rows);
}
