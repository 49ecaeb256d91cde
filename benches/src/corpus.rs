//! Files on disk for whole-process contests.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::workload::{SplitMix64, Workload};

/// A directory of files.
pub(crate) struct Corpus {
    pub(crate) description: String,
    /// Names of the files, relative to the directory, in byte order.
    pub(crate) names: Vec<String>,
    pub(crate) bytes: u64,
    root: Root,
}

enum Root {
    Temporary(TempDir),
    Existing(PathBuf),
}

impl Corpus {
    /// Writes a file for each message of `workload`.
    pub(crate) fn make(workload: &Workload) -> Result<Self> {
        let home = TempDir::with_prefix("jlanes-bench-")?;
        let mut random = SplitMix64(0x636f_7270_7573);
        let mut names = Vec::new();
        for (i, &length) in workload.lengths().iter().enumerate() {
            let name = format!("{i:06}");
            fs::write(home.path().join(&name), random.bytes(length))?;
            names.push(name);
        }
        // otherwise the system would write the files while tools are timed
        nix::unistd::sync();
        let (description, bytes) = (workload.description().to_owned(), workload.bytes());
        Ok(Self { description, names, bytes, root: Root::Temporary(home) })
    }

    /// The files below a directory that is there anyway.
    pub(crate) fn find(root: &Path) -> Result<Self> {
        let mut names = Vec::new();
        let mut bytes = 0;
        for entry in walkdir::WalkDir::new(root) {
            let entry = entry?;
            let name = entry.path().strip_prefix(root)?.to_str();
            if let (true, Some(name)) = (entry.file_type().is_file(), name) {
                names.push(name.to_owned());
                bytes += entry.metadata()?.len();
            }
        }
        names.sort_unstable();
        let description = format!("{} files, {} MB", names.len(), bytes / 1_000_000);
        Ok(Self { description, names, bytes, root: Root::Existing(root.to_owned()) })
    }

    /// The sources that cargo unpacked from crates.io: thousands of real files on every Rust
    /// developer's disk.
    pub(crate) fn cargo_registry() -> Result<Self> {
        let home = std::env::home_dir().context("no home directory")?;
        let cargo = std::env::var_os("CARGO_HOME").map_or(home.join(".cargo"), PathBuf::from);
        for entry in fs::read_dir(cargo.join("registry/src"))? {
            let entry = entry?;
            if entry.file_name().as_encoded_bytes().starts_with(b"index.crates.io-") {
                return Self::find(&entry.path());
            }
        }
        bail!("nothing from crates.io in cargo's registry")
    }

    pub(crate) fn directory(&self) -> &Path {
        match &self.root {
            Root::Temporary(home) => home.path(),
            Root::Existing(home) => home,
        }
    }
}
