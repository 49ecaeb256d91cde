//! What `jlanes-sum` has resident, by the size of the file: it must not grow with it.

use std::{fmt, fs::File};

use anyhow::Result;
use serde::Serialize;
use tempfile::TempDir;

use crate::{
    process::{Cache, Site, Tool, jlanes_sum},
    workload::{MIB, human},
};

/// Sizes of the files, all of them holes.
const SIZES: [usize; 4] = [MIB, 64 * MIB, 1024 * MIB, 4096 * MIB];
/// What no file may exceed.
pub const LIMIT: u64 = 96 << 20;

const ALGORITHMS: [&str; 9] = [
    "sha256",
    "fsverity-sha256",
    "dmverity-sha256",
    "btv2",
    "sha256tree",
    "glacier",
    "dropbox",
    "jlanes32-sha256",
    "skein512-tree:8.8.255",
];

/// The most that one algorithm had resident for one file.
#[derive(Clone, Debug, Serialize)]
pub struct Peak {
    /// The algorithm.
    pub algorithm: &'static str,
    /// The file's size.
    pub size: String,
    /// Bytes.
    pub bytes: Option<u64>,
    /// Why the figure is missing.
    pub gap: Option<String>,
}

impl Peak {
    /// Whether it is within the limit, if we know.
    #[must_use]
    pub fn met(&self) -> Option<bool> {
        Some(self.bytes? <= LIMIT)
    }
}

/// Measures all algorithms over all sizes, and prints each figure as soon as it is known.
///
/// # Errors
/// If the files cannot be made.
pub fn run() -> Result<Vec<Peak>> {
    let home = TempDir::with_prefix("jlanes-bench-")?;
    let scratch = TempDir::with_prefix("jlanes-bench-")?;
    let program = jlanes_sum()?.display().to_string();
    let mut peaks = Vec::new();
    for size in SIZES {
        let name = human(size);
        File::create(home.path().join(&name))?.set_len(size as u64)?;
        for algorithm in ALGORITHMS {
            let names = [name.clone()];
            let site = Site {
                directory: home.path(),
                names: &names,
                scratch: scratch.path(),
                cache: Cache::Hot,
            };
            let measured = site.peak(&Tool::new("jlanes-sum", &[&program, "-a", algorithm]));
            let peak = Peak {
                algorithm,
                size: name.clone(),
                bytes: measured.as_ref().ok().copied(),
                gap: measured.err().map(|why| format!("{why:#}")),
            };
            println!("{peak}");
            peaks.push(peak);
        }
    }
    Ok(peaks)
}

impl fmt::Display for Peak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:24} {:10} ", self.algorithm, self.size)?;
        match (self.bytes, &self.gap) {
            (Some(bytes), _) => write!(f, "{:6.1} MiB resident", bytes as f64 / MIB as f64),
            (None, gap) => write!(f, "no figure: {}", gap.as_deref().unwrap_or_default()),
        }
    }
}
