//! `cargo run --release -p jlanes-bench -- SECTION`

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Result, ensure};
use clap::{Args, Parser, Subcommand};
use jlanes_bench::{
    clock::Watch,
    compare::changes,
    helpers,
    measure::Plan,
    report::{self, Findings},
    row::write_csv,
    sections::{Effort, Measured, Table, calibrate, instructions, memory, model},
};

/// Compares jlanes with what people use today
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
    #[arg(long, global = true, default_value_t = 10)]
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
    #[command(flatten)]
    Table(Table),
    /// The best kernel by live lanes, and where the policy takes another
    Calibrate {
        /// Fail where the policy loses more than 5 % to a single kernel
        #[arg(long)]
        check: bool,
    },
    /// Instructions of linear hashing, counted by callgrind
    Instructions,
    /// What `jlanes-sum` has resident, by the size of the file
    Memory,
    /// The papers' cost model compared with the clock
    Model,
    /// All of these: a page, plots and records in a folder named after the CPU and the day
    Report {
        /// Where that folder goes
        #[arg(long, value_name = "DIR", default_value = "docs/report")]
        out: PathBuf,
    },
    /// Two records side by side; fails on a regression beyond noise
    Compare {
        /// The earlier record: a report's folder, or a file of `--csv`
        before: PathBuf,
        /// The later record
        after: PathBuf,
    },
    /// Puts reports' figures where documents quote them
    Quote {
        /// A report's folder; several stand side by side
        #[arg(long = "record", required = true, value_name = "FOLDER")]
        records: Vec<PathBuf>,
        /// Documents with `<!-- record: NAME -->` in them
        documents: Vec<PathBuf>,
    },
    /// Draws a report's figures for readers who do not know the project
    Chart {
        /// A report's folder
        #[arg(long, value_name = "FOLDER")]
        record: PathBuf,
        /// The SVG to write
        file: PathBuf,
    },
    /// One message hashed once, for callgrind
    #[command(hide = true)]
    Once { hash: String, method: String, length: usize },
    /// A command, to measure its memory
    #[command(hide = true)]
    Peak {
        note: PathBuf,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
    /// Skein of files by one scheduler
    #[command(hide = true)]
    Skein { mode: String, threads: usize, files: Vec<PathBuf> },
}

fn main() -> Result<ExitCode> {
    let Arguments { section, options } = Arguments::parse();
    let slice = Duration::from_millis(options.millis);
    let plan = Plan { rounds: options.rounds.max(1), slice, watch: Watch::Thread };
    let effort = Effort { plan, filter: options.filter };
    match section {
        Section::Table(table) => {
            let Measured { rows, failures } = table.measure(&effort);
            options.csv.map_or(Ok(()), |path| write_csv(&path, &rows))?;
            return Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Section::Calibrate { check } => {
            let policies = calibrate::run(plan)?;
            let loses = policies.iter().any(|policy| !policy.losses().is_empty());
            return Ok(if check && loses { ExitCode::FAILURE } else { ExitCode::SUCCESS });
        }
        Section::Instructions => drop(instructions::run()?),
        Section::Memory => drop(memory::run()?),
        Section::Model => drop(model::run(plan)?),
        Section::Report { out } => {
            let findings = Findings::measure(&effort)?;
            println!("{}", report::write(&out, &findings)?.display());
            return Ok(findings.exit_code());
        }
        Section::Quote { records, documents } => report::quote(&records, &documents)?,
        Section::Chart { record, file } => report::chart(&record, &file)?,
        Section::Compare { before, after } => return compare(&before, &after),
        Section::Peak { note, command } => return helpers::peak(&note, &command),
        Section::Skein { mode, threads, files } => helpers::skein(&mode, threads, &files)?,
        Section::Once { hash, method, length } => instructions::once(&hash, &method, length)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the changes between two records; a regression is a failure.
fn compare(before: &Path, after: &Path) -> Result<ExitCode> {
    let (before, after) = (report::record(before)?, report::record(after)?);
    let changes: Vec<_> = changes(&before, &after).collect();
    ensure!(!changes.is_empty(), "the records have no line in common");
    let mut regressions = 0;
    for change in &changes {
        println!("{change}");
        regressions += u32::from(change.regressed());
    }
    println!("{regressions} regressions in {} lines", changes.len());
    Ok(if regressions == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
