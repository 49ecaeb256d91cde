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
    measure::Plan,
    report::{self, Findings},
    row::{read_csv, write_csv},
    sections::{Effort, Table, calibrate, instructions},
};

/// Measures jlanes beside what people would use instead
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    section: Section,
    #[command(flatten)]
    options: Options,
}

#[derive(Args)]
struct Options {
    /// Alternating rounds
    #[arg(long, global = true, default_value_t = 11)]
    rounds: usize,
    /// Milliseconds that a contestant runs in a round, at least
    #[arg(long, global = true, default_value_t = 20)]
    millis: u64,
    /// Measure only lines of tables that have this in their title
    #[arg(long, global = true, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Write a table's record to this file too
    #[arg(long, global = true, value_name = "FILE")]
    csv: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Section {
    /// Each backend's kernels in cache and beyond
    Kernels,
    /// One message at a time, beside other libraries and other functions
    Linear,
    /// Batches of messages on all that the CPU has
    Batches,
    /// Trees over one buffer, and Merkle nodes
    Trees,
    /// Speed by size: the figures of the papers
    Figures,
    /// Whole processes over directories of files
    Files,
    /// The best kernel by live lanes, and where the policy takes another
    Calibrate,
    /// Instructions of linear hashing, counted by callgrind
    Instructions,
    /// All of these: a page, plots and records in a folder named after the CPU and the day
    Report {
        /// Where that folder goes
        #[arg(long, value_name = "DIR", default_value = "docs/report")]
        out: PathBuf,
    },
    /// Two records side by side; fails on a regression beyond noise
    Compare {
        /// The earlier record
        before: PathBuf,
        /// The later record
        after: PathBuf,
    },
    /// One message hashed once, for callgrind
    #[command(hide = true)]
    Once { hash: String, method: String, length: usize },
}

fn main() -> Result<ExitCode> {
    let Arguments { section, options } = Arguments::parse();
    let slice = Duration::from_millis(options.millis);
    let plan = Plan { rounds: options.rounds.max(1), slice, watch: Watch::Thread };
    let effort = Effort { plan, filter: options.filter };
    let table = |table: Table| {
        let rows = table.measure(&effort)?;
        options.csv.as_ref().map_or(Ok(()), |path| write_csv(path, &rows))
    };
    match section {
        Section::Kernels => table(Table::Kernels)?,
        Section::Linear => table(Table::Linear)?,
        Section::Batches => table(Table::Batches)?,
        Section::Trees => table(Table::Trees)?,
        Section::Figures => table(Table::Figures)?,
        Section::Files => table(Table::Files)?,
        Section::Calibrate => drop(calibrate::run(plan)?),
        Section::Instructions => drop(instructions::run()?),
        Section::Report { out } => {
            let folder = report::write(&out, &Findings::measure(&effort)?)?;
            println!("{}", folder.display());
        }
        Section::Compare { before, after } => return compare(&before, &after),
        Section::Once { hash, method, length } => instructions::once(&hash, &method, length)?,
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
