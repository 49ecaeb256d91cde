//! The options that make the engine: backend, threads, mapping, progress, `--debug`.

use std::num::NonZero;

use jlanes::Backend;
use jlanes_files::{Engine, LargeFileOrder, MapPolicy};

use super::values::positive;
use crate::report::progress::ProgressWhen;

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Speed")]
pub(super) struct SpeedOptions {
    /// Instruction set to use: auto, portable, sse41, avx, avx2, avx512vl, avx512, shani, sha512ni
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(super) backend: Backend,

    #[command(flatten)]
    pub(super) threads: ThreadsOptions,

    /// Read large files one after another (1) or side by side (more) [default: one after another on
    /// rotating disks]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(super) io_jobs: Option<NonZero<usize>>,

    /// Map files of 1 MiB and more into memory on every file system [default: not on network file
    /// systems]
    #[arg(long, overrides_with = "no_mmap")]
    mmap: bool,

    #[command(flatten)]
    pub(super) no_mmap: MmapOptions,

    /// Show progress on standard error; without WHEN, if it is a terminal
    #[arg(long, value_name = "WHEN", value_enum)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    pub(super) progress: Option<ProgressWhen>,

    #[command(flatten)]
    pub(super) debug: DebugOptions,
}

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Speed")]
pub(super) struct ThreadsOptions {
    /// Number of threads [default: the number of CPUs]
    #[arg(long, value_name = "N", alias = "num-threads", value_parser = positive)]
    threads: Option<NonZero<usize>>,
}

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Speed")]
pub(super) struct MmapOptions {
    /// Read files instead of mapping them into memory
    #[arg(long)]
    no_mmap: bool,
}

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Speed")]
pub(super) struct DebugOptions {
    /// Print the kernels, lane occupancy and throughput on standard error
    #[arg(long)]
    pub(super) debug: bool,
}

impl SpeedOptions {
    /// The engine with these options.
    pub(super) fn engine(&self) -> Engine {
        let engine = Engine::new().on(self.backend).threads(self.threads.threads);
        engine.mmap(self.map()).large_files(self.large_files())
    }

    /// The large files that are read one after another.
    fn large_files(&self) -> LargeFileOrder {
        match self.io_jobs.map(NonZero::get) {
            None => LargeFileOrder::Auto,
            Some(1) => LargeFileOrder::InTurn,
            Some(_) => LargeFileOrder::SideBySide,
        }
    }

    /// The files that are mapped.
    fn map(&self) -> MapPolicy {
        match (self.mmap, self.no_mmap.no_mmap) {
            (true, _) => MapPolicy::Always,
            (_, true) => MapPolicy::Never,
            _ => MapPolicy::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::args::invocation::testing::refused;

    #[test]
    fn values_are_checked() {
        for (option, message) in [
            (
                "--progress=x",
                "invalid argument 'x' for '--progress'\n\
                 Valid arguments are:\n  - 'auto'\n  - 'always'\n  - 'never'",
            ),
            ("--threads=0", "--threads: invalid value '0': at least 1"),
            ("--io-jobs=x", "--io-jobs: invalid value 'x': not a whole number"),
        ] {
            assert_eq!(refused(&[option, "f"]), message);
        }
        assert!(refused(&["--backend=mmx", "f"]).starts_with("--backend: invalid value 'mmx': "));
    }
}
