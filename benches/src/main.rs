//! `cargo run --release -p jlanes-bench -- SECTION`

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use jlanes_bench::{
    clock::Watch,
    compare::changes,
    contest::Line,
    measure::Plan,
    row::{Row, read_csv, write_csv},
    sections::{batches, calibrate, files, instructions, kernels},
};

/// Measures jlanes beside what people would use instead
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    section: Section,
    #[command(flatten)]
    effort: Effort,
    /// Measure only rows whose name or size contains this
    #[arg(long, global = true, value_name = "TEXT")]
    filter: Option<String>,
    /// Write the record to this file too
    #[arg(long, global = true, value_name = "FILE")]
    csv: Option<PathBuf>,
}

#[derive(Args)]
struct Effort {
    /// Alternating rounds
    #[arg(long, global = true, default_value_t = 11)]
    rounds: usize,
    /// Milliseconds that a contestant runs in a round, at least
    #[arg(long, global = true, default_value_t = 20)]
    millis: u64,
}

#[derive(Subcommand)]
enum Section {
    /// Each backend's kernels in cache and beyond
    Kernels,
    /// Batches of messages on all that the CPU has
    Batches,
    /// Whole processes over directories of files
    Files,
    /// Instructions of linear hashing, counted by callgrind
    Instructions,
    /// One message hashed once, for callgrind
    #[command(hide = true)]
    Once { hash: String, method: String, length: usize },
    /// Two records side by side; fails on a regression beyond noise
    Compare {
        /// The earlier record
        before: PathBuf,
        /// The later record
        after: PathBuf,
    },
    /// The best kernel by live lanes, and where the policy takes another
    Calibrate,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let Effort { rounds, millis } = arguments.effort;
    let slice = Duration::from_millis(millis);
    let plan = Plan { rounds: rounds.max(1), slice, watch: Watch::Thread };
    let rows = match &arguments.section {
        Section::Kernels => table("kernels", kernels::contests(), &arguments, plan)?,
        Section::Batches => table("batches", batches::contests(), &arguments, plan)?,
        Section::Files => table("files", files::contests(), &arguments, plan)?,
        Section::Compare { before, after } => return compare(before, after),
        Section::Calibrate => calibrate::run(plan).map(|()| Vec::new())?,
        Section::Instructions => instructions::run().map(|_| Vec::new())?,
        Section::Once { hash, method, length } => {
            instructions::once(hash, method, *length).map(|()| Vec::new())?
        }
    };
    if let Some(path) = &arguments.csv {
        write_csv(path, &rows)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the changes between two records; a regression is a failure.
fn compare(before: &Path, after: &Path) -> Result<ExitCode> {
    let (before, after) = (read_csv(before)?, read_csv(after)?);
    let mut regressions = 0;
    for change in changes(&before, &after) {
        println!("{change}");
        regressions += u32::from(change.regressed());
    }
    println!("{regressions} regressions");
    Ok(if regressions == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Measures the lines that the filter lets through, and prints each as soon as it is known.
fn table<L: Line>(name: &str, lines: Vec<L>, given: &Arguments, plan: Plan) -> Result<Vec<Row>> {
    let text = given.filter.as_deref().unwrap_or_default();
    let mut rows = Vec::new();
    for line in lines.iter().filter(|line| line.title().contains(text)) {
        let measured = line.run(name, plan)?;
        measured.iter().for_each(|row| println!("{row}"));
        rows.extend(measured);
    }
    Ok(rows)
}
