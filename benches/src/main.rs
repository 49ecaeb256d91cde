//! Compares jlanes with what people use today: `cargo run --release -p jlanes-bench -- SECTION`.
//!
//! A [`Contest`](contest::Contest) is one line of a table: a name, a [`Workload`](workload::Workload),
//! our [`Method`](method::Method) of hashing it and its rivals'. [`measure`] runs all of them
//! alternately, so that whatever else the machine does falls on all of them alike, and compares
//! every digest that it times. What is reported is a ratio within one run: absolute figures move
//! with the clock, the neighbours and the day.
#![forbid(unsafe_code)]

mod age;
mod clock;
mod compare;
mod contest;
mod corpus;
mod cpu;
mod hidden_commands;
mod measure;
mod method;
mod peers;
mod process;
mod record;
mod report;
mod row;
mod sections;
mod workload;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use self::{
    clock::Stopwatch,
    compare::changes,
    measure::Timing,
    record::Record,
    row::Row,
    sections::{Effort, Table, instructions},
};
use anyhow::{Result, ensure};
use clap::{Args, Parser, Subcommand};

/// Compares jlanes with what people use today
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
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
    /// Fail if a target is missed
    #[arg(long, global = true)]
    check: bool,
}

#[derive(Subcommand)]
enum Command {
    #[command(flatten)]
    Table(Table),
    /// All of these: a record named after the CPU and the day, and its page and charts in a folder of that name
    Report {
        /// Where the record and that folder go
        #[arg(long, value_name = "DIR", default_value = "docs/records")]
        out: PathBuf,
        /// Only the page and charts, of this record
        #[arg(long, value_name = "FILE")]
        record: Option<PathBuf>,
    },
    /// Two records side by side; fails on a regression beyond noise
    Compare {
        /// The earlier record, of a report or of `--csv`
        before: PathBuf,
        /// The later record
        after: PathBuf,
    },
    /// Puts records' figures where documents quote them
    Quote {
        /// A record; several stand side by side
        #[arg(long = "record", required = true, value_name = "FILE")]
        records: Vec<PathBuf>,
        /// Documents with `<!-- record: NAME -->` in them
        documents: Vec<PathBuf>,
    },
    /// Draws a record's figures for readers who do not know the project
    Chart {
        /// The record
        #[arg(long, value_name = "FILE")]
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
    let Arguments { command, options } = Arguments::parse();
    let min_time = Duration::from_millis(options.millis);
    let timing = Timing { rounds: options.rounds.max(1), min_time, stopwatch: Stopwatch::Thread };
    let effort = Effort { timing, filter: options.filter };
    match command {
        Command::Table(table) => {
            let record = Record::of_today(table.measure(&effort))?;
            options.csv.map_or(Ok(()), |path| record.write(&path))?;
            return Ok(exit_code(&record.rows, options.check));
        }
        Command::Report { out, record: Some(record) } => {
            println!("{}", report::write(&Record::read(&record)?, &out)?.display());
        }
        Command::Report { out, record: None } => {
            let record = report::measure(&effort)?;
            std::fs::create_dir_all(&out)?;
            let path = out.join(format!("{}.csv", record.name));
            record.write(&path)?;
            println!("{}\n{}", path.display(), report::write(&record, &out)?.display());
            return Ok(exit_code(&record.rows, options.check));
        }
        Command::Quote { records, documents } => report::quote(&records, &documents)?,
        Command::Chart { record, file } => report::chart(&record, &file)?,
        Command::Compare { before, after } => return compare(&before, &after),
        Command::Peak { note, command } => return hidden_commands::peak(&note, &command),
        Command::Skein { mode, threads, files } => hidden_commands::skein(&mode, threads, &files)?,
        Command::Once { hash, method, length } => instructions::once(&hash, &method, length)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Failure if a line failed, or if a target is missed and that is to be checked.
fn exit_code(rows: &[Row], check: bool) -> ExitCode {
    let bad = |row: &Row| row.failed() || check && row.met() == Some(false);
    if rows.iter().any(bad) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Prints the changes between two records; a regression is a failure.
fn compare(before: &Path, after: &Path) -> Result<ExitCode> {
    let (mut before, after) = (Record::read(before)?, Record::read(after)?.rows);
    before.compare(&age::code_of_record(&after));
    let changes: Vec<_> = changes(&before.rows, &after).collect();
    ensure!(!changes.is_empty(), "the records have no line in common");
    let mut regressions = 0;
    for change in &changes {
        println!("{change}");
        regressions += u32::from(change.regressed());
    }
    println!("{regressions} regressions in {} lines", changes.len());
    Ok(if regressions == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
