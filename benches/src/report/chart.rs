//! The chart of the front page: six bars that need no explanation.

use std::{fs, path::Path};

use anyhow::{Context, Result, anyhow};
use plotters::{backend::SVGBackend, drawing::IntoDrawingArea};

use super::{
    headline::{self, Key},
    plot::{BLUE, Bar, Bars},
};
use crate::record::Record;

/// Jobs that a reader recognizes, and the rows that measure them.
const BARS: [(&str, Key); 6] = [
    ("SHA-256, 16 messages of 64 KiB", ("batches", "SHA-256 batch", "16 x 64 KiB", "sha2")),
    ("SHA-256, 1,024 messages of 64 bytes", ("batches", "SHA-256 batch", "1024 x 64 B", "sha2")),
    ("SHA-512, 64 messages of 64 KiB", ("batches", "SHA-512 batch", "64 x 64 KiB", "sha2")),
    ("SHA3-256, 8 messages of 64 KiB", ("hashes", "SHA3-256 batch", "8 x 64 KiB", "sha3")),
    (
        "PBKDF2-SHA-256, 16 passwords",
        ("batches", "PBKDF2, 1000 rounds", "16 x 12 B", "pbkdf2 + sha2"),
    ),
    ("SHA-256, 10,000 small files", ("files", "small files", "", "sha256sum")),
];

/// Colors follow the reader's scheme, as in the book's drawings: what the chart draws on white is light on dark.
const STYLE: &str = "<style>@media (prefers-color-scheme: dark) {
[fill=\"#FFFFFF\"] { fill: #22262b } [fill=\"#000000\"] { fill: #e8e8e8 } [fill=\"#2A78B5\"] { fill: #5aa5de }
[stroke=\"#000000\"] { stroke: #e8e8e8 }
}</style>
";

/// Draws the chart of a record as SVG.
pub(crate) fn chart(record: &Path, file: &Path) -> Result<()> {
    fs::write(file, chart_svg(&Record::read(record)?)?).with_context(|| file.display().to_string())
}

fn chart_svg(record: &Record) -> Result<String> {
    let bars = BARS.iter().map(|(title, key)| {
        let row =
            headline::find(&record.rows, key).with_context(|| format!("no row for {title}"))?;
        let length = row.ratio.with_context(|| format!("no figure for {title}"))?;
        let name = format!("{title} ({})", row.peer);
        let note = format!("{length:.1}×{}", row.age.mark());
        Ok(Bar { name, length, note, color: BLUE, tick: Some(1.0) })
    });
    let title = "Speed compared with the usual crate or tool on the same machine";
    let x_label = format!("files on two cores, the rest on one; record: {}", record.name);
    let bars = Bars { title, x_label: &x_label, bars: bars.collect::<Result<_>>()? };
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, bars.size()).into_drawing_area();
    bars.draw(&root).map_err(|error| anyhow!("{error}"))?;
    drop(root);
    let (head, body) = svg.split_once('\n').context("a line with the element `svg`")?;
    Ok(format!("{head}\n{STYLE}{body}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::age::Age;

    /// The record that the front page shows.
    const SHOWN: &str = "docs/records/amd-epyc-zen4-2026-11-30.csv";

    /// The front page's words for figures of this age.
    fn legend(age: Age) -> &'static str {
        match age {
            Age::Today => "",
            Age::Changed => "The kernels have changed since",
            Age::Unknown => "The kernels may have changed since",
        }
    }

    #[test]
    fn the_front_page_has_the_records_figures() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let record = Record::read(&root.join(SHOWN)).unwrap();
        let chart = chart_svg(&record).unwrap();
        assert_eq!(chart, fs::read_to_string(root.join("docs/src/img/speed.svg")).unwrap());
        let page = fs::read_to_string(root.join("README.md")).unwrap();
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.contains(SHOWN), "the page names its record");
        for (title, key) in &BARS {
            let row = headline::find(&record.rows, key).unwrap();
            let ratio = row.ratio.unwrap();
            assert!(page.contains(&format!("{ratio:.1}×")), "{title}: {ratio:.1}");
            assert!(page.contains(legend(row.age)), "{title} was measured with other code");
        }
    }
}
