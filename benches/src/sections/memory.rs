//! Resident memory of `jlanes-sum` by the size of the file: it must not grow with it.

use std::fs::File;

use anyhow::Result;
use tempfile::TempDir;

use crate::{
    contest::Line,
    measure::Timing,
    process::{JLANES_SUM, Site, Tool},
    row::Row,
    workload::{MIB, human},
};

/// Sizes of the files, all of them holes.
const FILE_SIZES: [usize; 4] = [MIB, 64 * MIB, 1024 * MIB, 4096 * MIB];
/// Bytes that no file may exceed, mapped pages included.
const LIMIT_BYTES: usize = 96 * MIB;

/// An algorithm by its name.
#[derive(Clone, Copy)]
pub(crate) struct Algorithm(&'static str);

pub(crate) const ALGORITHMS: [Algorithm; 9] = [
    Algorithm("sha256"),
    Algorithm("fsverity-sha256"),
    Algorithm("dmverity-sha256"),
    Algorithm("btv2"),
    Algorithm("sha256tree"),
    Algorithm("glacier"),
    Algorithm("dropbox"),
    Algorithm("jlanes32-sha256"),
    Algorithm("skein512-tree:8.8.255"),
];

impl Line for Algorithm {
    fn title(&self) -> String {
        format!("memory of {}", self.0)
    }

    fn run(&self, _: Timing) -> Result<Vec<Row>> {
        let home = TempDir::with_prefix("jlanes-bench-")?;
        let scratch = TempDir::with_prefix("jlanes-bench-")?;
        let of_size = |size: usize| {
            let name = human(size);
            File::create(home.path().join(&name))?.set_len(size as u64)?;
            let (directory, names) = (home.path(), &[name.clone()][..]);
            let site = Site { directory, names, scratch: scratch.path(), cold: false };
            let peak = site.peak(&Tool::new("jlanes-sum", &[JLANES_SUM, "-a", self.0]));
            let bytes = peak.as_ref().ok().copied();
            Ok(Row {
                name: self.title(),
                size: name,
                ours: "jlanes-sum".to_owned(),
                peer: format!("{} allowed", human(LIMIT_BYTES)),
                bytes: size as u64,
                ours_peak: bytes,
                ratio: bytes.map(|bytes| LIMIT_BYTES as f64 / bytes as f64),
                target: Some(1.0),
                gap: peak.err().map(|why| format!("{why:#}")),
                ..Row::default()
            })
        };
        FILE_SIZES.into_iter().map(of_size).collect()
    }
}
