//! The chart of the front page: six bars that need no explanation.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::{Context, Result};

use super::{headline, record};
use crate::row::Row;

/// What a reader recognizes, and the row that measures it.
const BARS: [(&str, headline::Key); 6] = [
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

const WIDTH: f64 = 720.0;
/// Where bars begin, to the right of their names.
const LEFT: f64 = 304.0;
const TOP: f64 = 76.0;
const PITCH: f64 = 44.0;
const HEIGHT: f64 = 26.0;
/// Room for the figure to the right of the longest bar.
const NOTE: f64 = 70.0;

/// Colors follow the reader's scheme, as in the book's drawings.
const STYLE: &str = "<style>
text { font-family: sans-serif; font-size: 14px; fill: #222 }
.title { font-size: 17px; font-weight: bold }
.small { font-size: 12px; fill: #666 }
.figure { font-weight: bold }
.name { text-anchor: end }
.page { fill: #fafaf7 } .bar { fill: #2a78b5 } .other { stroke: #d97a1e; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
text { fill: #e8e8e8 } .small { fill: #a8a8a8 }
.page { fill: #22262b } .bar { fill: #5aa5de } .other { stroke: #f0a050 }
}
</style>";

/// Draws the chart of the record in `folder` as SVG.
///
/// # Errors
/// If the record cannot be read or lacks a row, or the file cannot be written.
pub fn chart(folder: &Path, file: &Path) -> Result<()> {
    fs::write(file, drawn(folder)?).with_context(|| file.display().to_string())
}

fn drawn(folder: &Path) -> Result<String> {
    let rows = record(folder)?;
    let bars = BARS.iter().map(|(title, key)| {
        let row = headline::find(&rows, key).with_context(|| format!("no row for {title}"))?;
        let ratio = row.ratio.with_context(|| format!("no figure for {title}"))?;
        Ok((*title, row, ratio))
    });
    let bars: Vec<(&str, &Row, f64)> = bars.collect::<Result<_>>()?;
    let record = folder.file_name().unwrap_or_default().to_string_lossy();
    let longest = bars.iter().map(|(_, _, ratio)| *ratio).fold(1.0, f64::max);
    let scale = (WIDTH - LEFT - NOTE) / longest;
    let height = TOP + PITCH * bars.len() as f64 + 34.0;

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\n\
         <title>Speed of jlanes compared with the usual crate or tool</title>\n{STYLE}\n\
         <rect class=\"page\" width=\"{WIDTH}\" height=\"{height}\" rx=\"8\"/>\n\
         <text class=\"title\" x=\"20\" y=\"32\">Speed compared with the usual crate or tool</text>\n\
         <text class=\"small\" x=\"20\" y=\"52\">Same digests on the same \
         machine: files on two cores, the rest on one. Longer is faster.</text>\n"
    );
    for (i, (title, row, ratio)) in bars.iter().enumerate() {
        let y = TOP + PITCH * i as f64;
        let (name, peer, x) = (LEFT - 12.0, &row.peer, LEFT + ratio * scale);
        let _ = write!(
            svg,
            "<text class=\"name\" x=\"{name}\" y=\"{:.0}\">{title}</text>\n\
             <text class=\"small name\" x=\"{name}\" y=\"{:.0}\">compared with {peer}</text>\n\
             <rect class=\"bar\" x=\"{LEFT}\" y=\"{y:.0}\" width=\"{:.1}\" height=\"{HEIGHT}\"/>\n\
             <text class=\"figure\" x=\"{:.1}\" y=\"{:.0}\">{ratio:.1}×</text>\n",
            y + 11.0,
            y + 26.0,
            ratio * scale,
            x + 8.0,
            y + 18.0,
        );
    }
    let (one, end) = (LEFT + scale, TOP + PITCH * bars.len() as f64 - 8.0);
    let _ = write!(
        svg,
        "<path class=\"other\" d=\"M{one:.1} {:.0}V{end:.0}\"/>\n\
         <text class=\"small\" x=\"{:.1}\" y=\"{:.0}\">1×: the other one</text>\n\
         <text class=\"small\" x=\"20\" y=\"{:.0}\">Record: {record}</text>\n</svg>\n",
        TOP - 6.0,
        one + 6.0,
        end + 14.0,
        end + 14.0,
    );
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The record that the front page shows.
    const SHOWN: &str = "docs/report/amd-epyc-zen4-2026-11-24";

    #[test]
    fn the_front_page_has_the_records_figures() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let chart = drawn(&root.join(SHOWN)).unwrap();
        assert_eq!(chart, fs::read_to_string(root.join("docs/src/img/speed.svg")).unwrap());
        let page = fs::read_to_string(root.join("README.md")).unwrap();
        assert!(page.contains(SHOWN), "the page names its record");
        let rows = record(&root.join(SHOWN)).unwrap();
        for (title, key) in &BARS {
            let ratio = headline::find(&rows, key).unwrap().ratio.unwrap();
            assert!(page.contains(&format!("{ratio:.1}×")), "{title}: {ratio:.1}");
        }
    }
}
